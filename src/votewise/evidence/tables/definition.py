"""What a table is made of before it is filled: lines, a test, and how they go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Line:
    """A row or a column: its id in `published.toml`, its name, and what it settles of its cells: study, method, K, score, seeds_of.

    `seeds_of` is a study: only seeds that its SLS runs have are taken.
    """

    id: str
    name: str
    of: Mapping[str, Any]


@dataclass(frozen=True)
class Test:
    """A paired test of cells against others.

    against   what the other side of a pair has instead of the cell's own, as {"method": "soft"}
    improves  one-sided: whether the cell is better than that; otherwise two-sided
    shown     in the cells, in a row below the others, in columns after the others, or as the difference beside the first column
    words     what the caption says of it; {cells} is the size of the family
    only      the methods that are tested; all but the one tested against unless given
    family    whether Holm's correction is made over the tested cells
    """

    against: Mapping[str, Any]
    improves: bool
    shown: Literal["cells", "row", "columns", "difference"]
    words: str
    only: tuple[str, ...] | None = None
    family: bool = False


@dataclass(frozen=True)
class Definition:
    """A table before it is filled.

    of        what all cells share
    needs     the end of "This table needs ..."
    head      of the rows' names
    n_on      where the number of seeds stands: in a column of its own, or in the heads of the columns
    better    which direction is better, where the columns do not differ in it and none says it
    bold      whether the best of a column is marked
    others    further estimators of scores, shown below them: score -> other score; `others_name` says what they are
    curved    whether the cells are curvature, whose size can be anything
    beside    columns or rows that are no part of the tested family
    last      where the last checkpoint stands: in rows below the best, or the mean of the first column beside the difference
    bare      columns that show the mean without its SD
    """

    number: int | str
    title: str
    needs: str
    head: str
    rows: Sequence[Line]
    columns: Sequence[Line]
    caption: str
    reading: str
    of: Mapping[str, Any] = field(default_factory=dict)
    test: Test | None = None
    n_on: Literal["column", "heads"] = "column"
    better: Literal["lower", "higher"] | None = None
    bold: bool = False
    curved: bool = False
    others: Mapping[str, str] = field(default_factory=dict)
    others_name: str = ""
    beside: frozenset[str] = frozenset()
    last: Literal["below", "beside"] = "below"
    bare: frozenset[str] = frozenset()
