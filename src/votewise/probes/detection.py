"""How well a score separates two sets, where the second set should have larger values.

The results equal scikit-learn's, including ties. The functions are faster and need only NumPy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from votewise.probes.validation import F64, as_floats
from votewise.scoring import mid_ranks, rising


def auroc(inside: ArrayLike, outside: ArrayLike) -> float:
    """Probability that an item of `outside` [m] scores higher than one of `inside` [n], ties counting half; higher is better.

    >>> auroc([1.0, 2.0], [2.0, 3.0])
    0.875
    """
    low, high = _checked(inside, outside)
    ranks = mid_ranks(rising(np.concatenate((low, high))))[len(low) :]
    return float((ranks.sum() - len(high) * (len(high) + 1) / 2) / (len(low) * len(high)))


def fpr95(inside: ArrayLike, outside: ArrayLike) -> float:
    """Share of `outside` [m] below the lowest threshold that keeps 95 % of `inside` [n]; lower is better.

    >>> fpr95([1.0, 2.0], [2.0, 3.0])
    0.5
    """
    low, high = _checked(inside, outside)
    kept = -(-95 * len(low) // 100)
    return float((high <= np.partition(low, kept - 1)[kept - 1]).mean())


def aupr(inside: ArrayLike, outside: ArrayLike) -> float:
    """Average precision of finding `outside` [m] among both; higher is better, and it depends on the sizes of both.

    >>> aupr([1.0, 2.0], [3.0, 4.0])
    1.0
    """
    low, high = _checked(inside, outside)
    order = rising(-np.concatenate((low, high)))
    last = np.flatnonzero(np.diff(order.run, append=-1))  # ties share a threshold
    hits = np.cumsum(order.place >= len(low))[last]
    return float((hits / (last + 1)) @ np.diff(hits, prepend=0) / len(high))


def _checked(inside: ArrayLike, outside: ArrayLike) -> tuple[F64, F64]:
    return as_floats(inside, "inside", "n"), as_floats(outside, "outside", "n")
