"""The numbers of a table out of results."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from votewise.comparison.quantities import quantity
from votewise.comparison.statistics.intervals import interval
from votewise.comparison.statistics.wilcoxon import holm, wilcoxon
from votewise.comparison.tables.definition import Definition, Key, Place, Test
from votewise.errors import VotewiseError
from votewise.studies import Results
from votewise.wording import listing

LEVEL = 0.05  # of significance, after Holm's correction


@dataclass(frozen=True)
class Value:
    """The numbers of a cell over seeds.

    Attributes:
        row: id of the row where it stands.
        column: id of the column where it stands.
        method: label of the method.
        K: votes per item in training; None: all votes.
        quantity: key of the number.
        checkpoint: "best" or "last".
        n: seeds.
        mean: mean over seeds.
        sd: standard deviation across seeds (n - 1); None for a single seed.
        pairs: seeds shared with the method that it is tested against.
        difference: mean over those pairs of this minus the other.
        low: lower end of the 95 % interval (t) of the difference.
        high: its upper end.
        p: p-value of the table's test over those pairs.
        p_two_sided: the same two-sided.
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
    """The numbers of every cell, then those of the last checkpoint and of further estimators that have any."""
    if len(results.datasets) > 1:
        raise VotewiseError(
            f"a table shows one dataset, got results of {listing(results.datasets)}",
            remedy="choose one with results.select(dataset=...)",
        )
    values: dict[Key, Value] = {}
    families: dict[str, list[Key]] = {}

    def add(row: str, column: str, place: Place | None, *, empty: bool) -> None:
        if place is None or place.key in values:
            return
        value = _value(row, column, place, definition.test, results)
        if value.n or empty:
            values[place.key] = value
            if value.p is not None and place.in_family:
                families.setdefault(place.checkpoint, []).append(place.key)

    places = [(row.id, column.id, place) for row, column, place in definition.cells()]
    for row, column, place in places:
        add(row, column, place, empty=True)
    for below in (definition.last, definition.other):
        for row, column, place in places:
            add(row, column, below(place), empty=False)
    if definition.test and definition.test.family:
        for family in families.values():
            _correct(values, family)
    return values


def seed_values(place: Place, results: Results) -> dict[int, float]:
    """The finite values of a cell by seed."""
    values = results.values(place.method, place.quantity, K=place.K, checkpoint=place.checkpoint)
    return {
        seed: value
        for seed, value in values.items()
        if math.isfinite(value) and (place.seeds is None or seed in place.seeds)
    }


def _correct(values: dict[Key, Value], family: Iterable[Key]) -> None:
    family = list(family)
    for key, p in zip(family, holm([values[key].p or 0.0 for key in family]), strict=True):
        values[key] = replace(values[key], p_holm=float(p))


def _value(row: str, column: str, place: Place, test: Test | None, results: Results) -> Value:
    by_seed = seed_values(place, results)
    numbers = np.array(list(by_seed.values()))
    value = Value(
        row=row,
        column=column,
        method=place.method,
        K=place.K,
        quantity=place.quantity,
        checkpoint=place.checkpoint,
        n=len(numbers),
        mean=float(numbers.mean()) if len(numbers) else None,
        sd=float(numbers.std(ddof=1)) if len(numbers) > 1 else None,
    )
    if test is None or not place.tested or place.method == test.against:
        return value
    if test.only is not None and place.method not in test.only:
        return value
    return _tested(value, by_seed, seed_values(replace(place, method=test.against), results), test)


def _tested(value: Value, by_seed: dict[int, float], reference: dict[int, float], test: Test) -> Value:
    seeds = sorted(by_seed.keys() & reference.keys())
    if not seeds:
        return value
    difference = np.array([by_seed[seed] - reference[seed] for seed in seeds])
    low, high = interval(difference) if len(seeds) > 1 else (None, None)
    two_sided = wilcoxon(difference)
    lower = quantity(value.quantity).better == "lower"
    p = wilcoxon(difference, "less" if lower else "greater") if test.improves else two_sided
    return replace(
        value, pairs=len(seeds), difference=float(difference.mean()), low=low, high=high, p=p, p_two_sided=two_sided
    )
