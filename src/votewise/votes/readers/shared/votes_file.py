"""The votes in a file, and the report of how the file was read."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from votewise.errors import VotewiseError
from votewise.votes.distributions import Distributions
from votewise.votes.votes import Votes
from votewise.wording import counted, listing, quoted


class DroppedVotes(UserWarning):
    """Warning: something was left out. The message lists what, and why."""


class DoubtfulClasses(UserWarning):
    """Warning: a class looks like a typo or a missing value, two annotators look alike, or counts look like percentages. All are kept."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReadReport:
    """How a file was read: its format, why that format, and what was dropped.

    Attributes:
        path: the file.
        format: name of the format.
        why: why the file was read in this format. `inspect_votes` sets these three; a reader sets the others.
        rows: number of rows or records in the file.
        dropped: reason -> number of things left out; nothing is left out without an entry.
        notes: further notes on how the file was read.
        doubts: names that were kept but look like mistakes.
        unread: columns of a table that were not read.
    """

    path: str = ""
    format: str = ""
    why: str = ""
    rows: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def __repr__(self) -> str:
        kept = f"{sum(self.dropped.values()):,} dropped, {counted(len(self.doubts), 'doubt')}"
        return f"ReadReport({self.path!r}, {self.format}, {counted(self.rows, 'row')}, {kept})"

    def __str__(self) -> str:
        return self._text([*self.doubts, *self.notes])

    def _text(self, further: Sequence[str]) -> str:
        lines = [f"{self.path}: read as {self.format} ({self.why}), {counted(self.rows, 'row')}"]
        lines += [f"dropped {count:,}: {reason}" for reason, count in self.dropped.items()]
        return "\n  ".join([*lines, *further])

    def also_read(self, names: Sequence[str]) -> ReadReport:
        """The report if these columns were read too, for example as the text of the items."""
        rest = tuple(name for name in self.unread if name not in names)
        notes = [note for note in self.notes if note not in unread_note(self.unread)]
        return replace(self, notes=(*notes, *unread_note(rest)), unread=rest)

    def warn(self) -> None:
        """Warn of what was dropped and of names that look like mistakes, at the line outside of votewise that reads the file."""
        stacklevel, frame = 2, sys._getframe(1)
        while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("votewise."):
            stacklevel, frame = stacklevel + 1, frame.f_back
        if self.dropped:
            warnings.warn(self._text(self.notes), DroppedVotes, stacklevel=stacklevel)
        if self.doubts:
            warnings.warn("\n  ".join([f"{self.path}:", *self.doubts]), DoubtfulClasses, stacklevel=stacklevel)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            **asdict(self),
            "dropped": dict(self.dropped),
            "notes": list(self.notes),
            "doubts": list(self.doubts),
            "unread": list(self.unread),
        }


def unread_note(columns: Sequence[str]) -> list[str]:
    """A note on columns that were not read; none if all were."""
    return [f"columns not read: {listing(columns, 20)}"] if columns else []


@dataclass(frozen=True, slots=True, repr=False)
class VotesFile:
    """The votes in a file and the report of how it was read.

    Attributes:
        questions: name of a question -> its votes. Most files have one question; a multi-label file has one per label.
        report: what was detected, dropped and noted.

    Example:
        >>> file = VotesFile({"tone": Votes.from_counts([[2, 1]])}, ReadReport(path="votes.csv", format="long-table"))
        >>> file.votes("tone")
        Votes(3 votes on 1 item, 2 classes)
    """

    questions: Mapping[str, Votes | Distributions]
    report: ReadReport

    def __repr__(self) -> str:
        votes = ", ".join(f"{name}: {answers!r}" for name, answers in list(self.questions.items())[:3])
        more = f" and {len(self.questions) - 3} more" if len(self.questions) > 3 else ""
        return f"VotesFile({votes}{more})"

    def votes(self, question: str | None = None) -> Votes | Distributions:
        """The votes on one question.

        Args:
            question: name of the question; not needed if the file has only one.

        Raises:
            VotewiseError: the question is unknown, or not given and the file has several.
        """
        if question is None and len(self.questions) == 1:
            return next(iter(self.questions.values()))
        if question is None:
            raise VotewiseError(
                f"the file has {len(self.questions)} questions: {listing(self.questions)}",
                where=self.report.path,
                remedy="choose one with question= (--question)",
            )
        if question not in self.questions:
            raise VotewiseError(
                f"unknown question {quoted(question)}",
                where=self.report.path,
                remedy=f"choose one of {listing(self.questions)}",
            )
        return self.questions[question]
