"""A trend over ordered arms with shared seeds: the exact Page L test (Page 1963)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from votewise.comparison.statistics.wilcoxon import F64, SAME, doubled_ranks
from votewise.errors import VotewiseError

MOST_ARMS = 12  # the distribution of a seed is computed over 2**arms sets


def page_trend_p(values: ArrayLike) -> F64:
    """The p-values [...] of the test that values [..., n, arms] rise from the first arm to the last, with one row per seed, for many studies at once.

    L is the sum over arms of position times rank within the seed. Its distribution is exact, including ties: the mid-ranks of each seed
    in every order, with independent seeds.

    >>> round(float(page_trend_p([[1, 2, 3], [1, 2, 3], [1, 3, 2]])) * 6**3)  # of the orders of three ranks in three seeds
    7
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim < 2 or not 2 <= table.shape[-1] <= MOST_ARMS or not np.isfinite(table).all():
        raise VotewiseError(
            f"a trend cannot be tested on values of shape {table.shape}",
            remedy=f"use one row per seed and 2 to {MOST_ARMS} arms, with finite numbers",
        )
    *shape, n, arms = table.shape
    if not table.size:
        return np.ones(shape)
    studies = table.reshape(-1, n, arms)
    p = np.empty(len(studies))
    ordered = np.sort(studies, axis=2)
    plain = (np.diff(ordered, axis=2) > SAME).all(axis=(1, 2))
    ranks = np.argsort(np.argsort(studies, axis=2), axis=2) + 1
    place = np.arange(1, arms + 1)
    tail = _tail((tuple(range(2, 2 * arms + 1, 2)),) * n)
    p[plain] = tail[2 * (ranks[plain] @ place).sum(axis=1)]
    for study in np.flatnonzero(~plain):
        doubled = [doubled_ranks(row) for row in studies[study]]
        observed = sum(int(place @ row) for row in doubled)
        p[study] = _tail(tuple(tuple(sorted(row.tolist())) for row in doubled))[observed]
    return np.minimum(p, 1.0).reshape(shape)


@lru_cache(maxsize=256)
def _tail(ranks: tuple[tuple[int, ...], ...]) -> F64:
    """The probability that L is at least 0, 1, ..., for the ranks of each seed."""
    chance = np.ones(1)
    for row in ranks:
        chance = np.convolve(chance, _orders(row))
    return np.cumsum(chance[::-1])[::-1]


@lru_cache(maxsize=256)
def _orders(ranks: tuple[int, ...]) -> F64:
    """The probability of each sum 0, 1, ... of position times rank [arms], with all orders of the ranks equally likely."""
    most = sum(place * rank for place, rank in enumerate(ranks, start=1))
    by_set: dict[int, F64] = {0: np.eye(1, most + 1)[0]}  # ranks at the positions so far -> probability of each sum
    for place in range(1, len(ranks) + 1):
        longer: dict[int, F64] = {}
        for taken, chance in by_set.items():
            for which, rank in enumerate(ranks):
                if not taken >> which & 1:
                    moved = np.concatenate([np.zeros(place * rank), chance[: most + 1 - place * rank]])
                    key = taken | 1 << which
                    longer[key] = longer.get(key, np.zeros(1)) + moved / (len(ranks) - place + 1)
        by_set = longer
    return by_set[(1 << len(ranks)) - 1]
