"""What a reader gives back: the answers to each question in the file, and a report of what it kept, dropped and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from votewise.errors import VotewiseError, listing
from votewise.votes.distributions import Distributions
from votewise.votes.votes import Votes

Duplicates = Literal["error", "keep", "last"]


class DroppedVotes(UserWarning):
    """Something in the file was left out; the message is the report that says what and why."""


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


@dataclass(frozen=True, slots=True)
class Report:
    """How a file was read. `dropped` counts what was left out by reason; nothing is left out without an entry here."""

    path: str
    format: str
    why: str
    rows: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"{self.path}: read as {self.format} ({self.why}), {self.rows:,} rows"]
        lines += [f"dropped {count:,}: {reason}" for reason, count in self.dropped.items()]
        return "\n  ".join([*lines, *self.notes])

    def as_dict(self) -> dict[str, Any]:
        """The same for machines."""
        return {**asdict(self), "dropped": dict(self.dropped), "notes": list(self.notes)}


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
                remedy="choose one with question= or --question",
            )
        if name not in self.questions:
            raise VotewiseError(
                f"there is no question {name!r}",
                where=self.report.path,
                remedy=f"choose one of {listing(self.questions)}",
            )
        return self.questions[name]
