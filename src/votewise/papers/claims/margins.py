"""Margins and bounds: no relevant difference, or a number above or below a bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from votewise.comparison.statistics import (
    bootstrap_interval,
    interval,
    seeds_for_equivalence,
    seeds_for_width,
    t_interval,
    t_tail,
)
from votewise.papers.claims.together import all_of
from votewise.papers.claims.values import F64, Values, complete
from votewise.papers.claims.verdict import LEVEL, Cells, Verdict, decided, span


def equivalent(
    values: Values | Cells,
    margin: float | Mapping[str, float],
    *,
    contradicts: Literal["both", "higher", "lower"] = "both",
) -> Verdict:
    """In every cell, the 90 % interval of the mean lies inside the margin. Contradicted if it lies completely outside in one cell, after Holm's correction.

    Args:
        values: differences by seed, or several by the name of the cell.
        margin: the largest irrelevant difference, for all cells or by the name of the cell.
        contradicts: which side of the margin contradicts.
    """
    cells = values if isinstance(values, Mapping) else {"": values}
    verdicts = {
        name: _equivalent(cell, margin[name] if isinstance(margin, Mapping) else margin, contradicts)
        for name, cell in complete(cells).items()
    }
    found = all_of(verdicts)
    means = [part.mean for part in verdicts.values() if part.mean is not None]
    if len(means) < 2 or isinstance(margin, Mapping):
        return found
    return replace(found, reason=f"{found.reason}; the means are between {min(means):.3g} and {max(means):.3g}")


def _equivalent(values: Values, margin: float, contradicts: str) -> Verdict:
    x = values.numbers
    low, high = _ends(values, 1 - 2 * LEVEL)
    holds = (-margin < low) & (high < margin)
    sides = {"both": np.abs(values.average), "higher": values.average, "lower": -values.average}
    against = _tail(values, sides[contradicts] - margin)

    def reason() -> str:
        outside = low > margin or high < -margin
        place = "inside" if holds else "completely outside" if outside else "not completely inside"
        resampled = span(*bootstrap_interval(x, 1 - 2 * LEVEL))
        text = f"the 90 % interval {span(float(low), float(high))} is {place} ±{margin:.3g} (bootstrap interval: {resampled})"
        return text + ("; this side does not contradict the claim" if outside and against > LEVEL else "")

    return decided(values, holds, against, reason, "two-sided", seeds=lambda: seeds_for_equivalence(x, margin, LEVEL))


def above(values: Values, bound: float, *, contradicted_below: float | None = None) -> Verdict:
    """The 95 % interval of the mean lies above a bound; contradicted if it lies below it, or below another bound.

    Args:
        values: numbers by seed.
        bound: the bound.
        contradicted_below: the claim is contradicted if the interval lies below this bound; default: `bound`.
    """
    return _bounded(values, bound, bound if contradicted_below is None else contradicted_below, 0.95, 1)


def below(values: Values, bound: float, *, level: float = 0.95) -> Verdict:
    """The interval of the mean lies below a bound; contradicted if it lies above it. Level 0.9 gives the ends of the one-sided 95 % intervals."""
    return _bounded(values, bound, bound, level, -1)


def _bounded(values: Values, bound: float, other: float, level: float, sign: int) -> Verdict:
    values = values.finite()
    low, high = _ends(values, level)
    holds = low > bound if sign > 0 else high < bound
    against = np.minimum(1.0, LEVEL / ((1 - level) / 2) * _tail(values, sign * (other - values.average)))

    def reason() -> str:
        ends = span(*interval(values.numbers, level))
        claimed, opposite = ("above", "below") if sign > 0 else ("below", "above")
        place = (
            f"{claimed} {bound:.3g}, as claimed"
            if holds
            else f"{opposite} {other:.3g}"
            if against <= LEVEL
            else f"neither {claimed} {bound:.3g} nor {opposite} {other:.3g}"
        )
        return f"the {level:.0%} interval {ends} is {place}".replace("%", " %")

    def seeds() -> int | None:
        room = abs(float(values.numbers.mean()) - bound) if len(values) else 0.0
        return seeds_for_width(values.numbers, room, level)

    agree = int((sign * values.numbers > sign * bound).sum())
    beside: dict[str, Any] = {"p": None, "flip_p": None, "test": "", "smallest_p": None, "effect": None, "agree": agree}
    return decided(values, holds, against, reason, "two-sided", seeds=seeds, numbers={"bound": bound}, **beside)


def _ends(values: Values, level: float) -> tuple[F64, F64]:
    """The ends [...] of the interval of the mean; infinite for fewer than two seeds."""
    if len(values) > 1:
        return t_interval(values.numbers, level)
    everywhere = np.full(values.numbers.shape[:-1], np.inf)
    return -everywhere, everywhere


def _tail(values: Values, beyond: F64) -> F64:
    return t_tail(values.numbers, beyond) if len(values) > 1 else np.ones_like(beyond)
