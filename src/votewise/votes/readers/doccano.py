"""doccano: JSON or JSONL of a text or image classification project. Only old versions record the annotator of a label."""

from __future__ import annotations

from collections.abc import Iterator

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile
from votewise.wording import quoted

_LABELS = (
    "label",
    "labels",
    "cats",
)  # the key of the labels: since version 1.3, before it, and in projects that also ask for spans
_INPUT = {"text", "filename", "data"}


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Records with an id, a text or file, and a list of labels."""
    record = source.first_record
    if "id" in record and record.keys() & _INPUT:
        annotations = record.get("annotations")
        if isinstance(annotations, list) and "annotation_approver" in record:
            return 0.9, "records with annotations and annotation_approver, as in doccano"
        if any(isinstance(record.get(key), list) for key in _LABELS):
            sure = bool(record.keys() & {"Comments", "annotation_approver"})
            return 0.9 if sure else 0.7, "records with id, text and a list of labels, as in doccano"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The records with the ids of their items."""
    return ((record.name("id"), record) for record in ballots.records())


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The labels of each record as votes on the question `label`.

    An annotator chooses a label at most once. So if a list contains a label twice, the lists hold the votes of several
    annotators; otherwise, a list with several labels is the choice of one annotator.
    """
    ballots = Ballots(source, options)
    lists: list[tuple[str, Record, tuple[str, ...]]] = []
    for item, record in items(ballots):
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
    shared = any(len(set(chosen)) < len(chosen) for _, _, chosen in lists)
    for item, record, chosen in lists:
        for ballot in [(label,) for label in chosen] if shared else [chosen]:
            ballots.vote(item, None, ballot, "label", record.place)
    if shared:
        ballots.note("some lists contain a label twice: each label is read as the vote of an unknown annotator")
    elif any(len(chosen) > 1 for _, _, chosen in lists):
        ballots.note(
            "some records have several labels: each is read as one annotator's choice of several, with one question per label"
        )
    if lists:
        ballots.note(
            "doccano does not record who gave a label; if annotators shared a project, their labels are merged"
        )
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
