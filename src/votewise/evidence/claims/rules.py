"""The closed set of rules that turn numbers over seeds into a verdict on a claim.

    direction    DIR     the mean difference has the claimed sign
    all_cells    ALL     it has it in every cell
    equivalent   EQ      there is no difference that matters
    number       NUM     a value lies above, or below, a bound
    monotone     MONO    values rise, or fall, from arm to arm
    count        COUNT   so many cells of so many have the claimed sign
    combine              a claim of several parts

Level 0.05 throughout; fewer than five seeds decide nothing. Differences are paired: one per seed, the same seeds in the same
order in every cell. A seed with a value that is no finite number is left out of the whole claim, and the sentence says so.

Where n is too small for Holm's correction to reject anything, a cell counts against a claim if all its seeds are on the other
side; such a verdict is marked as uncorrected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from votewise.comparison.statistics.equivalence import equivalence
from votewise.comparison.statistics.intervals import bootstrap_interval, interval
from votewise.comparison.statistics.power import (
    FEWEST,
    detectable_effect,
    seeds_for_direction,
    seeds_for_equivalence,
    seeds_for_width,
    smallest_p,
)
from votewise.comparison.statistics.trend import page_trend
from votewise.comparison.statistics.wilcoxon import F64, SAME, Side, agreement, holm, wilcoxon
from votewise.errors import VotewiseError
from votewise.evidence.claims.verdict import (
    Cell,
    Finding,
    Outcome,
    Verdict,
    beside,
    combine,
    finite,
    shared,
    shown,
    undecided,
)
from votewise.wording import counted

__all__ = [
    "Cell", "Finding", "Outcome", "Verdict", "all_cells", "combine", "count", "direction", "equivalent", "monotone", "number",
    "shown", "undecided",
]  # fmt: skip

Claimed = Literal["greater", "less"]
LEVEL = 0.05


def direction(
    differences: ArrayLike, *, claimed: Claimed = "greater", side: Side | None = None, family: int = 1
) -> Verdict:
    """DIR: the mean of differences [n] is above zero (or below, as `claimed`), by the exact one-sided signed-rank test.

    side    of the paper's own test, whose p is given; the claimed one unless named
    family  comparisons that Holm is asked over, for the number of seeds that would decide

    >>> direction([0.03, 0.01, 0.02, 0.05, 0.04]).outcome, direction([0.03, -0.01, 0.02, 0.05, 0.04]).outcome
    ('reproduced', 'undecided')
    """
    d, remark = finite(differences)
    outcome, why = _direction(_oriented(d, claimed))
    return beside(d, claimed, side, outcome, why + remark, seeds=seeds_for_direction(d, family))


def all_cells(cells: Mapping[str, ArrayLike], *, claimed: Claimed = "greater", side: Side | None = None) -> Verdict:
    """ALL: the claimed sign in every cell, name -> differences [n], and DIR on each seed's average over the cells.

    Contradicted by a cell that passes DIR the other way after Holm over the cells, or by the average.
    """
    names, table, remark = shared(cells)
    x, average = _oriented(table, claimed), table.mean(axis=0)
    outcome, why = _direction(_oriented(average, claimed))
    uncorrected = False
    if len(average) >= FEWEST:
        wrong, (against, by_seeds) = _without_sign(names, x), _against(names, x)
        why = f"{_signs(names, wrong)}; the average over cells has {why}"
        uncorrected = by_seeds and bool(against) and outcome != "contradicted"
        if against:
            outcome, why = "contradicted", f"{_other_way(against, by_seeds)}; {why}"
        elif wrong and outcome == "reproduced":
            outcome = "undecided"
    return beside(
        average,
        claimed,
        side,
        outcome,
        why + remark,
        seeds=seeds_for_direction(average),
        cells=_cells(names, table, claimed, side),
        uncorrected=uncorrected,
    )


def equivalent(differences: ArrayLike, margin: float, *, side: Side = "two-sided") -> Verdict:
    """EQ(margin): the 90 % interval of the mean of differences [n] lies inside (-margin, margin).

    Contradicted if it lies wholly outside. The p is that of the paper's own criterion, "not significant", which shows no equality.

    >>> equivalent([0.004, -0.002, 0.001, -0.003, 0.002], margin=0.025).outcome
    'reproduced'
    """
    d, remark = finite(differences)
    outcome, why = _too_few(len(d))
    if len(d) >= FEWEST:
        found, resampled = equivalence(d, margin, LEVEL), bootstrap_interval(d, 1 - 2 * LEVEL)
        inside, outside = -margin < found.low and found.high < margin, found.low > margin or found.high < -margin
        outcome = "reproduced" if inside else "contradicted" if outside else "undecided"
        place = "inside" if inside else "wholly outside" if outside else "not wholly inside"
        why = f"the 90 % interval {_span(found.low, found.high)} is {place} ±{margin:.3g} (by bootstrap {_span(*resampled)})"
    return beside(d, "two-sided", side, outcome, why + remark, seeds=seeds_for_equivalence(d, margin, LEVEL))


def number(
    values: ArrayLike,
    *,
    above: float | None = None,
    below: float | None = None,
    against: float | None = None,
    level: float = 0.95,
) -> Verdict:
    """NUM: the interval over seeds of values [n] lies above (or below) a bound; contradicted on the other side of it.

    against  the bound that the interval must be on the other side of to contradict, where that is not the same
    level    of the interval that decides; 0.9 has the ends of the one-sided 95 % intervals

    >>> number([0.94, 0.93, 0.95, 0.94, 0.92], above=0.9).outcome
    'reproduced'
    """
    bound = below if above is None else above
    if bound is None or None not in (above, below):
        raise VotewiseError("a number is held against one bound", remedy="give above= or below=")
    sign, other = -1 if above is None else 1, bound if against is None else against
    v, remark = finite(values)
    outcome, why = _too_few(len(v))
    if len(v) >= FEWEST:
        low, high = interval(v, level)
        near, far = (low, high) if sign > 0 else (high, low)  # the ends that the claim and its opposite turn on
        outcome, place = "undecided", f"not clear of {bound:.3g}"
        if sign * near > sign * bound:
            outcome, place = "reproduced", f"on the claimed side of {bound:.3g}"
        elif sign * far < sign * other:
            outcome, place = "contradicted", f"on the other side of {other:.3g}"
        why = f"the {level:.0%} interval {_span(low, high)} is {place}"
    room = abs(float(v.mean()) - bound) if len(v) else 0.0
    return replace(
        shown(v, why + remark), outcome=outcome, agree=int((sign * v > sign * bound).sum()), effect=None,
        seeds=seeds_for_width(v, room, level),
    )  # fmt: skip


def monotone(arms: Mapping[str, ArrayLike], *, falling: bool = False) -> Verdict:
    """MONO: the means rise (or fall) strictly from arm to arm, name -> values [n], and Page's exact trend test passes.

    Contradicted by a step that passes DIR the other way after Holm over the steps, which are the cells. Mean and interval are
    those of the last arm minus the first.
    """
    names, table, remark = shared(arms)
    if len(names) < 2:
        raise VotewiseError("a trend over one arm", remedy="give two arms or more")
    claimed: Claimed = "less" if falling else "greater"
    steps, whole, n = np.diff(table, axis=0), table[-1] - table[0], table.shape[1]
    labels = [f"{first} to {second}" for first, second in pairwise(names)]
    p, uncorrected = page_trend(_oriented(table, claimed).T), False
    outcome, why = _too_few(n)
    if n >= FEWEST:
        x = _oriented(steps, claimed)
        wrong, (against, by_seeds) = _without_sign(labels, x), _against(labels, x)
        outcome, why = (
            "undecided" if wrong or p > LEVEL else "reproduced",
            f"{_signs(labels, wrong, 'steps')}; trend p = {p:.3g}",
        )
        if against:
            outcome, why, uncorrected = "contradicted", f"{_other_way(against, by_seeds)}; {why}", by_seeds
    verdict = beside(
        whole,
        claimed,
        None,
        outcome,
        why + remark,
        seeds=seeds_for_direction(whole),
        cells=_cells(labels, steps, claimed, None),
        uncorrected=uncorrected,
    )
    smallest = math.factorial(len(names)) ** -float(n) if n else None
    return replace(verdict, p=p if n else None, test="Page's trend test, exact, one-sided", smallest_p=smallest)


def count(
    cells: Mapping[str, ArrayLike],
    at_least: int,
    *,
    claimed: Claimed = "greater",
    side: Side | None = None,
    published: Mapping[str, float] | None = None,
) -> Verdict:
    """COUNT: at least so many cells, name -> differences [n], pass DIR.

    Contradicted by a cell that passes the other way after Holm, even where enough of the others pass; and by too few cells
    where each had the power (0.8) to pass at its `published` mean difference with the spread it has here.
    """
    names, table, remark = shared(cells)
    x, average = _oriented(table, claimed), table.mean(axis=0)
    outcome, why = _too_few(len(average))
    uncorrected = False
    if len(average) >= FEWEST:
        passed = sum(_direction(row)[0] == "reproduced" for row in x)
        against, by_seeds = _against(names, x)
        outcome = "reproduced" if passed >= at_least else "undecided"
        why = f"{passed} of {counted(len(names), 'cell')} pass, {at_least} are claimed"
        if against:
            outcome, why, uncorrected = "contradicted", f"{_other_way(against, by_seeds)}; {why}", by_seeds
        elif passed < at_least and _powerful(names, x, published or {}, claimed):
            outcome, why = "contradicted", f"{why}, and every cell could show the published difference"
    needed = [seeds_for_direction(row) for row in x if len(row) and row.mean() > SAME]
    each = sorted(seeds for seeds in needed if seeds is not None)
    return beside(
        average,
        claimed,
        side,
        outcome,
        why + remark,
        seeds=each[at_least - 1] if len(each) >= at_least > 0 else None,
        cells=_cells(names, table, claimed, side),
        uncorrected=uncorrected,
    )


# --- what they share -------------------------------------------------------------------------------------------------


def _direction(x: F64) -> tuple[Outcome, str]:
    """DIR on differences [n] for which a positive sign is claimed."""
    if len(x) < FEWEST:
        return _too_few(len(x))
    mean = float(x.mean())
    if abs(mean) <= SAME:
        return "undecided", "a mean difference of zero"
    p = wilcoxon(x, "greater" if mean > 0 else "less")
    sign = "the claimed sign" if mean > 0 else "the other sign"
    if p > LEVEL:
        return "undecided", f"{sign}, with p = {p:.3g} above {LEVEL:g}"
    return "reproduced" if mean > 0 else "contradicted", f"{sign}, with p = {p:.3g}"


def _against(names: Sequence[str], x: F64) -> tuple[list[str], bool]:
    """The cells [m, n] that pass DIR the other way after Holm; or, and True, those with every seed there where Holm cannot reject."""
    if smallest_p(x.shape[1]) * len(x) > LEVEL:
        return [name for name, row in zip(names, x, strict=True) if (row < -SAME).all()], True
    adjusted = holm([wilcoxon(row, "less") for row in x])
    passed = (adjusted <= LEVEL) & (x.mean(axis=1) < -SAME)
    return [name for name, there in zip(names, passed, strict=True) if there], False


def _without_sign(names: Sequence[str], x: F64) -> list[str]:
    return [name for name, row in zip(names, x, strict=True) if not row.mean() > SAME]


def _powerful(names: Sequence[str], x: F64, published: Mapping[str, float], claimed: Claimed) -> bool:
    sign, least = 1 if claimed == "greater" else -1, detectable_effect(x.shape[1])
    return all(
        sign * published.get(name, 0.0) > least * float(row.std(ddof=1)) for name, row in zip(names, x, strict=True)
    )


def _cells(names: Sequence[str], table: F64, claimed: Claimed, side: Side | None) -> tuple[Cell, ...]:
    """DIR in each cell [m, n] on its own; the seeds are those with which it would survive Holm over the cells."""
    if not table.size:
        return tuple(Cell(name, "undecided", 0) for name in names)
    p = [wilcoxon(row, side or claimed) for row in table]
    ends = [interval(row) if len(row) > 1 else (None, None) for row in table]
    return tuple(
        Cell(
            name,
            _direction(_oriented(row, claimed))[0],
            len(row),
            float(row.mean()),
            low,
            high,
            own,
            float(adjusted),
            agreement(row, claimed)[0],
            seeds_for_direction(row, len(table)),
        )
        for name, row, (low, high), own, adjusted in zip(names, table, ends, p, holm(p), strict=True)
    )


def _oriented(d: F64, claimed: Claimed) -> F64:
    return d if claimed == "greater" else -d


def _too_few(n: int) -> tuple[Outcome, str]:
    return "undecided", f"{counted(n, 'shared seed')}, and a verdict takes at least {FEWEST}"


def _signs(names: Sequence[str], wrong: Sequence[str], things: str = "means") -> str:
    some = f", not {', '.join(wrong)}" if wrong else ""
    return f"{len(names) - len(wrong)} of {len(names)} {things} have the claimed sign{some}"


def _other_way(against: Sequence[str], by_seeds: bool) -> str:
    how = "in every seed, uncorrected because there are too few seeds for Holm" if by_seeds else "after Holm"
    return f"the other way {how}: {', '.join(against)}"


def _span(low: float, high: float) -> str:
    return f"[{low:.3g}, {high:.3g}]"
