"""Values, lists, counts, durations and sizes for use inside a sentence."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable

_LONGEST = 60  # characters of a quoted value
_REASON = 200  # characters of a message from another library
_LISTED = 240  # characters of a list of quoted values


def quoted(value: object) -> str:
    """The repr of a value on one line; the middle of a long one is cut out.

    >>> quoted("cat"), quoted(7), quoted("a" + 200 * "-" + "z")
    ("'cat'", '7', "'a--------------------------...---------------------------z'")
    """
    text = re.sub(r"\s*\n\s*", " ", _QUOTES.repr(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2 - 2]}...{text[1 - _LONGEST // 2 :]}"


_QUOTES = reprlib.Repr()
_QUOTES.maxstring = _QUOTES.maxother = _LONGEST


def listing(names: Iterable[object], limit: int = 5) -> str:
    """The first few of a list of names.

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


def reason(error: BaseException) -> str:
    r"""The message of an exception from another library, for use in parentheses: its first line, shortened if it is long.

    >>> reason(ValueError("bad\n  at line 7")), len(reason(ValueError("x" * 4000)))
    ('bad', 200)
    """
    text = str(error).strip().partition("\n")[0] or type(error).__name__
    return text if len(text) <= _REASON else f"{text[: _REASON // 2 - 3]}...{text[-_REASON // 2 :]}"


def shown(text: str) -> str:
    r"""Text for a page, with invisible control characters and direction marks replaced.

    >>> shown("a\u202eb\x1b[31m") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[31m"
    True
    """
    return _ACTING.sub("\N{REPLACEMENT CHARACTER}", text)


_ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def counted(count: int, thing: str) -> str:
    """A count with its noun in the singular or plural.

    >>> counted(1, "vote"), counted(2000, "vote"), counted(0, "class")
    ('1 vote', '2,000 votes', '0 classes')
    """
    ending = "" if count == 1 else "es" if thing.endswith("s") else "s"
    return f"{count:,} {thing}{ending}"


def duration(seconds: float) -> str:
    """A length of time in words.

    >>> duration(42), duration(200), duration(9000), duration(200_000)
    ('42 s', '3 min 20 s', '2 h 30 min', '2 d 7 h')
    """
    whole = round(seconds)
    for large, small, length, part in (("d", "h", 86400, 3600), ("h", "min", 3600, 60), ("min", "s", 60, 1)):
        if whole >= length:
            return f"{whole // length} {large} {whole % length // part} {small}"
    return f"{whole} s"


def file_size(count: float) -> str:
    """A number of bytes in words.

    >>> file_size(900), file_size(12_345_678)
    ('1 kB', '12 MB')
    """
    scale, unit = next(((s, u) for s, u in ((1e9, "GB"), (1e6, "MB")) if count >= s), (1e3, "kB"))
    return f"{max(count / scale, 1):.0f} {unit}"
