"""Label Studio: the JSON export (tasks with annotations), and JSON-MIN (one flat record per annotation)."""

from __future__ import annotations

from collections.abc import Iterator

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile, as_name
from votewise.wording import quoted

STARS = 5  # highest rating unless the labelling interface sets another, which the export does not contain

_MIN = {"annotator", "annotation_id", "id"}
_INPUTS = (
    "text",
    "image",
    "audio",
    "video",
    "html",
    "url",
    "title",
)  # usual names of the data that annotators see, which are not questions
_REGION = ("start", "end", "x", "y", "startOffset")  # keys of an answer about a part of the item


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Tasks with annotations that hold results, or the flat records of JSON-MIN."""
    record = source.first_record
    if isinstance(record.get("annotations"), list) and isinstance(record.get("data"), dict):
        return 0.95, "tasks with data and annotations, as in Label Studio"
    if record.keys() >= _MIN:
        return 0.9, "records with annotator and annotation_id, as in Label Studio's JSON-MIN"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The records with the ids of their items."""
    return ((record.name("id"), record) for record in ballots.records())


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One question per control of the labelling interface (its `from_name`); the last annotation of an annotator counts."""
    ballots = Ballots(source, options)
    for item, record in items(ballots):
        ballots.seen(item)
        if "annotations" in record.fields:
            _read_task(ballots, item, record)
        elif record.fields.keys() >= _MIN:
            _read_flat(ballots, item, record)
        else:
            raise record.error("this is not a task: 'annotations' is missing", "export as JSON or JSON-MIN")
    return ballots.votes_file(duplicates="last")


def _read_task(ballots: Ballots, item: str, task: Record) -> None:
    ballots.drop("a prediction of a model", task.size("predictions"))
    ballots.drop("a draft", task.size("drafts"))
    for annotation in sorted(task.records("annotations"), key=_when):
        if annotation.fields.get("was_cancelled"):
            ballots.drop("a skipped task")
            continue
        answers: dict[str, tuple[str, ...]] = {}
        for result in annotation.records("result"):
            for label in _labels(ballots, result):
                question = result.name("from_name")
                answers[question] = (*answers.get(question, ()), label)
        if not answers:
            ballots.drop("an annotation without an answer that is a class")
        for question, chosen in answers.items():
            ballots.vote(item, _annotator(annotation), chosen, question, annotation.place)


def _labels(ballots: Ballots, result: Record) -> Iterator[str]:
    """The chosen labels; empty if the result is not a choice between classes for the whole item."""
    value, kind = result.record("value"), result.optional("type") or "unknown"
    if any(key in value.fields for key in _REGION):
        ballots.drop(f"a result of type {kind} about a part of the item")
    elif "choices" in value.fields:
        yield from value.names("choices")
    elif "taxonomy" in value.fields:
        yield from _taxonomy(value)
    elif "rating" in value.fields:
        yield _rating(ballots, value, result.name("from_name"))
    elif "selected" in value.fields:
        ballots.declare(result.name("from_name"), ("left", "right"))
        yield value.name("selected")
    else:
        ballots.drop(f"a result of type {kind}, which is not a choice between classes")


def _taxonomy(value: Record) -> Iterator[str]:
    """Each path through the tree is one label: animal / cat."""
    paths = value.fields["taxonomy"]
    for path in paths if isinstance(paths, list) else [paths]:
        steps = [as_name(step) for step in (path if isinstance(path, list) else [path])]
        if not steps or None in steps:
            raise value.error(f"taxonomy {quoted(path)} is not a path of names")
        yield " / ".join(step for step in steps if step)


def _rating(ballots: Ballots, value: Record, question: str) -> str:
    rating = value.fields["rating"]
    if rating is True or not isinstance(rating, int | float) or not 1 <= rating <= 100 or rating != int(rating):
        raise value.error(f"rating {quoted(rating)} is not a number of stars")
    stars = max(STARS, int(rating))
    ballots.declare(question, (str(star) for star in range(1, stars + 1)), ordered=True)
    if ballots.options.get("classes") is None:
        ballots.note(
            f"{quoted(question)} is read as a scale of 1 to {STARS} stars, or to the highest rating; if the scale is longer, name all classes with classes= (--classes)"
        )
    return str(int(rating))


def _annotator(annotation: Record) -> str | None:
    """`completed_by` is a user id or a user object."""
    if isinstance(annotation.fields.get("completed_by"), dict):
        user = annotation.record("completed_by")
        return user.optional("email") or user.optional("id")
    return annotation.optional("completed_by")


def _when(annotation: Record) -> str:
    when = annotation.fields.get("updated_at") or annotation.fields.get("created_at")
    return when if isinstance(when, str) else ""


def _read_flat(ballots: Ballots, item: str, record: Record) -> None:
    """In JSON-MIN the answers are between the task id and the annotator."""
    keys = list(record.fields)
    for question in keys[keys.index("id") + 1 : keys.index("annotator")]:
        answer = record.fields[question]
        if question in _INPUTS and isinstance(answer, str):
            ballots.note(f"{quoted(question)} looks like an input and not like a question, so it is not read")
            continue
        chosen: list[str] = []
        for part in answer if isinstance(answer, list) else [] if answer is None else [answer]:
            value = part if isinstance(part, dict) else {"choices": [part]}
            chosen += _labels(ballots, Record(record.source, record.place, {"value": value, "from_name": question}))
        if chosen:
            ballots.vote(item, record.optional("annotator"), chosen, question, record.place)
