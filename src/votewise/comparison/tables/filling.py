"""Compute the numbers of a table from results."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from votewise.comparison.quantities import quantity
from votewise.comparison.statistics.intervals import interval
from votewise.comparison.statistics.wilcoxon import Side, holm, wilcoxon
from votewise.comparison.tables.outline import Definition, Key, Place, Test
from votewise.errors import VotewiseError
from votewise.studies import Paired, Results
from votewise.wording import listing

LEVEL = 0.05  # significance level, after Holm's correction


@dataclass(frozen=True)
class Value:
    """The numbers of a cell over seeds.

    Attributes:
        row: id of the row.
        column: id of the column.
        method: label of the method.
        K: votes per item in training; None: all votes.
        quantity: key of the number.
        checkpoint: "best" or "last".
        n: number of seeds.
        mean: mean over seeds.
        sd: standard deviation across seeds (n - 1); None for a single seed.
        pairs: number of seeds shared with the method that it is tested against.
        difference: mean over those pairs of this method minus the other.
        low: lower end of the 95 % interval (t) of the difference.
        high: its upper end.
        p: p-value of the table's test over those pairs.
        p_two_sided: two-sided p-value of the test.
        p_holm: p after Holm's correction over the tested cells at this checkpoint.
    """

    row: str
    column: str
    method: str
    K: int | None
    quantity: str
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

    @property
    def significant(self) -> bool:
        """Whether the difference is significant after Holm's correction."""
        return self.p_holm is not None and self.p_holm <= LEVEL


def fill(definition: Definition, results: Results) -> dict[Key, Value]:
    """The numbers of every cell, followed by those of the last checkpoint and of further estimators, if available."""
    if len(results.datasets) > 1:
        raise VotewiseError(
            f"a table shows one dataset, got results of {listing(results.datasets)}",
            remedy="choose one with results.select(dataset=...)",
        )
    values: dict[Key, Value] = {}
    families: dict[str, list[Key]] = {}
    cells = [(row.id, column.id, place) for row, column, place in definition.cells()]
    below: list[tuple[str, str, Place]] = [
        (row, column, moved)
        for kind in ("last", "other")
        for row, column, place in cells
        if (moved := definition.below(kind, place)) is not None
    ]
    for at, (row, column, place) in enumerate([*cells, *below]):
        if place.key in values:
            continue
        value = _value(row, column, place, definition.test, results)
        if value.n or at < len(cells):
            values[place.key] = value
            if value.p is not None and place.in_family:
                families.setdefault(place.checkpoint, []).append(place.key)
    for family in families.values() if definition.test and definition.test.family else ():
        for key, p in zip(family, holm([values[key].p or 0.0 for key in family]), strict=True):
            values[key] = replace(values[key], p_holm=float(p))
    return values


def _by_seed(place: Place, results: Results) -> dict[int, float]:
    """The finite values of a cell by seed."""
    values = results.values(place.method, place.quantity, K=place.K, checkpoint=place.checkpoint)
    wanted = values.keys() if place.seeds is None else place.seeds
    return {seed: value for seed, value in values.items() if math.isfinite(value) and seed in wanted}


def _value(row: str, column: str, place: Place, test: Test | None, results: Results) -> Value:
    by_seed = _by_seed(place, results)
    numbers = np.array(list(by_seed.values()))
    mean = float(numbers.mean()) if len(numbers) else None
    sd = float(numbers.std(ddof=1)) if len(numbers) > 1 else None
    where = (row, column, place.method, place.K, place.quantity, place.checkpoint)
    value = Value(*where, n=len(numbers), mean=mean, sd=sd)
    if test is None or not place.tested or place.method == test.against:
        return value
    if test.only is not None and place.method not in test.only:
        return value
    difference = Paired.of(by_seed, _by_seed(replace(place, method=test.against), results)).difference
    if not len(difference):
        return value
    low, high = interval(difference) if len(difference) > 1 else (None, None)
    two_sided = wilcoxon(difference)
    better: Side = "less" if quantity(value.quantity).better == "lower" else "greater"
    p = wilcoxon(difference, better) if test.improves else two_sided
    size = float(difference.mean())
    return replace(value, pairs=len(difference), difference=size, low=low, high=high, p=p, p_two_sided=two_sided)
