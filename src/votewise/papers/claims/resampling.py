"""Intervals of a statistic of several means by resampling seeds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.papers.claims.values import F64

RESAMPLES = 4000


def resampled(statistic: Callable[[F64], F64], table: F64, level: float = 0.95, stream: int = 0) -> tuple[float, float]:
    """The interval of a statistic of the means [m] of arms [m, n] over seeds, by drawing seeds with replacement.

    Args:
        statistic: of means [m, resamples], one for each resample.
        table: [m, n]; a drawn seed is drawn for all arms.
        level: of the interval.
        stream: which draws to use.
    """
    statistics = statistic(table[:, drawn(table.shape[1], stream)].mean(axis=2))
    return percentiles(statistics, level)


def drawn(n: int, stream: int = 0) -> NDArray[np.int64]:
    """Places of n seeds drawn with replacement [resamples, n]."""
    key = counter.key("resampled-seeds", stream)
    return np.asarray(counter.below(counter.draw(key, np.arange(RESAMPLES)[:, None], np.arange(n)[None, :]), n))


def percentiles(statistics: F64, level: float) -> tuple[float, float]:
    """The middle part of statistics [resamples]."""
    low, high = np.quantile(statistics[np.isfinite(statistics)], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
