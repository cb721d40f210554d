"""Exact tests for quantities of pairs of runs, for example CKA, that account for runs that are part of many pairs.

Two methods A and B have one run each per seed. If the methods do not differ, the two runs of a seed can be swapped without any other
change. There are 2**n such swaps. The statistic is the mean within A minus the mean within B. It is a
sum over seeds of terms whose sign changes if that seed is swapped,

    d_s = mean over t of  [ sim(A_s, A_t) + sim(A_s, B_t) ] - [ sim(B_s, A_t) + sim(B_s, B_t) ]

and d_s does not depend on which run of t is called A. So every sign-flip test of d, including Wilcoxon's, is an exact test of the swaps. Means of a
seed over its partners within one method are not exchangeable in this way: two of these means share a pair, and a test on them rejects up to four
times too often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from votewise import counter
from votewise.comparison.statistics.wilcoxon import F64, I64
from votewise.errors import VotewiseError

Pairs = Mapping[tuple[int, int], float]  # by the seeds of the two runs

ENUMERATED = 12  # up to this number of seeds, all 2**n subsets are used for an interval
SUBSETS = 20_000  # number of subsets drawn for more seeds


@dataclass(frozen=True, eq=False)
class RunSwap:
    """Two methods compared on a quantity of pairs of runs.

    Attributes:
        seeds: seeds whose pairs are complete.
        difference: [n] the terms d_s, for `sign_flip` and `swap_interval`; their mean is the mean within the first method minus the mean within the second.
    """

    seeds: tuple[int, ...]
    difference: F64


def run_swap(within_first: Pairs, within_second: Pairs, between: Pairs) -> RunSwap:
    """The run-swap comparison of two methods.

    Args:
        within_first: the quantity for two runs of the first method, by their seeds, in either order.
        within_second: the quantity for two runs of the second method, by their seeds, in either order.
        between: the quantity for a run of the first method and a run of the second method, by their seeds in this order.

    Returns:
        The comparison on the seeds whose pairs are all present; a seed with a missing pair is left out.

    Raises:
        VotewiseError: if fewer than two seeds are left.

    Example:
        >>> from votewise.comparison import sign_flip
        >>> alike = {(0, 1): 0.9, (0, 2): 0.8, (1, 2): 0.9}
        >>> less = {(0, 1): 0.6, (0, 2): 0.5, (1, 2): 0.7}
        >>> crossed = {(s, t): 0.7 for s in range(3) for t in range(3) if s != t}
        >>> difference = run_swap(alike, less, crossed).difference
        >>> round(float(difference.mean()), 4), sign_flip(difference, "greater")
        (0.2667, 0.125)
    """
    first, second = (
        {**pairs, **{(t, s): value for (s, t), value in pairs.items()}} for pairs in (within_first, within_second)
    )
    seeds = _complete(first, second, between)
    if len(seeds) < 2:
        raise VotewiseError(
            f"run_swap needs at least two seeds with all pairs, got {len(seeds)}",
            remedy="probe every pair of runs of the two methods for at least two seeds",
        )

    def table(pairs: Pairs) -> F64:
        return np.array([[0.0 if s == t else pairs[s, t] for t in seeds] for s in seeds])

    ab = table(between)
    terms = table(first) - table(second) + ab - ab.T
    return RunSwap(seeds, terms.sum(axis=1) / (len(seeds) - 1))


def _complete(first: Pairs, second: Pairs, between: Pairs) -> tuple[int, ...]:
    """The remaining seeds after repeatedly removing the seed with the most missing pairs until no pair is missing."""
    seeds = sorted({s for pair in first for s in pair} & {s for pair in second for s in pair})
    while seeds:
        lost = {
            s: sum((s, t) not in pairs for t in seeds if t != s for pairs in (first, second, between))
            + sum((t, s) not in between for t in seeds if t != s)
            for s in seeds
        }
        worst = max(seeds, key=lambda s: (lost[s], s))
        if not lost[worst]:
            return tuple(seeds)
        seeds.remove(worst)
    return ()


def swap_interval(difference: F64, level: float = 0.95) -> tuple[float, float] | None:
    """The shifts that a sign-flip test on the mean of differences [n] does not reject, two-sided at 1 - level.

    They lie between two of the ordered means of all subsets (Hartigan 1969): exact for any symmetric distribution. All subsets are used for up to 12
    seeds, and drawn subsets for more seeds. None if n is too small: a 95 % interval needs six seeds.

    >>> swap_interval(np.array([0.1, 0.2, 0.3, 0.2, 0.1])) is None
    True
    """
    n = len(difference)
    subsets = _subsets(n)
    outside = int((1 - level) / 2 * (len(subsets) + 1))
    if outside < 1:
        return None
    means = np.sort(subsets @ difference / subsets.sum(axis=1))
    return float(means[outside - 1]), float(means[-outside])


@lru_cache(maxsize=8)
def _subsets(n: int) -> I64:
    """Membership (1) in non-empty subsets of n seeds [subsets, n]: all subsets, or drawn subsets."""
    if n <= ENUMERATED:
        return np.arange(1, 2**n)[:, None] >> np.arange(n)[None, :] & 1
    bits = counter.draw(counter.key("subsets-of-seeds", 0), np.arange(SUBSETS)[:, None], np.arange(n)[None, :])
    members = (bits & np.uint64(1)).astype(np.int64)
    return np.asarray(members[members.any(axis=1)])
