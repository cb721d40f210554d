"""The definition of a table: its rows, columns and test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from votewise.studies import Needs

Kind = Literal[
    "best", "other", "last", "published"
]  # kind of row: a checkpoint, a further estimator, or published numbers
Show = Literal["mean_sd", "mean_sd_p", "mean", "difference", "p", "p_two_sided", "p_holm"]


@dataclass(frozen=True)
class Place:
    """The content of a cell.

    Attributes:
        method: label of the method.
        quantity: key of the number.
        K: votes per item in training; None: all votes.
        checkpoint: "best" or "last".
        seeds: the seeds to use; None: all.
        show: which of the numbers to show.
        tested: whether the table's test applies.
        in_family: whether the cell is part of the family of Holm's correction.
    """

    method: str
    quantity: str
    K: int | None = None
    checkpoint: str = "best"
    seeds: frozenset[int] | None = None
    show: Show = "mean_sd"
    tested: bool = True
    in_family: bool = True

    @property
    def key(self) -> Key:
        """The fields that determine the numbers."""
        return self.method, self.quantity, self.K, self.checkpoint, self.seeds


Key = tuple[str, str, int | None, str, frozenset[int] | None]


@dataclass(frozen=True)
class Line:
    """A row or a column: its id, its name, and the fields of `Place` that it sets for its cells."""

    id: str
    name: str
    of: Mapping[str, Any]


@dataclass(frozen=True)
class Test:
    """An exact Wilcoxon test of cells against another method over paired seeds.

    Attributes:
        against: label of the other method.
        improves: one-sided: whether the cell is better than the other method; otherwise two-sided.
        words: text for the caption; {comparisons} is replaced by the size of the family.
        only: the methods to test; default: all except the method tested against.
        family: whether to apply Holm's correction.
    """

    against: str
    improves: bool
    words: str
    only: tuple[str, ...] | None = None
    family: bool = False


@dataclass(frozen=True)
class Quoted:
    """Published numbers of a cell; None if not published. `decimals` are the decimals of mean and SD."""

    mean: float | None = None
    sd: float | None = None
    p: float | None = None
    n: int | None = None
    decimals: int = 4

    def __str__(self) -> str:
        """The published form, including trailing zeros: 0.5860, or 0.5096 ± 0.0233."""
        if self.mean is None:
            return "" if self.p is None else f"{self.p:.{self.decimals}f}"
        spread = "" if self.sd is None else f" ± {self.sd:.{self.decimals}f}"
        return f"{self.mean:.{self.decimals}f}{spread}"


@dataclass(frozen=True)
class Definition:
    """The definition of a table.

    Attributes:
        key: number or name of the table.
        title: its title.
        head: header of the column of row names.
        rows: its rows.
        columns: its columns.
        caption: what the numbers are.
        reading: one sentence on how to read it.
        needs: missing runs and probes, used if no cell has a number.
        of: fields of `Place` that all cells share.
        test: the test, if any.
        last_below: whether to show the last checkpoint in rows below the best.
        n_in_heads: whether to show the number of seeds in the column headers instead of a separate column.
        bold: whether to mark the best value of each column.
        decimals: decimals of means; None: as many as the smallest mean needs.
        others: further estimators shown below: quantity -> other quantity.
        others_name: the name of the rows of further estimators.
        quoted: published numbers by ids of row and column.
        note: the last sentences of the caption.
        blank: row and column ids of empty cells.
    """

    key: int | str
    title: str
    head: str
    rows: Sequence[Line]
    columns: Sequence[Line]
    caption: str
    reading: str
    needs: tuple[Needs, ...] = ()
    of: Mapping[str, Any] = field(default_factory=dict)
    test: Test | None = None
    last_below: bool = True
    n_in_heads: bool = False
    bold: bool = False
    decimals: int | None = 4
    others: Mapping[str, str] = field(default_factory=dict)
    others_name: str = ""
    quoted: Mapping[tuple[str, str], Quoted] = field(default_factory=dict)
    note: str = ""
    blank: frozenset[tuple[str, str]] = frozenset()

    def place(self, row: Line, column: Line) -> Place | None:
        """The content of the cell in a row and a column."""
        blank = (row.id, column.id) in self.blank
        return None if blank else Place(**{**self.of, **row.of, **column.of})

    def below(self, kind: Kind, place: Place) -> Place | None:
        """The cells below a cell: its value at the last checkpoint, or by the further estimator, if shown."""
        if kind == "last":
            return replace(place, checkpoint="last") if self.last_below and place.checkpoint == "best" else None
        other = self.others.get(place.quantity)
        return replace(place, quantity=other, tested=False) if other else None

    def cells(self) -> Iterator[tuple[Line, Line, Place]]:
        """Row, column and content of every cell that is not blank, row by row."""
        for row in self.rows:
            for column in self.columns:
                if (place := self.place(row, column)) is not None:
                    yield row, column, place
