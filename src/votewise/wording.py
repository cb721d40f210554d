"""Values, lists and counts for use inside a sentence."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

_LONGEST = 60  # characters of a quoted value
_LISTED = 240  # characters of a list of them


def quoted(value: object) -> str:
    """The repr of a value; the middle of a long one is cut out.

    >>> quoted("cat"), quoted(7), quoted("a" + 200 * "-" + "z")
    ("'cat'", '7', "'a--------------------------...---------------------------z'")
    """
    text = _QUOTES.repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2 - 2]}...{text[1 - _LONGEST // 2 :]}"


_QUOTES = reprlib.Repr()
_QUOTES.maxstring = _QUOTES.maxother = _LONGEST


def listing(names: Iterable[object], limit: int = 5) -> str:
    """The first few of many names.

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
    """A count with its noun in the singular or plural.

    >>> counted(1, "vote"), counted(2000, "vote"), counted(0, "class")
    ('1 vote', '2,000 votes', '0 classes')
    """
    ending = "" if count == 1 else "es" if thing.endswith("s") else "s"
    return f"{count:,} {thing}{ending}"
