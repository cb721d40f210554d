"""Paired tests over seeds, exact for small n: all patterns of signs are equally likely if there is no difference.

The signed-rank test (Wilcoxon 1945) with mid-ranks enumerates the signs given the observed ranks, including ties;
zeros are dropped. scipy's "exact" method requires ranks without ties, and accuracies on 2,000 items are often tied.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise import counter
from votewise.errors import VotewiseError

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Side = Literal["two-sided", "greater", "less"]

# 0.87 - 0.86 and 0.86 - 0.85 differ by rounding: differences of scores that are closer than this are tied.
SAME = 1e-10
ENUMERATED = 20  # up to this number of pairs, all 2**n sign flips are enumerated
DRAWS = 100_000  # sign flips drawn for more pairs than that
_BLOCK = 1024  # sign flips per block


def paired_differences(values: ArrayLike) -> F64:
    """Validate differences [n], one per seed, as finite numbers."""
    differences = np.asarray(values, dtype=np.float64)
    if differences.ndim != 1 or not np.isfinite(differences).all():
        raise VotewiseError(
            f"differences must be a list of finite numbers, got shape {differences.shape}",
            remedy="pass one difference per seed, without missing values",
        )
    return differences


def wilcoxon(differences: ArrayLike, side: Side = "two-sided") -> float:
    """The p-value of the exact signed-rank test of differences [n]; the alternative "greater" means above zero.

    The two-sided p-value is twice the smaller one-sided value, at most 1. If all differences are zero, p is 1.

    >>> wilcoxon([0.3, 0.1, 0.2, 0.5, 0.4], "greater"), wilcoxon([0.3, 0.1, 0.2, 0.5, 0.4])
    (0.03125, 0.0625)
    """
    return float(wilcoxon_p(paired_differences(differences), side))


def wilcoxon_p(differences: ArrayLike, side: Side = "two-sided") -> F64:
    """The p-values [...] of the exact signed-rank test along the last axis of differences [..., n], for many studies at once.

    >>> wilcoxon_p([[0.3, 0.1, 0.2, 0.5, 0.4], [-0.3, 0.1, 0.2, 0.5, 0.4]], "greater").tolist()
    [0.03125, 0.15625]
    """
    greater, less = wilcoxon_sides(differences)
    two_sided = np.minimum(1.0, 2 * np.minimum(greater, less))
    return np.asarray({"greater": greater, "less": less, "two-sided": two_sided}[side])


def wilcoxon_sides(differences: ArrayLike) -> tuple[F64, F64]:
    """The p-values [...] for differences [..., n] above zero and below zero."""
    d = np.asarray(differences, dtype=np.float64)
    n = d.shape[-1]
    if not d.size:
        return np.ones(d.shape[:-1]), np.ones(d.shape[:-1])
    rows = d.reshape(-1, n)
    sizes = np.abs(rows)
    order = np.argsort(sizes, axis=1)
    gaps = np.diff(np.take_along_axis(sizes, order, axis=1), axis=1, prepend=0.0)
    plain = (gaps > SAME).all(axis=1)  # neither zeros nor ties: the ranks are 1 to n
    positive = np.take_along_axis(rows, order, axis=1) > 0
    greater, less = _tails(n)
    at = positive @ np.arange(1, n + 1)
    p = np.stack([greater[at], less[at]])
    for row in np.flatnonzero(~plain):
        p[:, row] = _with_ties(rows[row])
    return p[0].reshape(d.shape[:-1]), p[1].reshape(d.shape[:-1])


def _with_ties(d: F64) -> tuple[float, float]:
    """The p-values of both sides given the ranks of differences [n], including ties; zeros are dropped."""
    d = d[np.abs(d) > SAME]
    doubled = doubled_ranks(np.abs(d))
    chance = rank_sums(tuple(sorted(doubled.tolist())))
    at = int(doubled[d > 0].sum())
    return float(chance[at:].sum()), float(chance[: at + 1].sum())


@lru_cache(maxsize=64)
def _tails(n: int) -> tuple[F64, F64]:
    """The probabilities that a sum of ranks 1 to n is at least, and at most, 0, 1, ..."""
    chance = rank_sums(tuple(range(1, n + 1)))
    return np.cumsum(chance[::-1])[::-1], np.cumsum(chance)


def sign_flip(differences: ArrayLike, side: Side = "two-sided", seed: int = 0) -> float:
    """The p-value of the sign-flip permutation test on the mean of differences [n].

    Exact for up to 20 pairs: the share of all 2**n sign patterns whose mean is at least as extreme. For more pairs, the share of 100,000
    patterns drawn with `seed` and the observed pattern.

    >>> sign_flip([0.3, 0.1, 0.2, 0.5, 0.4], "greater")
    0.03125
    """
    d = paired_differences(differences)
    observed, slack = d.sum(), SAME * max(len(d), 1)
    if len(d) <= ENUMERATED:
        sums = np.zeros(1)
        for size in np.abs(d):
            sums = np.concatenate([sums + size, sums - size])
    else:
        signs = _signs(len(d), seed)  # in blocks that fit the cache as floats
        sums = np.concatenate([[observed], *(signs[at : at + _BLOCK] @ d for at in range(0, DRAWS, _BLOCK))])
    greater, less = float((sums >= observed - slack).mean()), float((sums <= observed + slack).mean())
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[side]


@lru_cache(maxsize=4)
def _signs(n: int, seed: int) -> NDArray[np.int8]:
    """Patterns of n signs [100,000, n], drawn with `seed`."""
    bits = counter.draw(counter.key("sign-flip", seed), np.arange(DRAWS)[:, None], np.arange(n)[None, :])
    return (2 * (bits & np.uint64(1)).astype(np.int8) - 1).astype(np.int8)


def holm(p: ArrayLike) -> F64:
    """The p-values [m] of a family after Holm's (1979) correction, in the original order.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p, dtype=np.float64)
    if given.ndim != 1 or not ((given >= 0) & (given <= 1)).all():
        raise VotewiseError("p-values must be between 0 and 1", remedy="pass a list of p-values")
    order = np.argsort(given, kind="stable")
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1)
    return adjusted


