"""Columns of pandas and polars frames, and other sequences, as polars series. Arrow is not needed."""

from __future__ import annotations

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
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    try:
        return pl.Series([None if _missing(value) else value for value in plain], strict=False)
    except UnicodeEncodeError as error:
        raise VotewiseError(
            f"{quoted(error.object)} is not valid text: it has an unpaired surrogate",
            remedy="decode the file as UTF-8 first",
        ) from None


def _missing(value: object) -> bool:
    return (
        value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    )


def _library(value: object) -> str:
    return type(value).__module__.partition(".")[0]
