"""The one exception root: what is wrong, where, and what to do about it."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

__all__ = ["RunFailedError", "VotewiseError", "counted", "listing", "locating", "quoted"]

_LONGEST = 60  # characters of what a file holds, inside a sentence
_LISTED = 240  # and of a list of such things


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


def quoted(value: object) -> str:
    """A value as it is written, the middle cut out where it is long: for use inside a sentence.

    >>> quoted("cat"), quoted(7), quoted("a" + 200 * "-" + "z")
    ("'cat'", '7', "'a--------------------------...---------------------------z'")
    """
    text = _QUOTES.repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2 - 2]}...{text[1 - _LONGEST // 2 :]}"


_QUOTES = reprlib.Repr()
_QUOTES.maxstring = _QUOTES.maxother = _LONGEST


def listing(names: Iterable[object], limit: int = 5) -> str:
    """The first few of many names, for use inside a sentence.

    >>> listing(["a", "b"])
    "'a', 'b'"
    >>> listing(range(9), limit=3)
    '0, 1, 2 and 6 more'
    """
    every = list(names)
    shown = [quoted(name) for name in every[:limit]]
    while len(shown) > 1 and sum(map(len, shown)) > _LISTED:
        shown.pop()
    more = f" and {len(every) - len(shown)} more" if len(shown) < len(every) else ""
    return ", ".join(shown) + more


def counted(count: int, thing: str) -> str:
    """So many things, in the right number.

    >>> counted(1, "vote"), counted(2000, "vote"), counted(0, "class")
    ('1 vote', '2,000 votes', '0 classes')
    """
    ending = "" if count == 1 else "es" if thing.endswith("s") else "s"
    return f"{count:,} {thing}{ending}"


@contextmanager
def locating(where: object) -> Iterator[None]:
    """Name a place in the errors raised inside that name none.

    >>> with locating("votes.csv"):
    ...     raise VotewiseError("column 'label' is missing")
    Traceback (most recent call last):
    votewise.errors.VotewiseError: votes.csv: column 'label' is missing
    """
    try:
        yield
    except VotewiseError as error:
        if error.where is None:
            error.where = str(where)
        raise
