"""A table: its numbers, and the text that is made from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from votewise.comparison.tables.definition import Definition, Key, Quoted
from votewise.comparison.tables.filling import Value, fill
from votewise.studies import Needs, Results

Kind = Literal["best", "other", "last", "published"]


@dataclass(frozen=True)
class Cell:
    """What a table shows at a place, and the numbers behind it.

    Attributes:
        text: what is shown.
        kind: "best" and "last" checkpoint, "other" for a further estimator, "published" for published numbers.
        value: our numbers.
        quoted: the published numbers.
        strong: whether it is the best of its column.
    """

    text: str
    kind: Kind = "best"
    value: Value | None = None
    quoted: Quoted | None = None
    strong: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers in rows and columns; text, CSV, Markdown and LaTeX are made from them.

    Attributes:
        definition: what stands in its rows and columns.
        numbers: the numbers of every cell.
        caption: what the numbers are and where they come from.
        missing: what it needs; empty if it has numbers.
    """

    definition: Definition
    numbers: Mapping[Key, Value] = field(default_factory=dict)
    caption: str = ""
    missing: tuple[Needs, ...] = ()

    @property
    def key(self) -> int | str:
        """Its number or name."""
        return self.definition.key

    @property
    def title(self) -> str:
        """Its title."""
        return self.definition.title

    @property
    def reading(self) -> str:
        """One sentence on how to read it."""
        return self.definition.reading

    @property
    def values(self) -> tuple[Value, ...]:
        """The numbers of every cell, as `csv` writes them."""
        return tuple(self.numbers.values())

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Heads of the columns; that of the rows' names first."""
        from votewise.comparison.tables.layout import heads

        return () if self.missing else heads(self.definition, self.numbers)

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Cells, the row's name first."""
        from votewise.comparison.tables.layout import rows

        return () if self.missing else rows(self.definition, self.numbers)

    def __str__(self) -> str:
        return self.markdown()

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def csv(self) -> str:
        """One line for each value, numbers in full."""
        from votewise.comparison.tables.formats import csv

        return csv(self)

    def markdown(self) -> str:
        """As Markdown."""
        from votewise.comparison.tables.formats import markdown

        return markdown(self)

    def latex(self) -> str:
        """As LaTeX with booktabs."""
        from votewise.comparison.tables.formats import latex

        return latex(self)


def make_table(definition: Definition, results: Results) -> Table:
    """A table filled with the numbers of results.

    Args:
        definition: what stands in its rows and columns.
        results: results on one dataset.

    Returns:
        The table; without a single number, one whose `missing` says what it needs.
    """
    from votewise.comparison.tables.captions import caption

    values = fill(definition, results) if definition.rows and definition.columns else {}
    if not any(value.n for value in values.values()):
        return Table(definition, missing=definition.needs or (Needs(results.methods()),))
    return Table(definition, values, caption(definition, values, results))
