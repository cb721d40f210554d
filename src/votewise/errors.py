"""The one exception root: what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["RunFailedError", "VotewiseError", "listing"]


class VotewiseError(Exception):
    """Bad input, told in one sentence.

    `what` says what is wrong, `where` names the file, row or column it was found in, `remedy` says what to do.

    >>> print(VotewiseError("column 'label' is missing", where="votes.csv", remedy="name it with --label"))
    votes.csv: column 'label' is missing; name it with --label
    """

    def __init__(self, what: str, *, where: object = None, remedy: str | None = None) -> None:
        self.what = what
        self.where = None if where is None else str(where)
        self.remedy = remedy
        super().__init__(what)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{place}{self.what}{remedy}"


class RunFailedError(Exception):
    """A run that went wrong on its own: the input was fine, the numbers were not."""


def listing(names: Iterable[object], limit: int = 5) -> str:
    """The first few of many names, for use inside a sentence.

    >>> listing(["a", "b"])
    "'a', 'b'"
    >>> listing(range(9), limit=3)
    '0, 1, 2 and 6 more'
    """
    every = list(names)
    shown = ", ".join(repr(name) for name in every[:limit])
    return shown if len(every) <= limit else f"{shown} and {len(every) - limit} more"
