"""A table of columns of equal length, for display and for files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.cards.frame import style, table
from votewise.cards.markup import Markup, element
from votewise.errors import VotewiseError
from votewise.files import format_of, write_atomic
from votewise.frozen import FrozenMapping
from votewise.wording import counted, listing

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

FORMATS = (".csv", ".tsv", ".parquet", ".json")
_SHOWN = 20


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """Columns by name, each with one value per row: `rows["votes"]`, `rows[:10]`, `rows.to_polars()`, `rows.write("rows.csv")`.

    >>> rows = Rows({"item": ["a", "b"], "votes": [3, 2]})
    >>> rows, rows["votes"], len(rows[:1])
    (Rows(2 rows: item, votes), [3, 2], 1)
    """

    columns: Mapping[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", FrozenMapping(self.columns))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, which: Any) -> Any:
        """A column by its name, or some of the rows by a slice."""
        if isinstance(which, slice):
            return Rows({name: column[which] for name, column in self.columns.items()})
        if which not in self.columns:
            raise VotewiseError(f"unknown column {which!r}", remedy=f"choose one of {listing(self.columns, 40)}")
        return self.columns[which]

    def __repr__(self) -> str:
        return f"Rows({counted(len(self), 'row')}: {listing(self.columns, 12)})".replace("'", "")

    def __str__(self) -> str:
        return str(self.to_polars())

    def _repr_html_(self) -> str:
        more = len(self) - _SHOWN
        note = element("p", f"… and {more:,} more", class_="vw-note") if more > 0 else ""
        return element("div", style(), self.html(_SHOWN), note, class_="vw-card")

    def html(self, most: int | None = None) -> Markup:
        """The first rows as a table."""
        head = [name.replace("_", " ") for name in self.columns]
        return table(head, self.records(most))

    def records(self, most: int | None = None) -> list[tuple[Any, ...]]:
        """The first rows, each a tuple."""
        return list(zip(*(_plain(column[:most]) for column in self.columns.values()), strict=True))

    def to_polars(self) -> pl.DataFrame:
        """The rows as a polars frame."""
        import polars as pl

        return pl.DataFrame({name: _plain(column) for name, column in self.columns.items()}, strict=False)

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas frame, if pandas is installed."""
        import pandas as pd

        return pd.DataFrame({name: _plain(column) for name, column in self.columns.items()})

    def write(self, path: str | Path) -> Path:
        """Write the rows as .csv, .tsv, .parquet or .json."""
        path, kind = Path(path), format_of(path, FORMATS, "table")
        frame, buffer = self.to_polars(), io.BytesIO()
        if kind == ".parquet":
            frame.write_parquet(buffer)
        elif kind == ".json":
            frame.write_json(buffer)
        else:
            frame.write_csv(buffer, separator="," if kind == ".csv" else "\t")
        write_atomic(path, buffer.getvalue())
        return path


def stacked(tables: Mapping[str, Rows], column: str) -> Rows:
    """Tables below each other; if there are several, `column` names the table of each row. Missing cells are None.

    >>> stacked({"a": Rows({"x": [1]}), "b": Rows({"y": [2]})}, "of").records()
    [('a', 1, None), ('b', None, 2)]
    """
    if len(tables) == 1:
        return next(iter(tables.values()))
    names = dict.fromkeys(name for table in tables.values() for name in table.columns)
    columns: dict[str, list[Any]] = {column: [name for name, table in tables.items() for _ in range(len(table))]}
    for name in names:
        parts = [_plain(one.columns[name]) if name in one.columns else [None] * len(one) for one in tables.values()]
        columns[name] = [value for part in parts for value in part]
    return Rows(columns)


def _plain(column: Sequence[Any]) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)
