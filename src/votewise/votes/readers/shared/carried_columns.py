"""Additional columns about each vote that are carried along: time, confidence, text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import I64
from votewise.read_options import TableOptions
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table, as_numbers
from votewise.wording import listing

if TYPE_CHECKING:
    import polars as pl


def chosen(table: Table, options: TableOptions, column: Mapping[str, str]) -> list[str]:
    """The columns to carry along: the given ones, or those about the vote itself. `column` maps each role to its column."""
    if (given := options.get("carry")) is None:
        return [name for name in column_roles.carried(table.columns) if name not in column.values()]
    if absent := [name for name in given if name not in table.columns]:
        what = f"unknown column {listing(absent)} for carry= (--carry)"
        raise table.error(what, f"the columns are {listing(table.columns, 20)}")
    if taken := [name for name in given if name in column.values()]:
        raise table.error(f"column {listing(taken)} is already in use", "leave it out of carry= (--carry)")
    return list(dict.fromkeys(given))


def values(columns: Mapping[str, pl.Series], options: TableOptions, row: I64 | None) -> dict[str, NDArray[Any]]:
    """The columns that can be carried, each [V]: as numbers (NaN if blank), or as text if named in `carry`.

    Args:
        columns: the columns as they are in the table.
        options: `carry` names those that may hold text, `missing` the values that mean missing.
        row: table row of each vote [V]. Default: all rows.
    """
    import polars as pl

    given, missing = options.get("carry") or (), [str(value) for value in options.get("missing") or ()]
    found = dict[str, NDArray[Any]]()
    for name, column in columns.items():
        cells = column if row is None else column.gather(row)
        if missing:
            cells = cells.cast(pl.String).replace(missing, [None] * len(missing))
        number, lost = as_numbers(cells)
        if not lost.any():
            found[name] = number
        elif name in given:
            found[name] = np.array(cells.cast(pl.String).fill_null("").to_list(), dtype=np.dtypes.StringDType())
    return found
