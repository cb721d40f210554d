"""Names to codes: the distinct values of a column in canonical order, and where each row's value stands among them.

Canonical order is by value where every name is a whole number, else by code point, so that it does not depend on the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError, listing

if TYPE_CHECKING:
    import polars as pl

I64 = NDArray[np.int64]


def as_strings(values: Any) -> pl.Series:
    """A column of any kind as polars strings; floats that are whole lose their '.0', so that 1.0 and 1 are one name."""
    import polars as pl

    series = values if isinstance(values, pl.Series) else pl.Series(values, strict=False)
    if series.dtype.is_float() and (series.is_null() | series.is_nan() | (series == series.round())).all():
        series = series.fill_nan(None).cast(pl.Int64)
    return series.cast(pl.String)


def in_order(names: Iterable[str]) -> list[str]:
    """Names in canonical order.

    >>> in_order(["10", "9", "-1"]), in_order(["10", "9", "x"])
    (['-1', '9', '10'], ['10', '9', 'x'])
    """
    names = list(names)
    if all(
        name.removeprefix("-").isascii() and name.removeprefix("-").isdigit() and str(int(name)) == name
        for name in names
    ):
        return sorted(names, key=int)
    return sorted(names)


def codes(values: Any, missing: bool = False) -> tuple[I64, list[str]]:
    """Codes [V] and the names they stand for, in canonical order; a missing value is -1 where that is allowed."""
    series = as_strings(values)
    if not missing and (empty := series.is_null()).any():
        raise VotewiseError(f"row {empty.arg_max()} has no value", remedy="fill it in or drop the row")
    names = in_order(series.drop_nulls().unique().to_list())
    return _look_up(series, names), names


def codes_for(values: Any, names: Sequence[str]) -> tuple[I64, list[str]]:
    """Codes [V] into the given names; a value that is none of them is an error."""
    series = as_strings(values)
    code = _look_up(series, names)
    if (code < 0).any():
        unknown = series.filter(code < 0).unique().to_list()
        raise VotewiseError(
            f"labels that are none of the classes: {listing(unknown)}", remedy=f"the classes are {listing(names)}"
        )
    return code, list(names)


def _look_up(series: pl.Series, names: Sequence[str]) -> I64:
    import polars as pl

    table = pl.Series(list(names), dtype=pl.String)
    place = pl.Series(range(len(names)), dtype=pl.Int64)
    return series.replace_strict(table, place, default=-1, return_dtype=pl.Int64).to_numpy()
