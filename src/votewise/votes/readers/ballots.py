"""Collects the votes of a record-by-record export, question by question, and turns them into `Votes`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from votewise.errors import listing
from votewise.votes.answers import Answers
from votewise.votes.readers.reading import Duplicates, Options, Reading, Report
from votewise.votes.readers.source import Source
from votewise.votes.scale import NOMINAL, Scale, ordinal
from votewise.votes.votes import Votes

Vote = tuple[str, str | None, str]  # item, annotator, label


class Ballots:
    """Votes as they come out of a file. A reader calls `vote` or `choice`, `drop` and `declare`, then returns `reading`."""

    def __init__(self, source: Source, options: Options) -> None:
        self.source = source
        self.options = options
        self._votes: dict[str, list[Vote]] = {}
        self._choices: dict[str, list[tuple[str, str | None, frozenset[str]]]] = {}
        self._classes: dict[str, tuple[str, ...]] = {}
        self._scale: dict[str, Scale] = {}
        self.dropped: Counter[str] = Counter()
        self.notes: list[str] = []
        self.rows = 0

    def declare(self, question: str, classes: Sequence[object], *, ordered: bool = False) -> None:
        """The classes that the format itself names, so that one nobody chose is not forgotten."""
        self._classes[question] = tuple(str(name) for name in classes)
        self._scale[question] = ordinal(self._classes[question]) if ordered else NOMINAL

    def vote(self, item: object, annotator: object, label: object, question: str = "label") -> None:
        """One person's one answer."""
        self._votes.setdefault(question, []).append(
            (str(item), None if annotator is None else str(annotator), str(label))
        )

    def choice(self, item: object, annotator: object, chosen: Iterable[object], question: str = "label") -> None:
        """One person's set of answers, of a question that allows several: becomes one yes/no question per label."""
        self._choices.setdefault(question, []).append(
            (str(item), None if annotator is None else str(annotator), frozenset(map(str, chosen)))
        )

    def drop(self, reason: str, count: int = 1) -> None:
        """Something that was left out, and why."""
        self.dropped[reason] += count

    def reading(self, format: str, why: str, *, duplicates: Duplicates = "error") -> Reading:
        """All questions as `Votes`. `duplicates` is what the format says of two votes by one person on one item."""
        policy = self.options.duplicates or duplicates
        for question, choices in self._choices.items():
            labels = self._classes.pop(question, None) or sorted({name for *_, chosen in choices for name in chosen})
            for label in labels:
                name = f"{question}:{label}" if len(self._choices) > 1 or self._votes else label
                self._votes[name] = [(item, who, str(int(label in chosen))) for item, who, chosen in choices]
                self.declare(name, ("0", "1"))
        if not self._votes:
            raise self.source.error(
                f"there are no votes in this {format} file", "check that it was exported with annotations"
            )
        questions = {name: self._answers(votes, name, policy) for name, votes in self._votes.items()}
        report = Report(str(self.source.path), format, why, self.rows, dict(self.dropped), tuple(self.notes))
        return Reading(questions, report)

    def _answers(self, votes: list[Vote], question: str, duplicates: Duplicates) -> Answers:
        votes = self._once_each(votes, duplicates)
        item, annotator, label = zip(*votes, strict=True)
        scale = self._scale.get(question, NOMINAL)
        classes = self.options.classes or self._classes.get(question)
        named = any(who is not None for who in annotator)
        answers = Votes.from_long(item, label, annotator if named else None, classes=classes, scale=scale)
        return answers

    def _once_each(self, votes: list[Vote], duplicates: Duplicates) -> list[Vote]:
        """Apply the policy to items on which one known person voted more than once."""
        seen = Counter((item, who) for item, who, _ in votes if who is not None)
        twice = [pair for pair, count in seen.items() if count > 1]
        if not twice or duplicates == "keep":
            if twice:
                self.notes.append(f"{len(twice):,} times one person voted more than once on one item: all votes kept")
            return votes
        if duplicates == "error":
            raise self.source.error(
                f"{len(twice)} times one person voted more than once on one item, as {listing(twice, 1)}",
                "say duplicates='last' or 'keep' (--duplicates last)",
            )
        last = {(item, who): (item, who, label) for item, who, label in votes if who is not None}
        self.drop(
            "an earlier vote of the same person on the same item",
            len(votes) - len(last) - sum(who is None for _, who, _ in votes),
        )
        return [*last.values(), *(vote for vote in votes if vote[1] is None)]
