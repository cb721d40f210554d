"""Ranks with ties, and correlations in which items may count more than once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from votewise.arrays import F64, I64
from votewise.errors import UndefinedError

# Entropies that differ by less are ties: for the same votes in another order of classes, they differ by rounding.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Order:
    """Positions [n] in ascending order of value, with ties in their original order; `run` [n] numbers the distinct values."""

    place: I64
    run: I64


def rising(values: F64, within: float = 0.0) -> Order:
    """The ascending order of `values` [n]; neighbours at most `within` apart are ties.

    An unstable sort is three times faster than a stable sort, so the order of equal values is restored afterwards, by sorting
    integers.

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
    """Rank of each item [n] from 1; ties get their mean rank. Items may have counts [n].

    >>> mid_ranks(rising(np.array([0.5, 0.1, 0.5]))).tolist()
    [2.5, 1.0, 2.5]
    """
    size = np.bincount(order.run, None if count is None else count[order.place])
    middle = np.cumsum(size) - (size - 1) / 2
    ranks = np.empty(len(order.run))
    ranks[order.place] = middle[order.run]
    return ranks


def correlation(x: F64, y: F64, count: F64 | None = None, within: float = 0.0) -> float:
    """Pearson's correlation of x and y [n]; values not more than `within` apart are equal."""
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


def spearman(x: F64, y: F64) -> float:
    """Spearman's correlation of x and y [n], with mean ranks for ties; values within rounding are equal.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 8.0, 27.0]))
    1.0
    """
    return correlation(mid_ranks(rising(x, SAME)), mid_ranks(rising(y, SAME)))
