"""Mutations of bytes, JSON values and table rows that keep the structure, so that files pass the first check of a reader."""

from __future__ import annotations

import struct
from typing import Any

from fuzz.draws import Draws

CELLS = (
    "", " ", "x", "cat", "CAT", "-1", "0", "1", "2.5", "1e400", "1e30", "nan", "inf", "-inf", "null", "None", "NA", "true", "é", "\U0001f600", "9" * 30, "0x10",
    "1,5", "1_000", '"', "'", "=1+1", "a;b", "a\tb", "\x1b[31m", "\u202e", "\u0000", "a" * 300, "١", "2024-01-01T00:00:00", "4294967296", "9223372036854775808",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 2.5, 1e300, float("nan"), float("inf"), 2**31, 2**63, 10**30, "", " ", "x", "cat", "1", "9" * 40, "\ud800", "\x1b[31m",
    [], {}, [None], ["a", "a"], [[]], [{}], [1, "b"], {"a": None}, {"": ""}, {"value": {}}, {"id": [1]}, [0, 0, 0],
)  # fmt: skip
_BYTES = (
    b"",
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\n",
    b"\r",
    b'"',
    b",",
    b"\t",
    b"{",
    b"]",
    b"\xef\xbb\xbf",
    b"\x1b[0m",
    b"[" * 3000,
    b'{"a":' * 3000,
)


def damaged_bytes(draws: Draws, data: bytes, most: int = 3) -> bytes:
    """Bits flipped, numbers overwritten, parts cut, doubled or moved: one to `most` times."""
    content = bytearray(data)
    for _ in range(draws.between(1, most)):
        size = len(content)
        if not size:
            return bytes(content)
        place = draws.below(size)
        match draws.below(8):
            case 0 | 1:
                content[place] ^= 1 << draws.below(8)
            case 2:
                content[place] = draws.below(256)
            case 3:
                number = draws.pick((0, 1, -1, 2**15, 2**31 - 1, -(2**31), 10**6))
                content[place : place + 4] = struct.pack("<i", number)
            case 4:
                content[place : place + 8] = struct.pack("<q", draws.pick((0, -1, 2**31, 2**40, 2**62, -(2**63))))
            case 5:
                del content[place : place + draws.between(1, 1 + size // 4)]
            case 6:
                part = content[place : place + draws.between(1, 40)]
                other = draws.below(size)
                content[other:other] = part
            case 7:
                content[place:place] = draws.pick(_BYTES)
    if draws.chance(0.1):
        del content[draws.below(len(content) + 1) :]
    return bytes(content)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inside for place in places(one, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], junk: Any, how: str) -> Any:
    """A JSON value with the value at `path` replaced ("replace"), removed ("drop"), or under another key ("rename")."""
    if not path:
        return junk
    key, *rest = path
    copy = value.copy()
    if rest:
        copy[key] = replaced(value[key], tuple(rest), junk, how)
    elif how == "drop":
        del copy[key]
    elif how == "rename" and isinstance(copy, dict):
        copy[str(junk)] = copy.pop(key)
    else:
        copy[key] = junk
    return copy


def damaged_value(draws: Draws, value: Any, most: int = 3) -> Any:
    """Values inside a JSON value dropped, renamed, replaced by others or by another part of it: one to `most` times."""
    for _ in range(draws.between(1, most)):
        every = places(value)[1:]
        if not every:
            return value
        junk = draws.pick(VALUES)
        if draws.chance(0.3):
            junk = value
            for key in draws.pick(every):
                junk = junk[key]
        elif draws.chance(0.03):
            for _ in range(draws.pick((50, 200))):
                junk = [junk]
        value = replaced(value, draws.pick(every), junk, draws.pick(("drop", "rename", "replace", "replace")))
    return value


def damaged_rows(draws: Draws, rows: list[list[str]], most: int = 4) -> list[list[str]]:
    """Cells of a table replaced, exchanged or removed, rows and columns doubled, moved or dropped: one to `most` times."""
    rows = [list(row) for row in rows]
    for _ in range(draws.between(1, most)):
        row = draws.pick(rows) if rows else []
        if not row:
            return rows
        column = draws.below(len(row))
        match draws.below(9):
            case 0 | 1 | 2:
                row[column] = draws.pick(CELLS)
            case 3:
                other = draws.pick(rows)
                row[column] = draws.pick(other) if other else ""
            case 4:
                del row[column]
            case 5:
                rows.insert(draws.below(len(rows) + 1), list(row))
            case 6:
                rows.remove(row)
            case 7:
                rows = [[cell for place, cell in enumerate(one) if place != column] for one in rows]
            case 8:
                rows = [[*one, draws.pick(CELLS) if number else f"more{column}"] for number, one in enumerate(rows)]
    return rows
