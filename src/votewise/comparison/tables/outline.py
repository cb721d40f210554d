"""What a table shows, before it is filled: lines, a test, and how they go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from votewise.studies import Needs

Kind = Literal["best", "other", "last", "published"]  # a row: a checkpoint, a further estimator, or published numbers
Show = Literal["mean_sd", "mean_sd_p", "mean", "difference", "p", "p_two_sided", "p_holm"]


@dataclass(frozen=True)
class Place:
    """What a cell shows.

    Attributes:
        method: label of the method.
        quantity: key of the number.
        K: votes per item in training; None: all votes.
        checkpoint: "best" or "last".
        seeds: the seeds that count; None: all.
        show: which of the numbers is shown.
        tested: whether the table's test applies.
        in_family: whether Holm's correction counts it.
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
        """What its numbers depend on."""
        return self.method, self.quantity, self.K, self.checkpoint, self.seeds


Key = tuple[str, str, int | None, str, frozenset[int] | None]


@dataclass(frozen=True)
class Line:
    """A row or a column: its id, its name, and the fields of `Place` that it settles for its cells."""

    id: str
    name: str
    of: Mapping[str, Any]


@dataclass(frozen=True)
class Test:
    """An exact Wilcoxon test of cells against another method over paired seeds.

    Attributes:
        against: label of the other method.
        improves: one-sided: whether the cell is better than the other method; otherwise two-sided.
        words: what the caption says; {comparisons} is replaced by the size of the family.
        only: the methods that are tested; default: all but the one tested against.
        family: whether Holm's correction is made.
    """

    against: str
    improves: bool
    words: str
    only: tuple[str, ...] | None = None
    family: bool = False


@dataclass(frozen=True)
class Quoted:
    """Numbers of a cell that were published elsewhere; None where they were not. `decimals` are those of mean and SD."""

    mean: float | None = None
    sd: float | None = None
    p: float | None = None
    n: int | None = None
    decimals: int = 4

    def __str__(self) -> str:
        """As in print, trailing zeros included: 0.5860, or 0.5096 ± 0.0233."""
        if self.mean is None:
            return "" if self.p is None else f"{self.p:.{self.decimals}f}"
        spread = "" if self.sd is None else f" ± {self.sd:.{self.decimals}f}"
        return f"{self.mean:.{self.decimals}f}{spread}"


@dataclass(frozen=True)
class Definition:
    """A table before it is filled.

    Attributes:
        key: number or name of the table.
        title: its title.
        head: head of the column of the rows' names.
        rows: its rows.
        columns: its columns.
        caption: what its numbers are.
        reading: one sentence on how to read it.
        needs: what it needs, given if no cell has a number.
        of: fields of `Place` that all cells share.
        test: the test, if there is one.
        last_below: whether the last checkpoint stands in rows below the best.
        n_in_heads: whether the number of seeds stands in the heads of the columns instead of a column.
        bold: whether the best of a column is marked.
        decimals: of means; None: as many as the smallest mean needs.
        others: further estimators shown below: quantity -> other quantity.
        others_name: what the rows of the further estimators are called.
        quoted: published numbers by ids of row and column.
        note: the last sentences of the caption.
        blank: ids of row and column of cells that show nothing.
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
        """What the cell of a row and a column shows."""
        blank = (row.id, column.id) in self.blank
        return None if blank else Place(**{**self.of, **row.of, **column.of})

    def below(self, kind: Kind, place: Place) -> Place | None:
        """What stands below a cell: the same at the last checkpoint, or by the further estimator, if it is shown."""
        if kind == "last":
            return replace(place, checkpoint="last") if self.last_below else None
        other = self.others.get(place.quantity)
        return replace(place, quantity=other, tested=False) if other else None

    def cells(self) -> Iterator[tuple[Line, Line, Place]]:
        """Row, column and place of every cell that is not blank, row by row."""
        for row in self.rows:
            for column in self.columns:
                if (place := self.place(row, column)) is not None:
                    yield row, column, place
