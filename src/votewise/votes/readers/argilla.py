"""Argilla: records with responses by question (2.x), by annotator (1.x), or flattened into columns (2.x)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile, as_name
from votewise.wording import quoted

_FLAT = ".responses"


class Response(NamedTuple):
    """One annotator's answer to one question, and its status: submitted, draft or discarded."""

    question: str
    value: Any
    person: str | None
    status: str | None


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Records with fields and responses, or with columns that hold the responses to each question."""
    record = source.first_record
    if isinstance(record.get("responses"), dict | list) and isinstance(record.get("fields"), dict):
        return 0.95, "records with fields and responses, as in Argilla"
    if any(key.endswith(f"{_FLAT}.users") or f"{key}-suggestion" in record for key in record):
        return 0.9, "records with the responses to each question in a column, as in Argilla"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The records with the ids of their items."""
    return (
        (record.optional("external_id") or record.optional("id") or record.name("_server_id"), record)
        for record in ballots.records()
    )


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The votes on each question of the dataset. Drafts and discarded responses do not count."""
    ballots = Ballots(source, options)
    for item, record in items(ballots):
        ballots.seen(item)
        for response in _responses(record):
            if response.status is None:
                ballots.note("this export does not mark drafts: all responses count")
            elif response.status != "submitted":
                ballots.drop(f"a response with status {response.status}")
                continue
            _read_value(ballots, response, item, record.place)
    return ballots.votes_file()


def _read_value(ballots: Ballots, response: Response, item: str, place: str) -> None:
    """Add the vote in a value: a text is a label, a list is several labels, a number is a rating. Rankings and spans are dropped."""
    several = isinstance(response.value, list)
    chosen = [as_name(label) for label in (response.value if several else [response.value])]
    if response.value is None:
        ballots.drop("a response without an answer")
    elif None in chosen:
        ballots.drop(f"an answer to {quoted(response.question)} that is not a choice between classes")
    else:
        ballots.declare(response.question, (), ordered=isinstance(response.value, int | float), several=several)
        names = [label for label in chosen if label is not None]
        ballots.vote(item, response.person, names, response.question, place)


def _responses(record: Record) -> Iterator[Response]:
    if isinstance(record.fields.get("responses"), list):  # 1.x: the answers of one annotator after the other
        for given in record.records("responses"):
            values = given.record("values")
            if not values.fields:
                yield Response("", None, given.optional("user_id"), given.optional("status"))
            for question in values.fields:
                answer = values.record(question).fields.get("value")
                yield Response(question, answer, given.optional("user_id"), given.optional("status"))
    elif "responses" in record.fields:  # 2.x: the answers to one question after the other
        responses = record.record("responses")
        for question in responses.fields:
            yield from _by_annotator(responses, question)
    else:
        for key, value in record.fields.items():
            if key.endswith(_FLAT) and value is not None:  # 2.x, flattened
                yield from _columns(record, key)
            elif f"{key}-suggestion" in record.fields:  # 1.x, as a dataset of Hugging Face
                yield from _by_annotator(record, key)


def _by_annotator(record: Record, question: str) -> Iterator[Response]:
    for given in record.records(question):
        yield Response(question, given.fields.get("value"), given.optional("user_id"), given.optional("status"))


def _columns(record: Record, key: str) -> Iterator[Response]:
    """`label.responses`, `label.responses.users` and `label.responses.status` are lists with one entry per annotator."""
    values, annotators, states = record.fields[key], record.names(f"{key}.users"), record.names(f"{key}.status")
    if not isinstance(values, list) or len(values) != len(annotators) or len(states) not in (0, len(values)):
        raise record.error(f"{quoted(key)}, its users and its status differ in length")
    for number, value in enumerate(values):
        yield Response(key.removesuffix(_FLAT), value, annotators[number], states[number] if states else None)
