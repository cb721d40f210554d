"""Potato: an annotator's `annotated_instances.jsonl`, the table of all annotators, and the exports of version 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile, as_name
from votewise.votes.readers.shared.ballots import Question
from votewise.wording import quoted

_MARK = ":::"  # between schema and label in the columns of version 1; version 2 has a dot
_NO_CLASS = {"text_box", "free_response", "slider", "number"}  # keys of an entered text or number
_SPANS = ("span_annotations", "spans")


class Page(NamedTuple):
    """What one annotator answered about one item: schema -> label -> value."""

    person: str | None
    schemas: Mapping[str, Mapping[str, Any]]


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Records with label_annotations or labels, or columns named schema:::label (version 1) or schema.label (2)."""
    record, columns = source.first_record, source.csv_columns
    if isinstance(record.get("label_annotations"), dict) and "id" in record:
        return 0.95, "records with label_annotations, as in Potato"
    if isinstance(record.get("labels"), dict) and {"instance_id", "user_id"} <= record.keys():
        return 0.95, "records with instance_id, user_id and labels, as in Potato"
    if {"user", "instance_id"}.issubset(columns) and any(_MARK in name for name in columns):
        return 0.95, "columns user, instance_id and schema:::label, as in Potato"
    if {"user_id", "instance_id"}.issubset(columns) and any("." in name for name in columns):
        return 0.8, "columns user_id, instance_id and schema.label, as in Potato 2"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The records of the task with the ids of their items."""
    for record in ballots.records():
        item = record.name("instance_id" if "instance_id" in record.fields else "id")
        if item.endswith(".html"):
            ballots.drop("a page of the survey before or after the task")
        else:
            yield item, record


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The votes on each schema as a question. The file does not record which schemas allow several labels: see `_settle`."""
    ballots = Ballots(source, options)
    table = source.kind == "delimited"
    for item, record in items(ballots):
        ballots.seen(item)
        page = _row(ballots, record) if table else _page(ballots, record)
        if page.person is None:
            ballots.note(
                "some records do not name their annotator: Potato keeps the file of each annotator in a separate folder"
            )
        for schema, answers in page.schemas.items():
            if chosen := tuple(_chosen(ballots, answers)):
                ballots.vote(item, page.person, chosen, schema, record.place)
    for question in ballots.questions():
        _settle(ballots, question)
    return ballots.votes_file(duplicates="last")


def _page(ballots: Ballots, record: Record) -> Page:
    """A record of JSONL. In version 1 the folder of the file is named after the annotator."""
    answers = record.record("label_annotations" if "label_annotations" in record.fields else "labels")
    person = record.optional("user_id") or record.optional("user")
    if person is None and record.source.path.name == "annotated_instances.jsonl":
        person = as_name(record.source.path.resolve().parent.name)
    for key in _SPANS:
        found = record.fields.get(key)
        spans = found.values() if isinstance(found, dict) else [found]
        ballots.drop("a span", sum(len(some) if isinstance(some, list) else some is not None for some in spans))
    schemas = {
        as_name(schema) or "label": value if isinstance(value, dict) else {str(value): value is not None}
        for schema, value in answers.fields.items()
    }
    return Page(person, schemas)


def _row(ballots: Ballots, record: Record) -> Page:
    """The answers in a row of a table. If two labels are marked, a column named after the schema holds the one that counts."""
    schemas: dict[str, dict[str, Any]] = {}
    mark = _MARK if any(_MARK in name for name in record.fields) else "."
    for name, value in record.fields.items():
        schema, _, label = name.partition(mark)
        if label == "_spans" or schema == "span_annotation":
            ballots.drop("a span", int(value not in ("", "[]", "{}")))
        elif label and not label.startswith("_"):
            schemas.setdefault(schema, {})[label] = value
    for schema, answers in schemas.items():
        if (settled := record.optional(schema)) in answers:
            schemas[schema] = {settled: True}
    return Page(record.optional("user") or record.optional("user_id"), schemas)


def _chosen(ballots: Ballots, answers: Mapping[str, Any]) -> Iterator[str]:
    for label, value in answers.items():
        name = as_name(label)
        unmarked = value is None or value == "" or (as_name(value) or "").lower() == "false"
        if unmarked and value != label:  # a button may have the label "false"
            continue
        if name is None or name in _NO_CLASS:
            ballots.drop("a text or a number, which is not a choice between classes")
        else:
            point = name.removeprefix("scale_")  # the points of a scale are called scale_1, scale_2 ... in version 1
            yield point if _is_point(point) else name


def _is_point(label: str) -> bool:
    return label.isascii() and label.isdecimal() and str(int(label)) == label


def _settle(ballots: Ballots, question: Question) -> None:
    """Interpret several labels of one annotator as a choice of several labels, or as a changed answer.

    When an annotator changes an answer, versions up to 2.7.1 store both labels. Only one point of a scale can be chosen, so
    the last one counts by default; for other labels, the option `duplicates` decides.
    """
    if scale := all(map(_is_point, question.labels)):
        ballots.declare(question.name, (), ordered=True)
    double = [ballot for ballot in question.ballots if len(ballot.chosen) > 1]
    policy = ballots.options.get("duplicates") or ("last" if scale else None)
    if double and policy == "error":
        raise ballots.source.error(
            f"{double[0].place}: {len(double[0].chosen)} answers to {quoted(question.name)}",
            "use duplicates='last' or 'keep' (--duplicates last)",
        )
    if double and policy is None:
        ballots.note(
            f"answers to {quoted(question.name)} with several labels: {len(double):,}; read as one question per label. If only one "
            "can be chosen, a second label is a changed answer (Potato up to 2.7.1): keep the last with duplicates='last' (--duplicates last)"
        )
    elif double:
        ballots.note(
            f"answers to {quoted(question.name)} that were changed (Potato up to 2.7.1 stores both labels): {len(double):,}"
        )
        if policy != "keep":
            ballots.drop("another label of a changed answer", sum(len(ballot.chosen) - 1 for ballot in double))
        which = {"keep": slice(None), "first": slice(1)}.get(policy or "last", slice(-1, None))
        question.ballots = [
            ballot._replace(chosen=(label,)) for ballot in question.ballots for label in ballot.chosen[which]
        ]
