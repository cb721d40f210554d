"""Margins and bounds: no difference that matters, a number above or below a bound."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from votewise.comparison.statistics import (
    FEWEST,
    bootstrap_interval,
    interval,
    seeds_for_equivalence,
    seeds_for_width,
    t_interval,
)
from votewise.papers.claims.together import all_of
from votewise.papers.claims.values import F64, Values, complete
from votewise.papers.claims.verdict import LEVEL, Cells, Verdict, enough, many, measured, simulated, span, too_few


def equivalent(
    values: Values | Cells,
    margin: float | Mapping[str, float],
    *,
    contradicts: Literal["both", "higher", "lower"] = "both",
) -> Verdict:
    """The 90 % interval of the mean lies inside the margin, in every cell; contradicted if in one it lies wholly outside, after Holm.

    Args:
        values: differences by seed, or several by the name of the cell.
        margin: the largest difference that does not matter, for all cells or by the name of the cell.
        contradicts: which side of the margin contradicts.
    """
    cells = values if isinstance(values, Mapping) else {"": values}
    verdicts = {
        name: _equivalent(cell, margin[name] if isinstance(margin, Mapping) else margin, contradicts)
        for name, cell in complete(cells).items()
    }
    return all_of(verdicts)


def _equivalent(values: Values, margin: float, contradicts: str) -> Verdict:
    n, x = len(values), values.numbers
    holds, against = np.zeros(x.shape[:-1], bool), np.ones(x.shape[:-1])
    if n >= FEWEST:
        low, high = t_interval(x, 1 - 2 * LEVEL)
        holds = (-margin < low) & (high < margin)
        sides = {"both": np.abs(x.mean(axis=-1)), "higher": x.mean(axis=-1), "lower": -x.mean(axis=-1)}
        against = _t_tail(x, sides[contradicts] - margin)
    ruling = enough(n, holds, against)
    if many(values):
        return simulated(ruling)
    reason = too_few(n)
    if n >= FEWEST:
        ends = (float(low), float(high))
        outside = ends[0] > margin or ends[1] < -margin
        place = "inside" if holds else "wholly outside" if outside else "not wholly inside"
        resampled = bootstrap_interval(x, 1 - 2 * LEVEL)
        reason = f"the 90 % interval {span(*ends)} is {place} ±{margin:.3g} (by bootstrap {span(*resampled)})"
        if outside and ruling.outcome != "contradicted":
            reason += ", on the side that does not contradict"
    return measured(ruling, values, reason, side="two-sided", seeds=seeds_for_equivalence(x, margin, LEVEL))


def above(values: Values, bound: float, *, contradicted_below: float | None = None, level: float = 0.95) -> Verdict:
    """The interval of the mean lies above a bound; contradicted if it lies below it, or below another bound.

    Args:
        values: numbers by seed.
        bound: the bound.
        contradicted_below: the bound below which the interval has to lie to contradict; default: the same.
        level: of the interval; 0.9 has the ends of the one-sided 95 % intervals.
    """
    return _bounded(values, bound, bound if contradicted_below is None else contradicted_below, level, 1)


def below(values: Values, bound: float, *, level: float = 0.95) -> Verdict:
    """The interval of the mean lies below a bound; contradicted if it lies above it."""
    return _bounded(values, bound, bound, level, -1)


def _bounded(values: Values, bound: float, other: float, level: float, sign: int) -> Verdict:
    values = values.finite()
    n, x = len(values), sign * values.numbers
    holds, against = np.zeros(x.shape[:-1], bool), np.ones(x.shape[:-1])
    if n >= FEWEST:
        low, _ = t_interval(x, level)
        holds = low > sign * bound
        against = np.minimum(1.0, LEVEL / ((1 - level) / 2) * _t_tail(x, sign * other - x.mean(axis=-1)))
    ruling = enough(n, holds, against)
    if many(values):
        return simulated(ruling)
    reason = too_few(n)
    if n >= FEWEST:
        place = {
            "reproduced": f"on the claimed side of {bound:.3g}",
            "contradicted": f"on the other side of {other:.3g}",
            "undecided": f"not clear of {bound:.3g}",
        }[ruling.outcome]
        reason = f"the {level:.0%} interval {span(*interval(values.numbers, level))} is {place}".replace("%", " %")
    room = abs(float(values.numbers.mean()) - bound) if n else 0.0
    found = measured(
        ruling,
        values,
        reason,
        side="two-sided",
        numbers={"bound": bound},
        seeds=seeds_for_width(values.numbers, room, level),
    )
    agree = int((x > sign * bound).sum())
    return replace(found, p=None, flip_p=None, test="", smallest_p=None, effect=None, agree=agree)


def _t_tail(x: F64, beyond: F64) -> F64:
    """The one-sided p of the t test that a mean [...] with the spread of x [..., n] is beyond zero by so much."""
    from scipy.special import stdtr

    n = x.shape[-1]
    error = x.std(axis=-1, ddof=1) / math.sqrt(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, stdtr(n - 1, -beyond / error), np.where(beyond > 0, 0.0, 1.0))
