"""Prodigy: the JSONL of `db-out`, in which annotators accept or reject a label or choose among options."""

from __future__ import annotations

from collections.abc import Iterator

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile
from votewise.wording import quoted

ANSWERS = ("accept", "reject", "ignore")


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Records with the answer accept, reject or ignore, and Prodigy's hashes or a session."""
    record = source.first_record
    if record.get("answer") in ANSWERS and record.keys() & {"_input_hash", "_task_hash", "_session_id", "_view_id"}:
        return 0.95, "records with an answer and _input_hash, as in Prodigy"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The records with the ids of their items."""
    return ((record.optional("_input_hash") or record.name("text"), record) for record in ballots.records())


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """A task with options is a choice between them. A task with a label is a yes/no question with the name of the label.

    Prodigy appends repeated answers, so the last answer of an annotator counts.
    """
    ballots = Ballots(source, options)
    for item, record in items(ballots):
        ballots.seen(item)
        answer = record.name("answer")
        if answer not in ANSWERS:
            raise record.error(f"answer {quoted(answer)} is not one of {', '.join(ANSWERS)}")
        person = record.optional("_annotator_id") or record.optional("_session_id")
        if answer == "ignore":
            ballots.drop("an ignored task")
        elif "options" in record.fields:
            _read_choice(ballots, record, item, person, answer)
        elif "label" in record.fields:
            label = record.name("label")
            ballots.declare(label, ("0", "1"))
            ballots.vote(item, person, (str(int(answer == "accept")),), label, record.place)
        else:
            ballots.drop("a task without label or options, for example about spans")
    return ballots.votes_file(duplicates="last")


def _read_choice(ballots: Ballots, record: Record, item: str, person: str | None, answer: str) -> None:
    if answer == "reject":
        ballots.drop("a rejected task: none of its options was chosen")
        return
    several = record.record("config").fields.get("choice_style") == "multiple"
    ballots.declare("label", [option.name("id") for option in record.records("options")], several=several)
    ballots.vote(item, person, record.names("accept"), "label", record.place)
