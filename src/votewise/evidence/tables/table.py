"""A table: cells with their text and their numbers, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from votewise.evidence.claims.rules import LEVEL
from votewise.evidence.published import Printed

Kind = Literal["best", "other", "last", "published"]


@dataclass(frozen=True)
class Value:
    """The numbers of a cell: where they come from, over how many seeds, and what the paper has.

    sd           across seeds (n - 1); None for a single seed
    difference   mean over the `pairs` of seeds of this minus what it is tested against, with its 95 % interval (t) from low to high
    p            of the table's test, over the same pairs
    p_two_sided  the same two-sided
    p_holm       p after Holm's correction over the tested cells of the table at this checkpoint
    """

    row: str
    column: str
    study: str
    method: str
    K: int | None
    score: str
    checkpoint: str
    n: int
    mean: float | None = None
    sd: float | None = None
    pairs: int | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_two_sided: float | None = None
    p_holm: float | None = None
    printed: Printed | None = None

    @property
    def told(self) -> bool:
        """Whether the difference is beyond chance after Holm's correction."""
        return self.p_holm is not None and self.p_holm <= LEVEL


@dataclass(frozen=True)
class Cell:
    """What a table shows at a place, and the numbers behind it.

    kind    "best" and "last" checkpoint, "other" for a further estimator, "published" for what the paper has
    strong  the best of its column
    """

    text: str
    kind: Kind = "best"
    value: Value | None = None
    strong: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Table:
    """One of the paper's tables, made again, or a table of our own.

    number   as the paper counts them, or a name for one that it does not have
    reading  one sentence: how to read it
    columns  their heads, that of the rows' names first
    rows     cells, the row's name first
    values   the numbers of every cell, as `csv` writes them
    missing  what the table needs, where the data is not there
    """

    number: int | str
    title: str
    caption: str
    reading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    values: tuple[Value, ...]
    missing: str | None = None

    def csv(self) -> str:
        """One line for each cell and checkpoint, numbers in full."""
        from votewise.evidence.tables.formats import csv

        return csv(self)

    def markdown(self) -> str:
        """As Markdown."""
        from votewise.evidence.tables.formats import markdown

        return markdown(self)

    def latex(self) -> str:
        """As LaTeX with booktabs."""
        from votewise.evidence.tables.formats import latex

        return latex(self)
