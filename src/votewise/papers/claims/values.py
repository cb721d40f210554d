"""Numbers by seed, and arithmetic on shared seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values:
    """One number per seed.

    Attributes:
        seeds: [n], ascending.
        numbers: [..., n]; the axes before the last are simulated worlds.
        swaps: whether these are run-swap differences of a quantity of pairs of runs, which change sign if the two methods are swapped.
        lost: the number of seeds that were left out because a number is not finite.
    """

    seeds: tuple[int, ...]
    numbers: F64
    swaps: bool = False
    lost: int = 0

    def __len__(self) -> int:
        return len(self.seeds)

    def __sub__(self, other: Values) -> Values:
        first, second = shared([self, other])
        return Values(first.seeds, first.numbers - second.numbers)

    def __truediv__(self, other: Values) -> Values:
        first, second = shared([self, other])
        with np.errstate(divide="ignore", invalid="ignore"):
            return Values(first.seeds, first.numbers / second.numbers)

    def __neg__(self) -> Values:
        return replace(self, numbers=-self.numbers)

    @property
    def average(self) -> F64:
        """The mean over seeds [...]; zero without seeds."""
        return np.asarray(self.numbers.mean(axis=-1)) if len(self) else np.zeros(self.numbers.shape[:-1])

    def log(self) -> Values:
        """The logarithms. A number without a logarithm becomes non-finite, and rules leave out its seed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return replace(self, numbers=np.where(self.numbers > 0, np.log(self.numbers), np.nan))

    def at(self, seeds: tuple[int, ...]) -> Values:
        """The numbers of some of the seeds."""
        if seeds == self.seeds:
            return self
        places = [self.seeds.index(seed) for seed in seeds]
        return replace(self, seeds=seeds, numbers=self.numbers[..., places])

    def finite(self) -> Values:
        """The values without seeds that have a non-finite number in any world."""
        kept = np.isfinite(self.numbers).all(axis=tuple(range(self.numbers.ndim - 1)))
        if kept.all():
            return self
        return replace(self.at(tuple(np.array(self.seeds)[kept].tolist())), lost=int((~kept).sum()))


def values_of(numbers: Mapping[int, float]) -> Values:
    """Values from numbers by seed.

    >>> (values_of({1: 0.5, 2: 0.75}) - values_of({2: 0.25, 3: 0.0})).numbers.tolist()
    [0.5]
    """
    seeds = tuple(sorted(numbers))
    return Values(seeds, np.array([numbers[seed] for seed in seeds], dtype=np.float64))


def shared(several: Iterable[Values]) -> list[Values]:
    """The values on their shared seeds."""
    every = list(several)
    seeds = tuple(sorted(set.intersection(*(set(values.seeds) for values in every)))) if every else ()
    return [values.at(seeds) for values in every]


def mean(several: Iterable[Values]) -> Values:
    """The mean per shared seed.

    >>> mean([values_of({1: 0.0, 2: 3.0}), values_of({2: 5.0})]).numbers.tolist()
    [4.0]
    """
    every = shared(several)
    lost = max(values.lost for values in every)
    return Values(every[0].seeds, np.mean([values.numbers for values in every], axis=0), lost=lost)


def complete(cells: Mapping[str, Values]) -> dict[str, Values]:
    """The cells on their shared seeds with finite numbers in all cells."""
    whole = shared(cells.values())
    kept = shared(values.finite() for values in whole)
    lost = len(whole[0]) - len(kept[0])
    return {name: replace(values, lost=lost) for name, values in zip(cells, kept, strict=True)}