def agreement(differences: ArrayLike, side: Side = "two-sided") -> tuple[int, int]:
    """The number of seeds on one side, and n; the two-sided number is that of the larger side.

    >>> agreement([0.1, 0.2, -0.1, 0.0]), agreement([0.1, 0.2, -0.1, 0.0], "less")
    ((2, 4), (1, 4))
    """
    d = paired_differences(differences)
    above, below = int((d > SAME).sum()), int((d < -SAME).sum())
    return {"greater": above, "less": below, "two-sided": max(above, below)}[side], len(d)


def doubled_ranks(sizes: F64) -> I64:
    """Twice the rank of each size [n], counted from 1; ties share their mean rank. The results are integers."""
    order = np.argsort(sizes)
    run = np.concatenate([[0], np.cumsum(np.diff(sizes[order]) > SAME)])[: len(sizes)]
    count = np.bincount(run, minlength=0)
    ranks = np.empty(len(sizes), np.int64)
    ranks[order] = (2 * np.cumsum(count) - count + 1)[run]
    return ranks


@lru_cache(maxsize=256)
def rank_sums(doubled: tuple[int, ...]) -> F64:
    """The probability of each sum 0, 1, ... of the doubled ranks [n] with a positive sign; exact up to n = 52.

    >>> (rank_sums((2, 4)) * 4).tolist()
    [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    """
    chance = np.zeros(sum(doubled) + 1)
    chance[0] = 1
    for rank in doubled:
        chance[rank:] = (
            chance[rank:] + chance[:-rank]
        ) / 2  # the right-hand side is computed completely before it is stored
        chance[:rank] /= 2
    chance.flags.writeable = False
    return chance
