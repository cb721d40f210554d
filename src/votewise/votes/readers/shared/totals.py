"""Detects totals among the classes and the items, for example those that pandas adds with `margins=True` or a spreadsheet in its last line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.read_options import TableOptions
from votewise.votes.readers.shared.column_roles import is_total
from votewise.votes.readers.shared.source_table import Table
from votewise.votes.votes import Votes
from votewise.wording import quoted


def refuse_totals(
    table: Table, counts: NDArray[Any], classes: Sequence[str], items: Sequence[str] | None, kind: str = "column"
) -> None:
    """Raise if a class (`kind` is how the table names it) or an item has the name of a total and is the sum of the others."""
    remedy = "leave out totals: crosstab with margins=False"
    for thing, names, numbers in ((kind, classes, counts.T), ("item", () if items is None else items, counts)):
        for place in [place for place, name in enumerate(names) if is_total(name) and len(names) > 2]:
            if np.array_equal(numbers[place], numbers.sum(axis=0) - numbers[place]):
                what = "a class" if numbers is not counts else "an item"
                raise table.error(f"{thing} {quoted(names[place])} is the sum of the others, not {what}", remedy)


def refuse_totals_of(table: Table, votes: Votes, options: TableOptions) -> None:
    """As `refuse_totals`; and raise if an item has the name of a total and labels that no other item has, which may be numbers of votes."""
    items: list[str] = [] if votes.items is None else votes.items.tolist()
    if not any(map(is_total, items)):
        items = []
    if items or any(map(is_total, votes.classes)):
        refuse_totals(table, votes.counts(), votes.classes, items or None, "class")
    for place in [place for place, name in enumerate(items) if is_total(name) and options.get("classes") is None]:
        own = votes.counts([place])[0] > 0
        if not (own & (np.bincount(votes.label, minlength=len(own)) > votes.counts([place])[0])).any():
            raise table.error(
                f"item {quoted(items[place])} has only labels that no other item has, so it may be a total",
                "delete its line, or name all classes with classes= (--classes)",
            )
