"""Collects the ballots of a record-by-record export, question by question, and turns them into `Votes`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from votewise.errors import VotewiseError, locating
from votewise.read_options import Duplicates, ReadOptions
from votewise.votes.cleaning import LEFT_OUT, annotator_names, label_names, missing_notes
from votewise.votes.coding import in_order
from votewise.votes.ids import locate_ids
from votewise.votes.readers.shared.duplicates import dropped_as, kept_note, settle_duplicates
from votewise.votes.readers.shared.record import Record, as_name, csv_records, json_records
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.suspicious_classes import doubts, not_classes
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted


class Ballot(NamedTuple):
    """One annotator's answer to one question about one item: one label, or several if several may be chosen."""

    item: str
    annotator: str | None
    chosen: tuple[str, ...]
    place: str


@dataclass(slots=True)
class Question:
    """The ballots cast on one question, the labels that occur on them, and the classes that the format declares."""

    name: str
    ballots: list[Ballot] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    classes: tuple[str, ...] = ()
    ordered: bool = False
    several: bool = False


class Ballots:
    """Collects the ballots of a file. A reader calls `seen`, `declare`, `vote`, `drop` and `note`, then `votes_file`."""

    def __init__(self, source: SourceFile, options: ReadOptions) -> None:
        self.source = source
        self.options = options
        self.rows = 0
        self._items: set[str] = set()
        self._questions: dict[str, Question] = {}
        self._dropped: Counter[str] = Counter()
        self._notes: list[str] = []
        self._doubts: list[str] = []
        self._label, self._annotator = label_names(options), annotator_names(options)
        self._annotators: set[str] = set()

    def records(self) -> Iterator[Record]:
        """Iterate over the records of the file, and count them."""
        for record in csv_records(self.source) if self.source.kind == "delimited" else json_records(self.source):
            self.rows += 1
            yield record

    def item(self, record: Record, *fields: str) -> str:
        """The id of the item of a record: the value at the path given as `item`, or of the first of the fields that is present."""
        path = self.options.get("item")
        if path is None:
            *optional, needed = fields
            return next(filter(None, map(record.optional, optional)), None) or record.name(needed)
        if (name := as_name(record.at(path))) is None:
            raise record.error(f"{quoted(path)} is {quoted(record.at(path))}, not an id of an item")
        return name

    def seen(self, item: str) -> str:
        """Register an item of the file, which may have no votes."""
        self._items.add(item)
        return item

    def declare(self, question: str, classes: Iterable[str], *, ordered: bool = False, several: bool = False) -> None:
        """Register classes that the format declares, so that classes without votes are kept. May be called several times."""
        known = self._question(question)
        known.classes = tuple(dict.fromkeys((*known.classes, *self._renamed(known, classes))))
        known.ordered |= ordered
        known.several |= several

    def vote(
        self, item: str, annotator: str | None, chosen: Sequence[str], question: str, place: str, times: int = 1
    ) -> None:
        """Add one annotator's answer. A question that has answers with several labels becomes a yes/no question per label."""
        asked = self._question(question)
        if annotator is not None and self._annotator:
            self._annotators.add(annotator)
            if self._annotator.leaves_out(annotator):
                self.drop(LEFT_OUT, times)
                return
            annotator = self._annotator(annotator)
        if chosen and not (chosen := self._renamed(asked, chosen)):
            self.drop("no label", times)
            return
        asked.labels.update(chosen)
        asked.ballots += [Ballot(item, annotator, tuple(dict.fromkeys(chosen)), place)] * times

    def _renamed(self, question: Question, labels: Iterable[str]) -> list[str]:
        """The labels after cleaning, without missing values."""
        if not self._label:
            return list(labels)
        labels = list(labels)
        question.written.update(labels)
        return [name for label in labels if (name := self._label(label)) is not None]

    def drop(self, reason: str, count: int = 1) -> None:
        """Record something that was left out, and why."""
        if count:
            self._dropped[reason] += count

    def note(self, text: str) -> None:
        """Add a note for the user on how the file was read."""
        if text not in self._notes:
            self._notes.append(text)

    def questions(self) -> list[Question]:
        """The questions so far, for readers that need all answers before they can interpret them."""
        return list(self._questions.values())

    def votes_file(self, *, duplicates: Duplicates = "error") -> VotesFile:
        """All questions as `Votes` on the same items. `duplicates` is the default policy of the format for second votes."""
        for question in self.questions():
            with locating(self.source.path):
                question.ballots = self._once_each(question, self.options.get("duplicates") or duplicates)
            question.several |= any(len(ballot.chosen) > 1 for ballot in question.ballots)
            if not question.several:
                answered = [ballot for ballot in question.ballots if ballot.chosen]
                self.drop("an empty answer", len(question.ballots) - len(answered))
                question.ballots = answered
        asked = [question for question in self.questions() if question.ballots]
        written = set[str]().union(*(question.written for question in self.questions()))
        self._notes += [*self._label.notes(in_order(written)), *self._annotator.notes(in_order(self._annotators))]
        self._notes += missing_notes(self.options, [*written, *self._annotators])
        items = in_order({ballot.item for question in asked for ballot in question.ballots})
        self.drop("an item without votes", len(self._items.difference(items)))
        with locating(self.source.path):
            votes = self._votes(asked, items)
        if not votes:
            raise self.source.error(
                f"the file has no votes{self._reasons()}",
                "check that it was exported with the annotators' answers",
            )
        report = ReadReport(
            rows=self.rows, dropped=dict(self._dropped), notes=tuple(self._notes), doubts=tuple(self._doubts)
        )
        return VotesFile(votes, report)

    def _question(self, name: str) -> Question:
        if as_name(name) is None:
            raise self.source.error("a question has no name", "give each question its own name")
        return self._questions.setdefault(name, Question(name))

    def _reasons(self) -> str:
        return "".join(f"; dropped {count}: {reason}" for reason, count in self._dropped.items())

    def _once_each(self, question: Question, policy: Duplicates) -> list[Ballot]:
        """Apply the policy to items on which one known annotator answered more than once."""
        ballots = question.ballots
        item, annotator = (
            locate_ids(names, [name for name in dict.fromkeys(names) if name is not None])
            for names in ([ballot.item for ballot in ballots], [ballot.annotator for ballot in ballots])
        )

        def describe(row: int) -> tuple[str, str, str]:
            asked = f", question {quoted(question.name)}" if len(self._questions) > 1 else ""
            return f"{ballots[row].place}{asked}", ballots[row].annotator or "", ballots[row].item

        answers = [frozenset(ballot.chosen) for ballot in ballots]
        place = {answer: code for code, answer in enumerate(dict.fromkeys(answers))}
        label = np.array([place[answer] for answer in answers], np.int64)
        kept, count = settle_duplicates(item, annotator, policy, describe, label=label)
        if kept is not None:
            self.drop(dropped_as(policy), count)
            return [ballot for ballot, keep in zip(ballots, kept.tolist(), strict=True) if keep]
        if count:
            self.note(kept_note(count, question.name))
        return ballots

    def _votes(self, asked: list[Question], items: list[str]) -> dict[str, Votes]:
        alone = len(asked) == 1
        answers: dict[str, Votes] = {}
        fitting = 0
        for question in asked:
            given = self.options.get("classes")
            if fits := given is not None and question.labels.issubset(given):
                fitting += 1
            elif given is not None and alone:
                unknown = in_order(question.labels.difference(given))
                raise VotewiseError(
                    f"labels that are not among the given classes: {listing(unknown)}",
                    remedy=not_classes(unknown, given),
                )
            classes = tuple(given if fits and given else question.classes or in_order(question.labels))
            self._check(question, classes)
            if not fits and not question.classes:
                count = Counter(label for ballot in question.ballots for label in ballot.chosen)
                self._doubts += doubts(
                    {label: count[label] for label in classes},
                    None if alone else question.name,
                    mapping=self.options.get("map"),
                )
            if question.several:
                for label in classes:
                    votes = [(ballot, str(int(label in ballot.chosen))) for ballot in question.ballots]
                    name = label if alone else f"{question.name}:{label}"
                    if name in answers:
                        raise VotewiseError(f"two questions are called {quoted(name)}", remedy="rename one of them")
                    answers[name] = _votes_on(votes, items, ("0", "1"), ordered=False)
            elif len(classes) < 2 and not alone:
                self.drop(
                    f"an answer to {quoted(question.name)}: all answers are the same, so it looks like an input and not like a question",
                    len(question.ballots),
                )
            else:
                ordinal = self.options.get("ordinal")
                ordered = question.ordered if ordinal is None else ordinal
                votes = [(ballot, ballot.chosen[0]) for ballot in question.ballots]
                answers[question.name] = _votes_on(votes, items, classes, ordered=ordered)
        if self.options.get("classes") is not None and asked and not fitting:
            raise VotewiseError(
                f"classes= does not fit any of the questions {listing(question.name for question in asked)}",
                remedy="name all classes of one of them with classes= (--classes)",
            )
        return answers

    def _check(self, question: Question, classes: tuple[str, ...]) -> None:
        if unknown := {label for ballot in question.ballots for label in ballot.chosen}.difference(classes):
            wrong = next(ballot for ballot in question.ballots if unknown.intersection(ballot.chosen))
            raise self.source.error(
                f"{wrong.place}: {listing(label for label in wrong.chosen if label in unknown)} "
                f"is not a class of {quoted(question.name)}",
                f"the classes are {listing(classes)}; correct the record, or name all with classes= (--classes)",
            )
        if not question.classes and len(question.labels) > max(20, len(question.ballots) // 2):
            self.note(
                f"{quoted(question.name)} has {len(classes):,} classes for {len(question.ballots):,} votes and may be free text"
            )
        if not question.classes and question.ordered and self.options.get("classes") is None:
            self.note(
                f"{quoted(question.name)} is read as a scale with only the points that occur; if there are more, name all points with classes= (--classes)"
            )


def _votes_on(votes: list[tuple[Ballot, str]], items: list[str], classes: tuple[str, ...], *, ordered: bool) -> Votes:
    """Votes on all `items`, in their order, so that the questions of a file are aligned."""
    annotators = in_order({ballot.annotator for ballot, _ in votes if ballot.annotator is not None})
    return Votes.from_codes(
        locate_ids([ballot.item for ballot, _ in votes], items),
        locate_ids([label for _, label in votes], classes),
        locate_ids([ballot.annotator for ballot, _ in votes], annotators) if annotators else None,
        items=items,
        classes=classes,
        annotators=annotators,
        scale=Scale.ordinal(classes) if ordered else NOMINAL,
    )
