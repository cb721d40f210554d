"""Columns of pandas and polars frames, and other sequences, as polars series. Arrow is not needed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.wording import quoted

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1000  # rows
INDEX = ""  # the column name of an unnamed pandas index, as in a CSV file that pandas wrote


def is_frame(value: object) -> bool:
    """Whether a value is a pandas or polars `DataFrame`; neither is imported."""
    return type(value).__name__ == "DataFrame" and _library(value) in ("pandas", "polars")


def library_of(frame: object) -> str | None:
    """'pandas' or 'polars' if the value is a `DataFrame`, else None."""
    return _library(frame) if is_frame(frame) else None


def columns_of(frame: Any) -> dict[str, Any]:
    """The columns of a frame by name. The index of a pandas frame comes first.

    An index is left out if it only counts the rows from 0, or has the name of a column.
    """
    columns = (
        [(str(name), frame.iloc[:, at]) for at, name in enumerate(frame.columns)] if _library(frame) == "pandas" else []
    )
    if not columns:
        return {name: frame[name] for name in frame.columns}
    index, names = frame.index, {name for name, _ in columns}
    levels = [(INDEX if name is None else str(name), index.get_level_values(at)) for at, name in enumerate(index.names)]
    if index.nlevels == 1 and levels[0][0] == INDEX and _counts_rows(index):
        levels = []
    return dict([*((name, level) for name, level in levels if name not in names), *columns])


def _counts_rows(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)


def ids_of(values: Any) -> list[str] | None:
    """The ids in the index of a pandas series; None if the index only counts the rows, or if the value is not a series."""
    if _library(values) != "pandas" or type(values).__name__ != "Series":
        return None
    _, *index = reversed(columns_of(values.to_frame("values")).values())
    return [str(name) for name in series_of(index[0]).to_list()] if len(index) == 1 else None


def head(column: Any) -> Any:
    """The first rows of a column or an index."""
    return column.iloc[:_HEAD] if hasattr(column, "iloc") else column[:_HEAD]


def series_of(values: Any) -> pl.Series:
    """A column of any kind as a series; its library's missing values, and NaN among texts, become null.

    >>> series_of(["a", float("nan"), None]).to_list()
    ['a', None, None]
    """
    import polars as pl

    if isinstance(values, pl.Series):
        return values
    if _library(values) == "pandas":
        if getattr(values.dtype, "kind", "") in "iuf" and type(values.dtype).__module__.startswith("numpy"):
            return pl.Series(values.to_numpy())
        pairs = zip(values.tolist(), values.isna(), strict=True)
        return pl.Series([None if missing else value for value, missing in pairs], strict=False)
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OT":
        return pl.Series(values, strict=False)
    if not isinstance(values, Iterable) or (isinstance(values, np.ndarray) and not values.ndim):
        raise VotewiseError(
            f"{quoted(values)} is not a column of values", remedy="give a list, with one value per vote"
        )
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    try:
        return pl.Series([None if _missing(value) else value for value in plain], strict=False)
    except UnicodeEncodeError as error:
        raise VotewiseError(
            f"{quoted(error.object)} is not valid text: it has an unpaired surrogate",
            remedy="decode the file as UTF-8 first",
        ) from None


def text_of(series: pl.Series) -> pl.Series:
    """A column as text. Lists, intervals, durations and other objects have no text that names them.

    >>> text_of(series_of([1, None])).to_list()
    ['1', None]

    Raises:
        VotewiseError: a value is not a text, a number, a date or a truth value.
    """
    import polars as pl

    if not (series.dtype.is_nested() or series.dtype in (pl.Object, pl.Duration)):
        try:
            return series.cast(pl.String)
        except pl.exceptions.PolarsError:  # bytes that are not text
            pass
    if series.null_count() == len(series):
        return pl.Series(series.name, [None] * len(series), dtype=pl.String)
    first = next(value for value in series.to_list() if value is not None)
    raise VotewiseError(
        f"{quoted(first)} has the type {type(first).__name__} and is not a text or a number",
        remedy="convert the column to text, for example with astype(str), and give one value per row",
    )


def _missing(value: object) -> bool:
    return (
        value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    )


def _library(value: object) -> str:
    return type(value).__module__.partition(".")[0]
