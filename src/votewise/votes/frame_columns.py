"""Columns of pandas and polars frames, and other sequences, as polars series. Arrow is not needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1000  # rows
_TOTALS = ("all", "total", "sum")  # pandas.crosstab names the margins 'All'
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


def count_matrix_of(frame: Any, classes: Sequence[object] | None) -> tuple[NDArray[Any], list[str], list[str] | None]:
    """Counts [N, C] in a frame, the names of their columns, and the ids of its items [N] from the index or a column.

    Args:
        frame: a pandas or polars frame.
        classes: the columns of counts. Default: all columns except the column of ids, which is the one that is not numeric or has a usual name.
    """
    from votewise.votes.readers.shared import column_roles

    columns = columns_of(frame)
    index = [name for name in columns if name not in {str(name) for name in frame.columns}]
    usual = [name for name in column_roles.candidates(list(columns), "item") if name not in index]
    texts = [name for name, column in columns.items() if not series_of(head(column)).dtype.is_numeric()]
    ids = (index or [*usual, *(name for name in texts if name not in usual)])[:2]
    if len(ids) > 1:
        raise VotewiseError(
            f"{listing(ids)} could each hold the item ids", remedy="keep one of them, e.g. as the index"
        )
    names = [name for name in columns if name not in ids] if classes is None else [str(name) for name in classes]
    if absent := [name for name in names if name not in columns]:
        raise VotewiseError(f"class {listing(absent)} has no column", remedy=f"the columns are {listing(columns, 20)}")
    counts = (
        np.column_stack([series_of(columns[name]).to_numpy() for name in names]) if names else np.empty((len(frame), 0))
    )
    for place, name in enumerate(names):
        others = np.delete(counts, place, axis=1)
        if name.lower() in _TOTALS and others.shape[1] > 1 and np.array_equal(counts[:, place], others.sum(axis=1)):
            raise VotewiseError(
                f"column {quoted(name)} is the sum of the others, not a class",
                remedy="leave out totals: crosstab with margins=False",
            )
    return counts, names, [str(value) for value in series_of(columns[ids[0]]).to_list()] if ids else None


def _missing(value: object) -> bool:
    return (
        value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    )


def _library(value: object) -> str:
    return type(value).__module__.partition(".")[0]
