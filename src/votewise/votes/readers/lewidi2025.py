"""LeWiDi 2025: a dictionary of annotations per item; two ordinal scales, one binary task, one with several labels."""

from __future__ import annotations

from votewise.votes.coding import in_order
from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile, as_name
from votewise.votes.readers.shared.lewidi import agrees, as_label, first_item, items, note_disagreement
from votewise.wording import quoted

SCALES = {
    "sarcasm detection": [str(rating) for rating in range(1, 7)],
    "paraphrase detection": [str(rating) for rating in range(-5, 6)],
}
NO_ANSWER = {"sarcasm detection": "0"}  # the scale of CSC begins at 1


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Items whose annotations are a dictionary, or items of the competition's test files, which have no annotations."""
    item = first_item(source)
    if isinstance(item.get("annotations"), dict) or isinstance(item.get("text"), dict):
        return 0.95, "items with a dictionary of annotations, as in LeWiDi 2025"
    return None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One vote per annotator and item, checked against the soft label; in VariErrNLI, one question per label."""
    ballots, wrong = Ballots(source, options), list[str]()
    for name, record in items(ballots):
        item = ballots.seen(name)
        task = record.optional("annotation task") or ""
        soft_label = record.record("soft_label")
        several = any(isinstance(share, dict) for share in soft_label.fields.values())
        named = in_order({as_label(key) for key in soft_label.fields} - {"", NO_ANSWER.get(task, "")})
        ballots.declare("label", SCALES.get(task, named), ordered=task in SCALES, several=several)
        answers = _answers(record, several)
        cast = {person: chosen for person, chosen in answers.items() if chosen != (NO_ANSWER.get(task),)}
        ballots.drop("a rating outside the scale", len(answers) - len(cast))
        for person, chosen in cast.items():
            ballots.vote(item, person, chosen, "label", record.place)
        if several:
            agreed = all(
                agrees(soft_label.record(label), [str(int(label in chosen)) for chosen in cast.values()])
                for label in soft_label.fields
            )
        else:
            agreed = any(agrees(soft_label, [*labels.values()]) for labels in (_single(answers), _single(cast)))
        if not agreed:
            wrong.append(record.place)
    note_disagreement(ballots, wrong)
    return ballots.votes_file()


def _answers(record: Record, several: bool) -> dict[str, tuple[str, ...]]:
    """What each annotator chose: labels separated by commas if several may be chosen."""
    if record.fields.get("annotations") == "":
        return {}
    annotations = record.record("annotations")
    answers = {}
    for key in annotations.fields:
        if (person := as_name(key)) is None:
            raise record.error(f"annotator {quoted(key)} has no name")
        label = annotations.name(key)
        answers[person] = tuple(part.strip() for part in label.split(",")) if several else (as_label(label),)
    return answers


def _single(answers: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {person: chosen[0] for person, chosen in answers.items()}
