"""All items of a data set with their columns [n], and how often each counts: what a score reduces to one number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from votewise.errors import UndefinedError
from votewise.scoring.columns import BY_CLASS, COLUMNS, Block
from votewise.votes import Answers, Distributions, Votes, tally

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns [n] by name, sums by class [C], and a count [n] for each item where some count more than once.

    `weighted` gives the same items with other counts: a bootstrap sample is a table, and every score takes it. What does
    not depend on the counts (an order, ties) is found once and shared.
    """

    columns: Mapping[str, F64]
    by_class: Mapping[str, F64]  # [C] sums, or [C, n] where they are kept
    missing: Mapping[str, UndefinedError]
    items: int
    bins: int
    count: F64 | None = None
    shared: dict[str, Any] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> F64:
        if name in self.missing:
            raise self.missing[name]
        return self.columns[name]

    @property
    def total(self) -> float:
        """Number of items, each as often as it counts."""
        return float(self.items) if self.count is None else float(self.count.sum())

    def weighted(self, count: F64) -> Table:
        return replace(self, count=count, own={})

    def sum(self, values: F64) -> float:
        return float(values.sum() if self.count is None else self.count @ values)

    def mean(self, name: str) -> float:
        return self.sum(self[name]) / self.total

    def mean_correctable(self, name: str) -> float:
        """The mean over items with at least two votes: the ones that the correction for few votes is known for."""
        chosen = self["correctable"]
        size = self.sum(chosen)
        if not size:
            raise UndefinedError("no item has two votes", remedy="a correction needs at least two votes of an item")
        if size == self.total:
            return self.mean(name)
        return self.sum(self.once(f"correctable {name}", lambda: np.where(chosen > 0, self[name], 0.0))) / size

    def class_sums(self, name: str) -> F64:
        """Sum over items of a by-class column [C]."""
        if name in self.missing:
            raise self.missing[name]
        values = self.by_class[name]
        if values.ndim == 1 and self.count is not None:
            raise UndefinedError("sums by class were not kept for every item")
        return values if values.ndim == 1 else values.sum(axis=1) if self.count is None else values @ self.count

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once for this table and all its weighted versions."""
        return _made(self.shared, name, make)

    def once_here(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once for these counts."""
        return _made(self.own, name, make)


def _made(store: dict[str, Any], name: str, make: Callable[[], T]) -> T:
    if name not in store:
        store[name] = make()
    made: T = store[name]
    return made


class Model(Protocol):
    """Whatever says something of N items: predictions, or a half of the votes."""

    def normalised(self, part: slice) -> tuple[F64, F64]:
        """Probabilities and their logarithms [C, n] of some items."""


def tabulate(
    model: Model,
    answers: Answers,
    names: Iterable[str],
    *,
    truth: I64 | None = None,
    bins: int = 15,
    ties: tally.Ties = "lowest",
    seed: int = 0,
    keep_classes: bool = False,
) -> Table:
    """One pass over blocks of items: the named columns of a model against `answers`, all of which have votes.

    A column that this data cannot give is missing, with its reason; asking the table for it raises that.
    """
    names = list(dict.fromkeys(names))
    columns = {name: np.empty(len(answers)) for name in names if name in COLUMNS}
    by_class = {
        name: np.zeros((answers.num_classes, len(answers)) if keep_classes else answers.num_classes)
        for name in names
        if name in BY_CLASS
    }
    missing: dict[str, UndefinedError] = {}
    votes = votes_behind(answers)
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
        for name, column in columns.items():
            if name not in missing:
                try:
                    column[part] = COLUMNS[name](block)
                except UndefinedError as reason:
                    missing[name] = reason
        for name, sums in by_class.items():
            if keep_classes:
                sums[:, part] = BY_CLASS[name](block)
            else:
                sums += BY_CLASS[name](block).sum(axis=1)
    return Table(columns, by_class, missing, len(answers), bins)


def votes_behind(answers: Answers) -> I64 | None:
    """Number of votes of each item [N], or None where it is not known or they do not weigh the same."""
    if isinstance(answers, Votes):
        return None if answers.weight is not None else answers.votes_per_item
    return answers.votes_per_item if isinstance(answers, Distributions) else None
