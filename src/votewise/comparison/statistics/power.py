"""What exact paired tests can decide with n seeds, before and after the runs.

With n differences there are 2**n patterns of signs, equally likely if there is no difference; the most extreme pattern is one of them.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from votewise import counter
from votewise.comparison.statistics.intervals import effect_size, half_width
from votewise.comparison.statistics.wilcoxon import F64, SAME, paired_differences, rank_sums
from votewise.errors import VotewiseError
from votewise.limits import whole_number

Sides = Literal[1, 2]

POWER = 0.8
FEWEST = 5  # seeds that a verdict needs
MOST = 1_000_000  # upper limit of the search; no larger number of seeds is feasible
_SIMULATED, _DRAWS = 30, 4000  # seeds up to which the power is simulated; simulated studies


def smallest_p(seeds: int, sides: Sides = 1) -> float:
    """The smallest p-value that `seeds` pairs can give.

    >>> smallest_p(5), smallest_p(5, sides=2)
    (0.03125, 0.0625)
    """
    whole_number("seeds", seeds, 1)
    return min(1.0, float(sides) / 2.0**seeds)


def seeds_needed(cells: int = 1, sides: Sides = 1, level: float = 0.05) -> int:
    """The fewest seeds with which a comparison can survive Holm's correction over `cells` comparisons at `level`.

    >>> seeds_needed(12), seeds_needed(12, sides=2)
    (8, 9)
    """
    if cells < 1 or not 0 < level < 1:
        raise VotewiseError(
            f"cells must be at least 1 and level between 0 and 1, got {cells} and {level}",
            remedy="use for example level=0.05",
        )
    seeds = 1
    while smallest_p(seeds, sides) > level / cells:
        seeds += 1
    return seeds


@cache
def detectable_effect(seeds: int, level: float = 0.05) -> float:
    """The mean difference, in standard deviations, that the one-sided signed-rank test detects with power 0.8; infinite if there is none.

    For normal differences: simulated for up to 30 seeds, and by the normal approximation for more seeds (efficiency 3 / pi of the t test).
    """
    from scipy.special import ndtri

    if seeds > _SIMULATED:
        z = ndtri(1 - level)
        return float((z + ndtri(POWER)) / math.sqrt((seeds - z * z / 2) * 3 / math.pi))
    tail = np.cumsum(
        rank_sums(tuple(range(1, seeds + 1)))[::-1]
    )  # probability of the largest rank sum, of the two largest, ...
    passing = int((tail <= level).sum())
    return float(_effects(seeds)[passing - 1]) if passing else math.inf


@cache
def _effects(seeds: int) -> F64:
    """For tests that only the 1, 2, ... largest rank sums pass: the effect with which 0.8 of the simulated studies pass.

    The rank sum is the number of positive averages of two differences, including each with itself (Tukey 1949). So each simulated
    study determines the smallest shift of its differences with which it passes.
    """
    from scipy.special import ndtri

    first, second = np.triu_indices(seeds)
    place = np.arange(seeds)[None, :]
    x = ndtri(counter.uniform(counter.key("power", 0), np.arange(_DRAWS)[:, None], place))
    averages = np.sort((x[:, first] + x[:, second]) / 2, axis=1)
    return np.asarray(np.quantile(-averages, POWER, axis=0))


def seeds_for_direction(differences: ArrayLike, cells: int = 1, level: float = 0.05) -> int | None:
    """The fewest seeds with power 0.8 to detect the sign of a mean as large as that of differences [n], with their spread.

    One-sided, at the level that Holm's correction over `cells` comparisons requires of the smallest p-value; at least 5. None if the mean
    is zero, if the differences have no spread, or if more than a million seeds would be needed.
    """
    from scipy.special import ndtri

    d = paired_differences(differences)
    if len(d) < 2 or abs(float(d.mean())) <= SAME:
        return None
    effect, level = abs(effect_size(d)), level / cells
    for seeds in range(max(FEWEST, seeds_needed(level=level)), _SIMULATED + 1):
        if detectable_effect(seeds, level) <= effect:
            return seeds
    z = float(ndtri(1 - level))
    seeds = math.ceil(math.pi / 3 * ((z + float(ndtri(POWER))) / effect) ** 2 + z * z / 2)
    return max(seeds, _SIMULATED + 1) if seeds <= MOST else None


def seeds_for_equivalence(differences: ArrayLike, margin: float, level: float = 0.05) -> int | None:
    """The fewest seeds whose 90 % interval around the mean of differences [n], with their spread, fits inside the margin.

    None if the mean lies outside the margin.
    """
    room = margin - abs(float(np.mean(np.asarray(differences, dtype=np.float64)))) if np.size(differences) else 0.0
    return seeds_for_width(differences, room, 1 - 2 * level)


def seeds_for_width(differences: ArrayLike, room: float, level: float) -> int | None:
    """The fewest seeds, at least 5, whose t interval at `level` has a half-width below `room`; None if there are none."""
    from scipy.special import ndtri

    d = paired_differences(differences)
    if len(d) < 2 or room <= 0:
        return None
    sd = float(d.std(ddof=1))
    seeds = max(FEWEST, math.floor(min((float(ndtri((1 + level) / 2)) * sd / room) ** 2, 2 * MOST)))
    while seeds <= MOST and half_width(seeds, sd, level) >= room:  # t is a little wider than normal
        seeds += 1
    return seeds if seeds <= MOST else None
