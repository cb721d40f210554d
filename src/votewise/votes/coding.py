"""Names to codes: the distinct values of a column in canonical order, and the position of each row's value among them.

The canonical order is numeric if every name is a plain number, or the same text around a whole number (img_2.png before
img_10.png); otherwise it is by code point. It depends only on the names, not on the order of a file. Surrounding spaces are
ignored, and a blank name is a missing value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes.frame_columns import series_of, text_of
from votewise.wording import listing

if TYPE_CHECKING:
    import polars as pl

Codes = NDArray[np.int32]

_NUMBER = re.compile(r"(0|-?[1-9][0-9]*)|-?(0|[1-9][0-9]*)\.[0-9]+")  # '07', '+7' and '-0' are names, not numbers
_BLOCK = 1 << 16
_POWERS_OF_TEN = [10**places for places in range(1, 19)]


def in_order(names: Iterable[str]) -> list[str]:
    """Names in canonical order.

    >>> in_order(["10", "9", "-1"]), in_order(["10", "9", "x"]), in_order(["10", "9.5"])
    (['-1', '9', '10'], ['10', '9', 'x'], ['9.5', '10'])
    >>> in_order(["t10", "t9"]), in_order(["a10.png", "a9.png"]), in_order(["10", "7", "007"]), in_order(["v0.5", "v0.25"])
    (['t9', 't10'], ['a9.png', 'a10.png'], ['007', '7', '10'], ['v0.25', 'v0.5'])
    """
    names = list(names)
    if all(map(_NUMBER.fullmatch, names)):
        whole = not any("." in name or len(name) > 18 for name in names)
        return sorted(names, key=int) if whole else sorted(sorted(names), key=Decimal)
    return _by_number_inside(sorted(names))


def _by_number_inside(names: list[str]) -> list[str]:
    """Names sorted by the whole number in them, if all have the same prefix and suffix around it; otherwise unchanged."""
    if len(set(map(len, names))) == 1:  # names of equal length: the order of the text is the numeric order
        return names
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(names[0], names[-1], strict=False))
    prefix = "".join(letter for letter, _ in shared).rstrip("0123456789")
    suffix = names[0][len(prefix) :].lstrip("0123456789")
    if prefix[-1:] in (".", ",") and prefix[-2:-1].isdecimal():  # a fraction: 0.25 is less than 0.5
        return names
    around = re.escape(prefix), re.escape(suffix)
    if all(map(re.compile("(?:0|[1-9][0-9]*)".join(around)).fullmatch, names)):
        return sorted(names, key=len)  # without leading zeros, the longer number is the larger one
    if all(map(re.compile("[0-9]+".join(around)).fullmatch, names)):
        return sorted(names, key=lambda name: Decimal(name[len(prefix) : len(name) - len(suffix)]))
    return names


def codes(values: Any, missing: bool = False) -> tuple[Codes, list[str]]:
    """Codes [V] and the names they stand for, in canonical order; missing values are -1 if they are allowed.

    >>> codes(["b", " a", None, "b "], missing=True)
    (array([ 1,  0, -1,  1], dtype=int32), ['a', 'b'])
    """
    if isinstance(values, np.ndarray) and values.dtype == np.int32 and values.size:
        return _by_value(values)
    column = _column(values)
    present = column.is_not_null().to_numpy() if column.null_count() else None
    known = column if present is None else column.drop_nulls()
    code, names = np.empty(0, np.int32), list[str]()
    if len(known):
        code, names = _by_value(known.to_numpy()) if known.dtype.is_integer() else _trimmed(*_by_hash(known))
    if present is not None:
        every = np.full(len(column), -1, np.int32)
        every[present] = code
        code = every
    if not missing and code.size and code.min() < 0:
        raise VotewiseError(f"row {int(code.argmin())} has no value", remedy="fill it in or drop the row")
    return code, names


def names_in(values: Any) -> list[str | None]:
    """The name in each row, None if it is missing, as `codes` writes it: the number 1.0 is the name 1.

    >>> names_in([1.0, None])
    ['1', None]
    """
    code, names = codes(values, missing=True)
    return [names[place] if place >= 0 else None for place in code.tolist()]


def codes_for(values: Any, names: Sequence[str]) -> tuple[Codes, list[str]]:
    """Codes [V] into the given names; an unknown value is an error."""
    return among(*codes(values), names), list(names)


def among(code: Codes, found: Sequence[str], names: Sequence[str]) -> Codes:
    """Codes into `found` as codes into the given names of classes, which must contain all of them."""
    if unknown := set(found).difference(names):
        raise VotewiseError(
            f"labels that are not among the classes: {listing(in_order(unknown))}",
            remedy=f"the classes are {listing(names)}",
        )
    return renamed(code, found, names)


def renamed(code: Codes, names: Sequence[str], to: Sequence[str]) -> Codes:
    """Codes into `names` as codes into `to`, -1 for a name that `to` lacks."""
    place = {name: position for position, name in enumerate(to)}
    return np.array([*(place.get(name, -1) for name in names), -1], np.int32)[code]


def only_used(code: Codes, names: Sequence[str]) -> tuple[Codes, list[str]]:
    """The codes and names without the names that no code uses."""
    used = np.zeros(len(names) + 1, np.bool_)  # the last entry is for -1
    used[code] = True
    if used[:-1].all():
        return code, list(names)
    kept = in_order(names[place] for place in np.flatnonzero(used[:-1]).tolist())
    return renamed(code, names, kept), kept


def pack(columns: Sequence[NDArray[Any]], sizes: Sequence[int]) -> NDArray[Any]:
    """Rows of codes, each below its size, packed into one integer [V] that sorts like the rows; 32 bits wide if possible."""
    kind = np.uint32 if math.prod(sizes) <= 2**32 else np.uint64
    key = np.empty(len(columns[0]), kind)
    for part in _blocks(len(key)):
        packed: NDArray[Any] = columns[0][part].astype(kind)
        for column, size in zip(columns[1:], sizes[1:], strict=True):
            packed *= kind(size)
            packed += column[part].astype(kind)
        key[part] = packed
    return key


def sorted_rows(columns: Sequence[NDArray[Any]], sizes: Sequence[int]) -> list[NDArray[Any]]:
    """Columns of codes with their rows in lexicographic order.

    Sorting the packed rows and unpacking them is several times faster than `argsort`.
    """
    if math.prod(sizes) > 2**64:
        order = row_order(columns, sizes)
        return [column[order] for column in columns]
    key = pack(columns, sizes)
    key.sort()
    rows = [key, *(np.empty(len(key), np.min_scalar_type(max(size - 1, 0))) for size in sizes[1:])]
    for part in _blocks(len(key)):
        rest = key[part]
        for size, column in zip(reversed(sizes[1:]), reversed(rows[1:]), strict=True):
            above = rest // key.dtype.type(size)
            column[part] = rest - above * key.dtype.type(size)
            rest = above
        key[part] = rest
    return rows


def row_order(columns: Sequence[NDArray[Any]], sizes: Sequence[int]) -> NDArray[np.intp]:
    """The current position of each row of the sorted columns; equal rows keep their order."""
    return np.lexsort(columns[::-1]) if math.prod(sizes) > 2**64 else np.argsort(pack(columns, sizes), kind="stable")


def _blocks(count: int) -> Iterator[slice]:
    """Slices so short that intermediate results stay in the cache, because new memory costs more than the arithmetic."""
    return (slice(start, start + _BLOCK) for start in range(0, count, _BLOCK))


def _column(values: Any) -> pl.Series:
    """A column of any kind as integers or strings, with null for missing values. The number 1.0 becomes the name 1, as in JSON."""
    import polars as pl

    series = series_of(values)
    if series.dtype.is_float():
        series = series.fill_nan(None)
        whole = series.cast(pl.Int64, strict=False)
        same = (whole == series).fill_null(value=False)
        if (same | series.is_null()).all():
            return whole
        return series.cast(pl.String).zip_with(~same, whole.cast(pl.String))
    if series.dtype in (pl.Int8, pl.Int16, pl.UInt8, pl.UInt16, pl.UInt32):
        return series.cast(pl.Int64)
    if series.dtype in (pl.Int32, pl.Int64):
        return series
    text = text_of(series)
    whole = text.cast(pl.Int64, strict=False)  # coding integers is several times faster than coding texts
    if whole.null_count() > text.null_count():
        return text
    shortest = text.str.len_bytes().cast(pl.Int64).sum() == plain_length(whole.drop_nulls().to_numpy())
    return whole if shortest else text  # '07' and '+7' are names; they are longer than '7', which is a number


def plain_length(value: NDArray[Any]) -> int:
    """The number of digits and minus signs in integers [V], written plainly."""
    lowest, highest = int(value.min(initial=0)), int(value.max(initial=0))
    above = (value >= bound for bound in _POWERS_OF_TEN if bound <= highest)
    below = (value <= -bound for bound in _POWERS_OF_TEN if -bound >= lowest)
    return len(value) + sum(int(np.count_nonzero(mask)) for mask in chain([value < 0], above, below))


def _by_value(value: NDArray[Any]) -> tuple[Codes, list[str]]:
    """Codes of integers: by a look-up table if their range is not much longer than the column."""
    import polars as pl

    low, high = int(value.min()), int(value.max())
    if high - low > 4 * len(value):
        distinct = np.unique(value)
        return _places(pl.Series(value), pl.Series(distinct)), [str(name) for name in distinct.tolist()]
    if low:
        value = value - low
    occurs = np.zeros(high - low + 1, np.bool_)
    for part in _blocks(len(value)):
        occurs[value[part].astype(np.intp)] = True
    names = [str(name) for name in (np.flatnonzero(occurs) + low).tolist()]
    if len(names) == len(occurs):
        return value.astype(np.int32, copy=False), names
    return (np.cumsum(occurs, dtype=np.int32) - 1)[value], names


def _by_hash(column: pl.Series) -> tuple[Codes, list[str]]:
    """Codes of strings: by 64-bit hashes, which are faster to compare; the strings are then checked for collisions."""
    import polars as pl

    mark = column.hash()
    table = pl.Series(in_order(column.gather(mark.arg_unique()).to_list()), dtype=pl.String)
    code = _places(mark, table.hash())
    for part in _blocks(len(column)):
        if (table.gather(code[part]) != column[part]).any():  # two strings have the same hash
            table = pl.Series(in_order(column.unique().to_list()), dtype=pl.String)
            code = _places(column, table)
            break
    return code, table.to_list()


def _places(column: pl.Series, table: pl.Series) -> Codes:
    """Position of each value of the column in the table."""
    import polars as pl

    place = pl.int_range(len(table), dtype=pl.Int32, eager=True)
    return column.replace_strict(table, place, return_dtype=pl.Int32).to_numpy()


def _trimmed(code: Codes, names: list[str]) -> tuple[Codes, list[str]]:
    """Codes and names without surrounding spaces and without blank names."""
    clean = [name.strip() for name in names]
    if clean == names and "" not in names:
        return code, names
    kept = in_order(set(clean) - {""})
    return renamed(code, clean, kept), kept
