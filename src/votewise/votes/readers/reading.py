"""What a reader gives back: the answers to each question in the file, and a report of what it kept, dropped and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from votewise.errors import VotewiseError
from votewise.votes.distributions import Distributions
from votewise.votes.scale import NOMINAL, Scale, ordinal
from votewise.votes.votes import Votes
from votewise.wording import counted, listing, quoted

Duplicates = Literal["error", "keep", "last"]


class DroppedVotes(UserWarning):
    """Something in the file was left out; the message is the report that says what and why."""


class DoubtfulClasses(UserWarning):
    """A class that was found in the file looks like a mistake: a typo of another, or a missing value. It was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a person may say about a file. None of it is needed where the format or the usual names say it already."""

    item: str | None = None
    label: str | None = None
    annotator: str | None = None
    weight: str | None = None
    classes: Sequence[str] | None = None
    ordinal: bool | None = None
    duplicates: Duplicates | None = None

    def __post_init__(self) -> None:
        if self.duplicates not in (None, *get_args(Duplicates)):
            raise VotewiseError(
                f"unknown policy {self.duplicates!r} for duplicates", remedy="use 'error', 'keep' or 'last'"
            )

    def scale(self, classes: Sequence[str]) -> Scale:
        """The scale of classes that were found in a file; names whose order nobody said are in none."""
        if not self.ordinal:
            return NOMINAL
        if self.classes is None and not all(re.fullmatch(r"[-+]?[0-9]*\.?[0-9]+", name) for name in classes):
            raise VotewiseError(
                f"the order of {listing(classes)} is not known",
                remedy="name the classes in their order with classes= (--classes)",
            )
        return ordinal(classes)


@dataclass(frozen=True, slots=True)
class Report:
    """How a file was read. `dropped` counts what was left out by reason; nothing is left out without an entry here.

    `doubts` are about what was kept and looks like a mistake; `notes` say what else a person should know.
    """

    path: str
    format: str
    why: str
    rows: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.path}: read as {self.format} ({self.why}), {counted(self.rows, 'row')}"]
        lines += [f"dropped {count:,}: {reason}" for reason, count in self.dropped.items()]
        return "\n  ".join([*lines, *self.doubts, *self.notes])

    def as_dict(self) -> dict[str, Any]:
        """The same for machines."""
        return {**asdict(self), "dropped": dict(self.dropped), "notes": list(self.notes), "doubts": list(self.doubts)}


@dataclass(frozen=True, slots=True)
class Reading:
    """The answers to each question of a file. Most files ask one question; a multi-label one asks one per label."""

    questions: Mapping[str, Votes | Distributions]
    report: Report

    def question(self, name: str | None = None) -> Votes | Distributions:
        """The answers to one question; the name may be left out where there is only one."""
        if name is None and len(self.questions) == 1:
            return next(iter(self.questions.values()))
        if name is None:
            raise VotewiseError(
                f"the file asks {len(self.questions)} questions: {listing(self.questions)}",
                where=self.report.path,
                remedy="choose one with question= (--question)",
            )
        if name not in self.questions:
            raise VotewiseError(
                f"there is no question {quoted(name)}",
                where=self.report.path,
                remedy=f"choose one of {listing(self.questions)}",
            )
        return self.questions[name]
