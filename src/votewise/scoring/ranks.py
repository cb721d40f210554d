"""Orders with their ties, and correlations that can count an item more than once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from votewise.arrays import F64, I64
from votewise.errors import UndefinedError

# Entropies of the same votes in another order of classes differ by a rounding: they are one value, and tie.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Order:
    """Positions [n] in rising order of value, equal values in the order they came; `run` [n] numbers the distinct ones."""

    place: I64
    run: I64


def rising(values: F64, within: float = 0.0) -> Order:
    """The order of `values` [n]; neighbours not more than `within` apart are one value.

    An unstable sort is three times faster than a stable one: the order inside runs of equal values is set after it, by
    sorting whole numbers.

    >>> rising(np.array([3.0, 1.0, 3.0, 2.0])).place.tolist()
    [1, 3, 0, 2]
    """
    place = np.argsort(values)
    ordered = values[place]
    new = ordered[1:] - ordered[:-1] > within
    run = np.zeros(len(values), np.int64)
    np.cumsum(new, out=run[1:])
    if not new.all():
        key = run * len(values)
        place = np.sort(key + place) - key
    return Order(place, run)


def mid_ranks(order: Order, count: F64 | None = None) -> F64:
    """Rank of each item [n] from 1, equal values sharing the mean of theirs; items may count [n] several times.

    >>> mid_ranks(rising(np.array([0.5, 0.1, 0.5]))).tolist()
    [2.5, 1.0, 2.5]
    """
    size = np.bincount(order.run, None if count is None else count[order.place])
    middle = np.cumsum(size) - (size - 1) / 2
    ranks = np.empty(len(order.run))
    ranks[order.place] = middle[order.run]
    return ranks


def correlation(x: F64, y: F64, count: F64 | None = None, within: float = 0.0) -> float:
    """Pearson's correlation of x and y [n]; values not more than `within` apart do not differ."""
    weight = np.ones(len(x)) if count is None else count
    total = weight.sum()
    x = x - weight @ x / total
    y = y - weight @ y / total
    spread = np.sqrt((weight @ (x * x)) * (weight @ (y * y)))
    if min(np.ptp(x), np.ptp(y)) <= within or not spread > 0:
        raise UndefinedError(
            "one of the two is the same for every item", remedy="a correlation needs items that differ"
        )
    return float(np.clip(weight @ (x * y) / spread, -1.0, 1.0))


def spearman(x: F64, y: F64, within: float = SAME) -> float:
    """Spearman's correlation of x and y [n], equal values sharing their mean rank; values `within` a rounding are equal.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 8.0, 27.0]))
    1.0
    """
    return correlation(mid_ranks(rising(x, within)), mid_ranks(rising(y, within)))
