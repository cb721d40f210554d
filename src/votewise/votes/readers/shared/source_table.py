"""Tables (files, or pandas and polars frames): columns with one value per row, and the name of a row in errors."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.arrays import F64, I64, Bool
from votewise.errors import VotewiseError, locating
from votewise.votes.frame_columns import columns_of, head, library_of, series_of, text_of
from votewise.votes.ids import repeated
from votewise.wording import quoted

if TYPE_CHECKING:
    import polars as pl

_DECIMAL_COMMA = re.compile(r"\s*[-+]?[0-9]*,[0-9]+\s*")
_THOUSANDS = re.compile(r"\s*[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?\s*")
_PERCENT = re.compile(r"\s*[-+]?[0-9]*[.,]?[0-9]+\s*%\s*")


class Table(ABC):
    """Named columns of equal length.

    Attributes:
        name: how errors name the table.
        columns: the names of its columns.
        sample: the first values of each column, as text.
        nested: the fields of the first JSON record that hold lists or objects.
    """

    name: str
    columns: Sequence[str]
    sample: Mapping[str, list[str | None]]
    nested: Sequence[str] = ()

    @abstractmethod
    def load(self, names: Sequence[str]) -> pl.DataFrame:
        """These columns."""

    def readable(self, names: Sequence[str]) -> pl.DataFrame:
        """Those of these columns that can be read, as text: not those of lists, which may be beside the votes."""
        import polars as pl

        try:
            columns = self.load(names).get_columns()
        except VotewiseError:
            columns = []
            for name in names:
                with suppress(VotewiseError):
                    columns.append(self.load([name]).to_series())
        found = list[pl.Series]()
        for column in columns:
            with suppress(VotewiseError):
                found.append(text_of(column))
        return pl.DataFrame(found)

    @abstractmethod
    def place(self, row: int) -> str:
        """How errors name a row."""

    def error(self, what: str, remedy: str) -> VotewiseError:
        return VotewiseError(what, where=self.name, remedy=remedy)

    def refuse(
        self, wrong: Any, what: Callable[[int], str], remedy: str = "fill it in, or delete the line", row: Any = None
    ) -> None:
        """Raise an error about the first marked row, if any.

        Args:
            wrong: which rows are wrong [V].
            what: position among the V rows -> text of the error after the location of the row.
            remedy: what to do about it.
            row: table row of each of the V rows. Default: 0 ... V-1.
        """
        if wrong.any():
            first = int(np.asarray(wrong).argmax())
            place = self.place(first if row is None else int(row[first]))
            raise self.error(f"{place}{what(first)}", remedy)

    def refuse_repeated_columns(self) -> None:
        if twice := repeated(self.columns):
            raise self.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")

    def matrix(self, frame: pl.DataFrame, names: Sequence[str], remedy: str, row: I64 | None = None) -> F64:
        """Columns of a loaded frame as numbers [V, C]; a cell that is blank or not a number is an error."""
        numbers = np.empty((frame.height, len(names)))
        for place, name in enumerate(names):
            numbers[:, place], lost = as_numbers(frame[name])
            wrong, cells = lost | np.isnan(numbers[:, place]), frame[name]
            self.refuse(wrong, lambda at: f", column {quoted(cells.name)} is {shown(cells[at])}", remedy, row)  # noqa: B023
        return numbers


class Frame(Table):
    """A pandas or polars frame. The index of a pandas frame is a column too, unless it only counts the rows."""

    kind = "frame"

    def __init__(self, frame: Any) -> None:
        if (library := library_of(frame)) is None:
            raise VotewiseError(f"frame must be a pandas or polars DataFrame, got {type(frame).__name__}")
        self.name = f"the {library} frame"
        self.columns = tuple(str(name) for name in frame.columns)
        self.refuse_repeated_columns()
        self._column = columns_of(frame)
        self.columns = tuple(self._column)

    @cached_property
    def sample(self) -> dict[str, list[str | None]]:  # type: ignore[override]  # an attribute of the base class, read on demand
        return {name: cells_of(series_of(head(column))) for name, column in self._column.items()}

    def load(self, names: Sequence[str]) -> pl.DataFrame:
        import polars as pl

        found = dict[str, pl.Series]()
        for name in names:
            with locating(f"{self.name}, column {quoted(name)}"):
                found[name] = _series(self._column[name])
        return pl.DataFrame(found)

    def place(self, row: int) -> str:
        return f"row {row}"

    def holds_text(self, name: str) -> bool:
        """Whether a column is text, and not numbers that are written as text."""
        import polars as pl

        kind = series_of(head(self._column[name])).dtype
        return kind in (pl.String, pl.Categorical, pl.Enum) and not mostly_numbers(self.sample[name])


def _series(column: Any) -> pl.Series:
    """A column of a frame as numbers, times or text."""
    series = series_of(column)
    return series if series.dtype.is_numeric() or series.dtype.is_temporal() else text_of(series)


def cells_of(series: pl.Series) -> list[str | None]:
    """A column as text for detection; None for lists and other objects, which have no text."""
    try:
        return text_of(series).to_list()
    except VotewiseError:
        return [None] * len(series)


def as_numbers(column: pl.Series) -> tuple[F64, Bool]:
    """A column as numbers [V], NaN if blank; and a mask [V] of cells that hold something else."""
    import polars as pl

    if not (column.dtype.is_numeric() or column.dtype == pl.String):
        return np.full(len(column), np.nan), column.is_not_null().to_numpy()
    number = column.cast(pl.Float64, strict=False)
    if column.dtype != pl.String:
        return number.fill_null(np.nan).to_numpy(), np.zeros(len(column), np.bool_)
    lost = number.is_null() & (column.str.strip_chars() != "").fill_null(value=False)
    return number.fill_null(np.nan).to_numpy(), lost.to_numpy()


def is_number(cell: str) -> bool:
    """Whether a cell is meant as a number, also with a comma or a percent sign, which an error then asks to correct."""
    try:
        float(cell)
    except ValueError:
        return any(written.fullmatch(cell) for written in (_DECIMAL_COMMA, _THOUSANDS, _PERCENT))
    return True


def mostly_numbers(cells: Sequence[str | None]) -> bool:
    """Whether at least half of the non-blank cells are meant as numbers, so that a word among them is a mistake."""
    values = [cell for cell in cells if cell and cell.strip()]
    return 0 < len(values) <= 2 * sum(map(is_number, values))


def shown(cell: object) -> str:
    """A cell that should be a number but is not, for use inside a sentence.

    >>> shown("many"), shown(None), shown("0,5")
    ("'many'", 'empty', "'0,5', which has a decimal comma: write 0.5")
    >>> shown("1,234"), shown("33.3%")
    ("'1,234', which has a thousands separator or a decimal comma: write 1234 or 1.234", "'33.3%', a percentage: write 0.333")
    """
    if isinstance(cell, str) and _PERCENT.fullmatch(cell):
        share = float(cell.strip().rstrip("% ").replace(",", ".")) / 100
        return f"{quoted(cell)}, a percentage: write {share:.6g}"
    if isinstance(cell, str) and _THOUSANDS.fullmatch(cell):
        plain = cell.strip().replace(",", "")
        other = f" or {cell.strip().replace(',', '.')}" if _DECIMAL_COMMA.fullmatch(cell) else ""
        return f"{quoted(cell)}, which has a thousands separator{' or a decimal comma' if other else ''}: write {plain}{other}"
    if isinstance(cell, str) and _DECIMAL_COMMA.fullmatch(cell):
        return f"{quoted(cell)}, which has a decimal comma: write {cell.strip().replace(',', '.')}"
    return "empty" if cell is None else quoted(cell)
