"""The time of each vote: numbers, dates or times in a column of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from votewise.arrays import F64, I64
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table, as_numbers, shown

if TYPE_CHECKING:
    import polars as pl

_REMEDY = "write times as numbers, or as 2026-01-31 or 2026-01-31T12:30:00"


def time_columns(table: Table) -> list[str]:
    """The columns that seem to say when a vote was cast: by their names first, then by the dates in them."""
    named = column_roles.times(table.columns)
    return [*named, *(name for name, cells in table.sample.items() if name not in named and _dates(cells))]


def _dates(cells: Sequence[object]) -> bool:
    """Whether all cells that are not blank are dates like 2026-01-31."""
    texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
    return bool(texts) and all(re.match(r"\d{4}-\d\d-\d\d", text) and _iso(text) == _iso(text) for text in texts)


def seconds(table: Table, column: pl.Series, row: I64 | None) -> F64:
    """The time of each vote [V] as a number for sorting; `row` has the table row of each vote.

    Raises:
        VotewiseError: a vote has no time, or its time cannot be parsed.
    """
    import polars as pl

    cells = column if row is None else column.gather(row)
    if cells.dtype.is_temporal():
        number = cells.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()
    else:
        number, lost = as_numbers(cells)
        if lost.any():
            text = cells.cast(pl.String)
            known = {cell: _iso(cell) for cell in text.unique().drop_nulls().to_list()}
            number = np.array([known.get(cell, np.nan) for cell in text.to_list()])
    table.refuse(np.isnan(number), lambda at: f": the time is {shown(cells[at])}", _REMEDY, row)
    return number


def _iso(cell: str) -> float:
    """Seconds since 1970 of an ISO 8601 date or time, in UTC if it has no time zone; NaN if it cannot be parsed."""
    try:
        moment = datetime.fromisoformat(cell.strip())
    except ValueError:
        return np.nan
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
