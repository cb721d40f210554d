"""No difference that matters: two one-sided tests against a margin (Schuirmann 1987).

That a difference is not significant does not show that there is none; that its interval lies inside a margin does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from votewise.comparison.statistics.intervals import interval
from votewise.comparison.statistics.wilcoxon import paired_differences
from votewise.errors import VotewiseError


@dataclass(frozen=True)
class Equivalence:
    """p that the mean difference lies outside the margin, and the interval that lies inside it exactly if p is below the level."""

    p: float
    low: float
    high: float


def equivalence(differences: ArrayLike, margin: float, level: float = 0.05) -> Equivalence:
    """Whether the mean of differences [n] lies between -margin and margin; the interval is that at 1 - 2 level, 90 %.

    >>> found = equivalence([0.004, -0.002, 0.001, -0.003, 0.002], margin=0.025)
    >>> found.p < 0.05, -0.025 < found.low, found.high < 0.025
    (True, True, True)
    """
    from scipy.special import stdtr

    if not margin > 0:
        raise VotewiseError(
            f"a margin of {margin}", remedy="give the largest difference that does not matter, above zero"
        )
    low, high = interval(differences, 1 - 2 * level)
    d = paired_differences(differences)
    mean, error = float(d.mean()), float(d.std(ddof=1)) / math.sqrt(len(d))
    if not error:
        return Equivalence(float(abs(mean) >= margin), low, high)
    return Equivalence(float(stdtr(len(d) - 1, (abs(mean) - margin) / error)), low, high)
