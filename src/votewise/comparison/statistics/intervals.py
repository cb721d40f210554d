"""Intervals of the mean difference over seeds, one-sided t tests, and effect sizes."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from votewise import counter
from votewise.comparison.statistics.wilcoxon import F64, paired_differences
from votewise.errors import VotewiseError

RESAMPLES = 4000


def interval(differences: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """The t interval of the mean of differences [n], with n at least 2.

    >>> low, high = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> round(low, 4), round(high, 4)
    (1.0368, 4.9632)
    """
    d = _at_least_two(differences)
    half = half_width(len(d), float(d.std(ddof=1)), level)
    return float(d.mean()) - half, float(d.mean()) + half


def t_interval(values: ArrayLike, level: float = 0.95) -> tuple[F64, F64]:
    """The ends [...] of the t interval of the mean along the last axis of values [..., n], for many studies at once."""
    v = np.asarray(values, dtype=np.float64)
    half = half_width(v.shape[-1], 1.0, level) * v.std(axis=-1, ddof=1)
    return v.mean(axis=-1) - half, v.mean(axis=-1) + half


def half_width(n: int, sd: float, level: float) -> float:
    """Half the width of the t interval of a mean of n differences with standard deviation `sd`."""
    from scipy.special import stdtrit

    if not 0 < level < 1:
        raise VotewiseError(f"level must be between 0 and 1, got {level}", remedy="use for example 0.95")
    return float(stdtrit(n - 1, (1 + level) / 2)) * sd / math.sqrt(n)


def bootstrap_interval(differences: ArrayLike, level: float = 0.95, seed: int = 0) -> tuple[float, float]:
    """The bootstrap interval of the mean of differences [n]: seeds are drawn with replacement, and pairs stay together.

    It uses expanded percentiles (Hesterberg 2015), because plain percentiles are too narrow for few seeds.
    """
    from votewise.scoring import interval as around

    d = _at_least_two(differences)
    low, high = around(_shares(len(d), seed) @ d, float(d.mean()), len(d), level)
    return float(low), float(high)


@lru_cache(maxsize=16)
def _shares(n: int, seed: int) -> F64:
    """The share of each of n seeds in each bootstrap sample [RESAMPLES, n]."""
    key = counter.key("bootstrap-seeds", seed)
    sample = np.arange(RESAMPLES)[:, None]
    cell = sample * n + counter.below(counter.draw(key, sample, np.arange(n)[None, :]), n)
    return np.bincount(cell.ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n) / n


def effect_size(differences: ArrayLike) -> float:
    """The mean of differences [n] in standard deviations of a difference (n - 1).

    Infinite if all differences are equal and not zero.

    >>> effect_size([1.0, 2.0, 3.0])
    2.0
    """
    d = _at_least_two(differences)
    mean, sd = float(d.mean()), float(d.std(ddof=1))
    return mean / sd if sd else math.copysign(math.inf, mean) if mean else 0.0


def t_tail(values: F64, beyond: ArrayLike) -> F64:
    """The one-sided p-values [...] of the t test for a mean with the spread of values [..., n]."""
    from scipy.special import stdtr

    n = values.shape[-1]
    error = values.std(axis=-1, ddof=1) / math.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = stdtr(n - 1, -np.asarray(beyond) / error)
    return np.where(error > 0, spread, np.where(np.asarray(beyond) > 0, 0.0, 1.0))


def _at_least_two(differences: ArrayLike) -> F64:
    d = paired_differences(differences)
    if len(d) < 2:
        raise VotewiseError(f"{len(d)} differences have no spread", remedy="use at least two seeds")
    return d
