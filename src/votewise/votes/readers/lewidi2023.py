"""LeWiDi 2023 (SemEval task 11): annotations and annotators as two comma-separated strings, four binary tasks."""

from __future__ import annotations

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile
from votewise.votes.readers.shared.lewidi import agrees, as_label, first_item, items, note_disagreement
from votewise.wording import counted, quoted

CLASSES = ("0", "1")
# ConvAbuse publishes the severity; its soft label counts -3 to -1 as abusive, 0 and 1 as not abusive.
SEVERITY = {"-3": "1", "-2": "1", "-1": "1", "0": "0", "1": "0"}


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Items whose annotations are one string."""
    item = first_item(source)
    if isinstance(item.get("annotations"), str) and not isinstance(item.get("text"), dict):
        return 0.95, "items with annotations as one string, as in LeWiDi 2023"
    return None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One vote per annotator and item, 0 or 1; checked against the soft label of the item."""
    ballots, wrong = Ballots(source, options), list[str]()
    ballots.declare("label", CLASSES)
    for name, record in items(ballots):
        item = ballots.seen(name)
        annotations, annotators = (_split(record, key) for key in ("annotations", "annotators"))
        if len(annotations) != len(annotators):
            raise record.error(f"{counted(len(annotations), 'annotation')} by {counted(len(annotators), 'annotator')}")
        labels = [_binary(record, as_label(label)) for label in annotations]
        if not agrees(record.record("soft_label"), labels):
            wrong.append(record.place)
        for annotator, label in zip(annotators, labels, strict=True):
            ballots.vote(item, annotator, (label,), "label", record.place)
    note_disagreement(ballots, wrong)
    return ballots.votes_file()


def _split(record: Record, key: str) -> list[str]:
    return [part.strip() for part in (record.optional(key) or "").split(",") if part.strip()]


def _binary(record: Record, label: str) -> str:
    severity = "abus" in (record.optional("annotation task") or "")  # ConvAbuse says "abusivness detection"
    known = SEVERITY if severity else dict(zip(CLASSES, CLASSES, strict=True))
    if label not in known:
        raise record.error(f"annotation {quoted(label)} is not one of {', '.join(known)}")
    return known[label]
