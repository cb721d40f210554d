"""Statistics of several arms, with intervals by resampling seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from votewise import counter
from votewise.comparison.statistics import FEWEST
from votewise.papers.claims.values import F64, Values, shared
from votewise.papers.claims.verdict import Ruling, Verdict, no_ruling, simulated, too_few
from votewise.scoring import interval as around

RESAMPLES = 4000
Statistic = Callable[[F64], F64]  # maps values [arms, resamples, n] to one number per resample


def resamples(statistic: Statistic, table: F64, stream: int = 0) -> tuple[float, F64]:
    """A statistic of arms [arms, n], and its bootstrap values [resamples]; seeds are drawn with replacement, jointly for all arms."""
    n = table.shape[1]
    draws = counter.draw(counter.key("resampled-seeds", stream), np.arange(RESAMPLES)[:, None], np.arange(n)[None, :])
    return float(statistic(table[:, None, :])[0]), statistic(table[:, np.asarray(counter.below(draws, n))])


def middle(drawn: F64, value: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a statistic of n seeds from its bootstrap values [resamples], with expanded percentiles (Hesterberg 2015)."""
    low, high = around(drawn[np.isfinite(drawn)], value, n, level)
    return float(low), float(high)


def beyond(
    statistic: Statistic,
    arms: Sequence[Values],
    bound: float,
    reason: Callable[[float, float, float], str],
    contradicts: float = 0.95,
) -> Verdict:
    """A statistic of arms is above a bound: reproduced if its interval by resampling seeds is above the bound, contradicted if it is below.

    Args:
        statistic: function of values [arms, resamples, n].
        arms: values by seed.
        bound: the bound.
        reason: function that returns the reason, given the statistic and the ends of its interval.
        contradicts: level of the interval that must be below the bound to contradict; default: the level of the interval for reproduction.
    """
    several = shared(arms)
    n, table = len(several[0]), np.stack([arm.numbers for arm in several])
    if table.ndim > 2:  # in simulated worlds there is no resampling; the statistic alone decides
        return simulated(Ruling(statistic(table) > bound, np.ones(table.shape[1])))
    if n < FEWEST:
        return Verdict(outcome="undecided", reason=too_few(n), n=n, ruling=no_ruling())
    value, drawn = resamples(statistic, table)
    low, high = middle(drawn, value, n)
    below = middle(drawn, value, n, contradicts)[1] < bound
    ruling = Ruling(np.asarray(low > bound), np.asarray(0.0 if below else 1.0))
    words = reason(value, low, high)
    return Verdict(outcome=ruling.outcome, reason=words, n=n, mean=value, low=low, high=high, ruling=ruling)
