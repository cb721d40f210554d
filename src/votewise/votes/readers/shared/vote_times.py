"""The time of each vote: numbers, dates or times in a column of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from votewise.arrays import F64, I64
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table, as_numbers, shown
from votewise.wording import quoted

if TYPE_CHECKING:
    import polars as pl

_REMEDY = "write times as numbers, or as 2026-01-31 or 2026-01-31T12:30:00"


def time_columns(table: Table, column: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The columns that seem to say when a vote was cast: those that can be read as times, and the others.

    They are recognised by their names first, then by the dates in them. Only rows with a label count.

    Args:
        table: the table.
        column: role -> column, for the columns that are already in use.
    """
    import polars as pl

    named = column_roles.times(table.columns)
    seem = [*named, *(name for name, cells in table.sample.items() if name not in named and _dates(cells))]
    if not (seem := [name for name in seem if name not in column.values()]):
        return [], []
    label = pl.col(column["label"]).cast(pl.String).str.strip_chars()
    rows = table.load([*seem, column["label"]]).filter(label != "")
    readable = [name for name in seem if not np.isnan(_numbers(rows[name])).any()]
    return readable, [name for name in seem if name not in readable]


def not_readable(name: str) -> str:
    """What to do about a column that seems to be a time but cannot be read as one."""
    how = "every value must be a number or written as 2026-01-31T12:30:00"
    return f"column {quoted(name)} looks like a time, but to order votes by it, {how}"


def _dates(cells: Sequence[object]) -> bool:
    """Whether all cells that are not blank are dates like 2026-01-31."""
    texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
    return bool(texts) and all(re.match(r"\d{4}-\d\d-\d\d", text) and _iso(text) == _iso(text) for text in texts)


def seconds(table: Table, column: pl.Series, row: I64 | None) -> F64:
    """The time of each vote [V] as a number for sorting; `row` has the table row of each vote.

    Raises:
        VotewiseError: a vote has no time, or its time cannot be parsed.
    """
    cells = column if row is None else column.gather(row)
    number = _numbers(cells)
    table.refuse(np.isnan(number), lambda at: f": the time is {shown(cells[at])}", _REMEDY, row)
    return number


def _numbers(cells: pl.Series) -> F64:
    """Times as numbers; NaN if blank, or if they cannot be parsed."""
    import polars as pl

    if cells.dtype.is_temporal():
        return cells.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()
    number, lost = as_numbers(cells)
    if not lost.any():
        return number
    text = cells.cast(pl.String)
    known = {cell: _iso(cell) for cell in text.unique().drop_nulls().to_list()}
    return np.array([known.get(cell, np.nan) for cell in text.to_list()])


def _iso(cell: str) -> float:
    """Seconds since 1970 of an ISO 8601 date or time, in UTC if it has no time zone; NaN if it cannot be parsed."""
    try:
        moment = datetime.fromisoformat(cell.strip())
    except ValueError:
        return np.nan
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
