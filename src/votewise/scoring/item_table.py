"""All items of a dataset with their columns [n] and counts. A score reduces such a table to one number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np

from votewise.arrays import F64, I64
from votewise.errors import UndefinedError
from votewise.scoring.columns import Block, ByClass, Column
from votewise.votes import Answers, Votes, tally

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of N items, and how often each item counts.

    `table[column]` is a column [N]. A bootstrap sample is the table with other counts (`weighted`), so every score accepts it.

    Attributes:
        columns: column -> [N]; for a column with values by class, its sums [C], or [C, N] if the values of every item are kept.
        missing: column -> why it has no values on this data.
        items: N.
        bins: number of bins of the calibration errors.
        count: [N] how often each item counts, None if each counts once.
        base: the table with each item counted once; None if this is that table.
    """

    columns: Mapping[Column, F64]
    missing: Mapping[Column, UndefinedError]
    items: int
    bins: int
    count: F64 | None = None
    base: Table | None = None
    memory: dict[Any, Any] = field(default_factory=dict)  # of `once_per_table`

    def __getitem__(self, column: Column) -> F64:
        if column in self.missing:
            raise self.missing[column]
        return self.columns[column]

    @property
    def unweighted(self) -> Table:
        """The same items, each counted once."""
        return self.base or self

    @property
    def total(self) -> float:
        """Number of items, each as often as it counts."""
        return float(self.items) if self.count is None else float(self.count.sum())

    def weighted(self, count: F64) -> Table:
        """The same items with other counts [N]."""
        return Table(self.columns, self.missing, self.items, self.bins, count, self.unweighted)

    def known(self, column: Column) -> Table:
        """The items for which a column has a number, with the columns that have one value per item."""
        known = ~np.isnan(self[column])
        if known.all():
            return self
        if not known.any():
            raise UndefinedError("no item has a true class")
        one_per_item = {name: values[known] for name, values in self.columns.items() if not isinstance(name, ByClass)}
        count = None if self.count is None else self.count[known]
        return Table(one_per_item, self.missing, int(known.sum()), self.bins, count)

    def sum(self, values: F64) -> float:
        """Sum of values [N] over the items, each as often as it counts."""
        with np.errstate(over="ignore"):  # infinite for predictions that are nearly so
            return float(values.sum() if self.count is None else self.count @ values)

    def mean(self, values: F64) -> float:
        """Mean of values [N] over the items, each as often as it counts."""
        return self.sum(values) / self.total

    def class_sums(self, column: ByClass) -> F64:
        """Sums over items [C] of a column by class."""
        values = self[column]
        if values.ndim == 1 and self.count is not None:
            raise UndefinedError("the values by class of each item were not kept (keep_classes=True)")
        return values if values.ndim == 1 else values.sum(axis=1) if self.count is None else values @ self.count


def once_per_table(of: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Cache the result of a function of a table for each table and arguments."""

    @wraps(of)
    def remembered(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = of, args, *kwargs.items()
        if key not in table.memory:
            table.memory[key] = of(table, *args, **kwargs)
        result: T = table.memory[key]
        return result

    return remembered


def once_per_items(of: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Like `once_per_table`, for a function that does not depend on counts: cached for a table and all its weighted versions."""
    remembered = once_per_table(of)

    @wraps(of)
    def of_items(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return remembered(table.unweighted, *args, **kwargs)

    return of_items


class Model(Protocol):
    """A source of predictions for N items: predictions, or one half of the votes."""

    def normalised(self, part: slice) -> tuple[F64, F64]:
        """Probabilities and their logarithms [C, n] of some items."""


def tabulate(
    model: Model,
    answers: Answers,
    columns: Iterable[Column],
    *,
    truth: I64 | None = None,
    bins: int = 15,
    ties: tally.Ties = "lowest",
    seed: int = 0,
    keep_classes: bool = False,
) -> Table:
    """Columns of a model against `answers`, all of which have votes, in one pass over blocks of items.

    A column that is not defined on this data is missing, with a reason; accessing it raises an error with that reason.
    """
    size, classes = len(answers), answers.num_classes
    kept = {
        column: np.zeros(size if not isinstance(column, ByClass) else (classes, size) if keep_classes else classes)
        for column in columns
    }
    missing: dict[Column, UndefinedError] = {}
    weighted = isinstance(answers, Votes) and answers.weight is not None
    votes = None if weighted else answers.votes_per_item
    position = None if answers.scale.position is None else np.array(answers.scale.position)
    for part in answers.blocks():
        probability, logarithm = model.normalised(part)
        block = Block(
            mass=np.ascontiguousarray(answers.mass(part).T),
            model=probability,
            log_model=logarithm,
            votes=None if votes is None else votes[part],
            truth=None if truth is None else truth[part],
            row=answers.row[part],
            position=position,
            ties=ties,
            seed=seed,
        )
        for column, values in kept.items():
            if column in missing:
                continue
            try:
                here = column(block)
            except UndefinedError as reason:
                missing[column] = reason
                continue
            if isinstance(column, ByClass) and not keep_classes:
                values += here.sum(axis=1)
            else:
                values[..., part] = here
    return Table(kept, missing, size, bins)
