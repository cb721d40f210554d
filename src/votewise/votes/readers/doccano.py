"""doccano: JSON or JSONL of a text or image classification project. Who gave a label is lost in all but old versions."""

from __future__ import annotations

from votewise.read_options import ReadOptions
from votewise.votes.readers.shared.ballots import Ballots
from votewise.votes.readers.shared.record import Record, json_records
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.votes_file import VotesFile
from votewise.wording import quoted

_LABELS = ("label", "labels", "cats")  # since 1.3, before, and in projects that also ask for spans
_INPUT = {"text", "filename", "data"}


def recognise(source: SourceFile) -> tuple[float, str]:
    """Records with an id, a text or file, and a list of labels."""
    record = source.first_record
    if "id" in record and record.keys() & _INPUT:
        annotations = record.get("annotations")
        if isinstance(annotations, list) and "annotation_approver" in record:
            return 0.9, "records with annotations and annotation_approver, as in doccano"
        if any(isinstance(record.get(key), list) for key in _LABELS):
            sure = bool(record.keys() & {"Comments", "annotation_approver"})
            return 0.9 if sure else 0.7, "records with id, text and a list of labels, as in doccano"
    return 0.0, "no records with id, text and a list of labels"


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """What the lists of labels mean is told by the lists: no set of labels holds one of them twice, so such a list
    holds the votes of several people; without any such list, two labels are one person's choice of several.
    """
    ballots = Ballots(source, options)
    lists: list[tuple[str, Record, tuple[str, ...]]] = []
    for record in json_records(source):
        ballots.rows += 1
        item = record.name("id")
        if "annotations" in record.fields:
            _read_annotations(ballots, item, record)
            continue
        key = next((key for key in _LABELS if key in record.fields), "label")
        labels = record.fields.get(key)
        if isinstance(labels, list) and any(isinstance(label, list | dict) for label in labels):
            raise record.error(f"{quoted(key)} holds spans, not classes", "export a classification project")
        if chosen := record.names(key):
            lists.append((ballots.seen(item), record, chosen))
        else:
            ballots.drop("a record without a label")
    people = any(len(set(chosen)) < len(chosen) for _, _, chosen in lists)
    for item, record, chosen in lists:
        for ballot in [(label,) for label in chosen] if people else [chosen]:
            ballots.vote(item, None, ballot, "label", record.place)
    if people:
        ballots.note("some lists hold a label twice: every label is read as the vote of one unknown person")
    elif any(len(chosen) > 1 for _, _, chosen in lists):
        ballots.note("some records have several labels: read as one person's choice of several, one question per label")
    if lists:
        ballots.note("doccano does not say who gave a label; where people shared a project, their labels are merged")
    return ballots.votes_file(duplicates="last")


def _read_annotations(ballots: Ballots, item: str, record: Record) -> None:
    """Versions before 1.3 name the user of each label; the labels of one user on one text are one choice."""
    chosen: dict[str | None, list[str]] = {}
    for annotation in record.records("annotations"):
        if "start_offset" in annotation.fields:
            raise annotation.error("this is a span, not a class", "export a classification project")
        chosen.setdefault(annotation.optional("user"), []).append(annotation.name("label"))
    if not chosen:
        ballots.drop("a record without a label")
    for person, labels in chosen.items():
        for ballot in [labels] if person is not None else [[label] for label in labels]:
            ballots.vote(item, person, tuple(dict.fromkeys(ballot)), "label", record.place)
