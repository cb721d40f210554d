"""Votes out of a pandas or polars frame, read as a file with the same rows would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from votewise.errors import VotewiseError
from votewise.read_options import TableOptions, check_options
from votewise.votes.answers import repeated
from votewise.votes.readers.shared.long_rows import read_rows
from votewise.votes.votes import Votes
from votewise.wording import quoted

if TYPE_CHECKING:
    import polars as pl


def votes_in_frame(frame: Any, options: TableOptions) -> Votes:
    """See `Votes.from_frame`."""
    check_options(options, TableOptions)
    table = _Frame(frame)
    file = read_rows(table, table.load, lambda row: f"row {row}", options)
    replace(file.report, path=table.name, format="long-table", why="one row per vote").warn(stacklevel=4)
    votes = file.votes()
    assert isinstance(votes, Votes)
    return votes


class _Frame:
    """The columns of a frame, as `read_rows` needs them."""

    def __init__(self, frame: Any) -> None:
        self.library = type(frame).__module__.partition(".")[0]
        if self.library not in ("pandas", "polars") or type(frame).__name__ != "DataFrame":
            raise VotewiseError(f"frame must be a pandas or polars DataFrame, got {type(frame).__name__}")
        self.name = f"the {self.library} frame"
        self.frame = frame
        self.columns = tuple(str(name) for name in frame.columns)
        if twice := repeated(self.columns):
            raise self.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")

    def error(self, what: str, remedy: str) -> VotewiseError:
        return VotewiseError(what, where=self.name, remedy=remedy)

    def load(self, names: Sequence[str]) -> dict[str, pl.Series]:
        original = dict(zip(self.columns, self.frame.columns, strict=True))
        read = _from_pandas if self.library == "pandas" else _from_polars
        return {name: read(self.frame[original[name]]) for name in names}


def _from_polars(column: pl.Series) -> pl.Series:
    import polars as pl

    return column if column.dtype.is_numeric() else column.cast(pl.String)


def _from_pandas(column: Any) -> pl.Series:
    """A column of any type; what pandas holds to be missing is null. Arrow is not needed."""
    import polars as pl

    if getattr(column.dtype, "kind", "") in "iuf" and type(column.dtype).__module__.startswith("numpy"):
        return pl.Series(column.to_numpy())
    values = [None if missing else value for value, missing in zip(column.tolist(), column.isna(), strict=True)]
    return pl.Series(values, strict=False)
