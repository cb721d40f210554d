"""The rules that turn numbers over seeds into a verdict.

    higher, lower    the mean is above (below) zero                    exact one-sided signed-rank test
    every            … in every cell                                   each mean, and the test on the average over cells
    each             … in every cell by itself                         the test in each
    unanimous        … in every seed, in so many cells
    equivalent       there is no difference that matters               90 % interval inside a margin, in every cell
    above, below     a number is above (below) a bound                 95 % interval
    monotone         numbers rise (fall) from arm to arm               each step's mean, and Page's exact trend test
    all_of           several verdicts together
    composed         claims together, which are counted on their own
    both_outcomes    the same claim with two definitions of the outcome
    shown            numbers without a verdict

Level 0.05 throughout. Fewer than five seeds decide nothing. A seed without a finite number is left out of the whole claim.

To contradict, the opposite of a claim has to be shown at the same level, over everything that the rule looks at: Holm's correction over the cells of a
claim and over its parts. A claim on every cell can be contradicted by one cell or by the average over cells, each at half the level. Where n is too small for one
cell to pass, only the average can contradict.

Values may have axes of simulated worlds before that of the seeds: then the rules decide in all worlds at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.comparison.statistics.intervals import bootstrap_interval, interval, t_interval
from votewise.comparison.statistics.power import (
    FEWEST,
    seeds_for_direction,
    seeds_for_equivalence,
    seeds_for_width,
    smallest_p,
)
from votewise.comparison.statistics.trend import page_trend_p
from votewise.comparison.statistics.wilcoxon import SAME, agreement, holm, sign_flip, wilcoxon, wilcoxon_p
from votewise.errors import VotewiseError
from votewise.papers.claims.values import F64, Values, mean, shared
from votewise.papers.claims.verdict import (
    LEVEL,
    Cell,
    Outcome,
    Ruling,
    Verdict,
    beside,
    measured,
    simulated,
    span,
    too_few,
)
from votewise.wording import counted

Cells = Mapping[str, Values]
Bools = NDArray[np.bool_]
Direction = Callable[[Values], Verdict]  # higher or lower
MOST_NAMED = 6  # cells that a reason names


# --- one comparison --------------------------------------------------------------------------------------------------


def higher(values: Values) -> Verdict:
    """The mean of values over seeds is above zero.

    >>> from votewise.papers.claims.values import values_of
    >>> higher(values_of({0: 0.03, 1: 0.01, 2: 0.02, 3: 0.05, 4: 0.04})).outcome
    'reproduced'
    """
    values = values.finite()
    holds, against = _direction(values)
    ruling = _enough(len(values), holds, against)
    if _many(values):
        return simulated(ruling)
    reason = _direction_reason(values)
    return measured(ruling, values, reason, side="greater", seeds=seeds_for_direction(values.numbers))


def lower(values: Values) -> Verdict:
    """The mean of values over seeds is below zero; the numbers beside it have their sign turned, so that positive is as claimed."""
    return higher(-values)


def _oriented(direction: Direction, cells: Cells) -> dict[str, Values]:
    """The cells with positive as claimed, on the seeds that all of them share and that have finite numbers in each."""
    if direction not in (higher, lower) or not cells:
        raise VotewiseError(f"{direction} of {len(cells)} cells", remedy="give higher or lower, and one cell or more")
    return _complete({name: values if direction is higher else -values for name, values in cells.items()})


def _complete(cells: Cells) -> dict[str, Values]:
    whole = shared(cells.values())
    kept = shared(values.finite() for values in whole)
    lost = len(whole[0]) - len(kept[0])
    return {name: replace(values, lost=lost) for name, values in zip(cells, kept, strict=True)}


def _direction(values: Values) -> tuple[Bools, F64]:
    """Whether the mean is above zero by the test, and the p of its being below."""
    x = values.numbers
    average = x.mean(axis=-1) if x.shape[-1] else np.zeros(x.shape[:-1])
    if values.swaps:
        up, down = (np.asarray(sign_flip(x, side)) for side in ("greater", "less"))
    else:
        up, down = wilcoxon_p(x, "greater"), wilcoxon_p(x, "less")
    return np.asarray((average > SAME) & (up <= LEVEL)), np.where(average < -SAME, down, 1.0)


def _direction_reason(values: Values) -> str:
    if len(values) < FEWEST:
        return too_few(len(values))
    average = float(values.numbers.mean())
    if abs(average) <= SAME:
        return "a mean difference of zero"
    test = sign_flip if values.swaps else wilcoxon
    p = test(values.numbers, "greater" if average > 0 else "less")
    sign = "the claimed sign" if average > 0 else "the other sign"
    return f"{sign}, with p = {p:.3g}" + (f" above {LEVEL:g}" if p > LEVEL else "")


# --- several comparisons ---------------------------------------------------------------------------------------------


def every(direction: Direction, cells: Cells) -> Verdict:
    """The claimed sign in every cell, and the direction on each seed's average over the cells."""
    given = _oriented(direction, cells)
    average = mean(given.values())
    means = _means(given)
    passes, p_average = _direction(average)
    ruling = _enough(len(average), passes & (means > SAME).all(axis=-1), _against_every(given, p_average))
    if _many(average):
        return simulated(ruling)
    wrong = [name for name, value in zip(given, means, strict=True) if not value > SAME]
    reason = too_few(len(average))
    if len(average) >= FEWEST:
        reason = f"{_signs(given, wrong)}; the average over cells has {_direction_reason(average)}"
        if opposite := _passing_the_other_way(given, p_average):
            reason = f"the other way after Holm's correction: {_listed(opposite)}; {reason}"
    return measured(
        ruling, average, reason, side="greater", seeds=seeds_for_direction(average.numbers), cells=_cells(given)
    )


def each(direction: Direction, cells: Cells) -> Verdict:
    """The direction in every cell by itself; contradicted by a cell that passes the other way after Holm's correction."""
    given = _oriented(direction, cells)
    average = mean(given.values())
    found = [_direction(values) for values in given.values()]
    against = len(given) * np.min([p for _, p in found], axis=0)
    ruling = _enough(len(average), np.all([holds for holds, _ in found], axis=0), against)
    if _many(average):
        return simulated(ruling)
    some = _cells(given)
    passed = [cell.name for cell in some if cell.outcome == "reproduced"]
    left = sum(cell.holm is not None and cell.holm <= LEVEL for cell in some)
    reason = too_few(len(average))
    if len(average) >= FEWEST:
        reason = f"{len(passed)} of {counted(len(some), 'cell')} pass{_named(passed)}, {left} after Holm's correction"
    needed = [cell.seeds for cell in some]
    return measured(
        ruling, average, reason, side="greater", cells=some,
        seeds=max(s for s in needed if s is not None) if needed and None not in needed else None,
    )  # fmt: skip


def unanimous(direction: Direction, cells: Cells, at_least: int, *, one_unit: bool = True) -> Verdict:
    """In at least so many cells every seed has the claimed sign; contradicted as a claim on every cell is.

    Cells without a common unit have no average: they contradict if too many of them go the other way for so many to be left.
    """
    given = _oriented(direction, cells)
    average = mean(given.values())
    agreed = np.stack([(values.numbers > SAME).all(axis=-1) for values in given.values()], axis=-1)
    against = _against_every(given, _direction(average)[1]) if one_unit else _against_count(given, at_least)
    ruling = _enough(len(average), agreed.sum(axis=-1) >= at_least, against)
    if _many(average):
        return simulated(ruling)
    names = [name for name, all_agree in zip(given, agreed, strict=True) if all_agree]
    reason = too_few(len(average))
    if len(average) >= FEWEST:
        reason = (
            f"all {len(average)} seeds agree in {len(names)} of {counted(len(given), 'cell')}; {at_least} are claimed"
        )
    return measured(
        ruling,
        average,
        reason,
        side="greater",
        cells=_cells(given),
        numbers={"unanimous": len(names), "claimed": at_least},
    )


def _against_count(given: Cells, at_least: int) -> F64:
    """The p against so many cells as claimed: of the cell with which too few are left, after Bonferroni's correction."""
    p = np.sort([_direction(values)[1] for values in given.values()], axis=0)
    return np.asarray(np.minimum(len(given) * p[len(given) - at_least], 1.0))


def _against_every(given: Cells, p_average: F64) -> F64:
    """The p against a claim on every cell: of the average, or of one cell after Holm; each at half the level where both can pass."""
    n, m = len(next(iter(given.values()))), len(given)
    if m == 1 or not n or 2 * m * smallest_p(n) > LEVEL:
        return p_average
    cells: F64 = np.min([_direction(values)[1] for values in given.values()], axis=0)
    return np.minimum(np.minimum(2 * p_average, 2 * m * cells), 1.0)


def _passing_the_other_way(given: Cells, p_average: F64) -> list[str]:
    n, m = len(next(iter(given.values()))), len(given)
    if m == 1 or 2 * m * smallest_p(n) > LEVEL:
        return []
    return [name for name, values in given.items() if 2 * m * float(_direction(values)[1]) <= LEVEL]


def _cells(given: Cells) -> tuple[Cell, ...]:
    """Each cell by itself."""
    if not given or not len(next(iter(given.values()))):
        return tuple(Cell(name, "undecided", 0) for name in given)
    p = wilcoxon_p(np.stack([values.numbers for values in given.values()]), "greater")
    found = []
    for (name, values), own, adjusted in zip(given.items(), p.tolist(), holm(p).tolist(), strict=True):
        holds, against = _direction(values)
        d = values.numbers
        low, high = interval(d) if len(d) > 1 else (None, None)
        outcome = _enough(len(d), holds, against).outcome
        seeds = seeds_for_direction(d, len(given))
        found.append(
            Cell(name, outcome, len(d), float(d.mean()), low, high, own, adjusted, agreement(d, "greater")[0], seeds)
        )
    return tuple(found)


def _means(given: Cells) -> F64:
    """The mean of each cell [..., m]."""
    return np.stack(
        [v.numbers.mean(axis=-1) if len(v) else np.zeros(v.numbers.shape[:-1]) for v in given.values()], axis=-1
    )


# --- equivalence and bounds ------------------------------------------------------------------------------------------


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
        for name, cell in _complete(cells).items()
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
    ruling = _enough(n, holds, against)
    if _many(values):
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
    ruling = _enough(n, holds, against)
    if _many(values):
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


# --- trends ----------------------------------------------------------------------------------------------------------


def monotone(arms: Cells, *, falling: bool = False) -> Verdict:
    """The means rise (or fall) strictly from arm to arm, and Page's exact trend test passes.

    Contradicted by the opposite trend, or by a step that passes the other way after Holm's correction over the steps, each at half the
    level. Mean and interval are those of the last arm minus the first, positive as claimed.
    """
    if len(arms) < 2:
        raise VotewiseError(f"{len(arms)} arms have no trend", remedy="give two arms or more")
    given = _oriented(lower if falling else higher, arms)
    names, rows = list(given), list(given.values())
    steps = {f"{first} to {second}": given[second] - given[first] for first, second in pairwise(names)}
    whole = rows[-1] - rows[0]
    table = np.stack([values.numbers for values in rows], axis=-1)
    means = _means(steps)
    trend = page_trend_p(table)
    ruling = _enough(
        len(whole), (means > SAME).all(axis=-1) & (trend <= LEVEL), _against_trend(steps, page_trend_p(-table))
    )
    if _many(whole):
        return simulated(ruling)
    n = len(whole)
    wrong = [name for name, value in zip(steps, means, strict=True) if not value > SAME]
    reason = f"{_signs(steps, wrong, 'steps')}; trend p = {float(trend):.3g}" if n >= FEWEST else too_few(n)
    found = measured(
        ruling, whole, reason, side="greater", seeds=seeds_for_direction(whole.numbers), cells=_cells(steps)
    )
    smallest = math.factorial(len(names)) ** -float(n) if n else None
    return replace(
        found, p=float(trend) if n else None, test="Page's trend test, exact, one-sided", smallest_p=smallest
    )


def _against_trend(steps: Cells, opposite: F64) -> F64:
    n, m = len(next(iter(steps.values()))), len(steps)
    if not n or 2 * m * smallest_p(n) > LEVEL:
        return opposite
    passing: F64 = np.min([_direction(values)[1] for values in steps.values()], axis=0)
    return np.minimum(np.minimum(2 * opposite, 2 * m * passing), 1.0)


# --- verdicts together -----------------------------------------------------------------------------------------------


def all_of(parts: Mapping[str, Verdict]) -> Verdict:
    """Reproduced if every part is; contradicted if one is after Holm's correction over the parts. Parts that are shown do not count."""
    return _together(parts, lambda against: np.asarray(len(against) * against.min(axis=0)))


def composed(parts: Mapping[str, Verdict]) -> Verdict:
    """Claims that are counted on their own: reproduced if every one is, contradicted if one is."""
    return _together(parts, lambda against: np.asarray(against.min(axis=0)))


def both_outcomes(majority: Verdict, votes: Verdict) -> Verdict:
    """A claim on calibration with the majority and with the vote share as the outcome: decided only if both say the same."""
    found = _together({"majority": majority, "vote share": votes}, lambda against: np.asarray(against.max(axis=0)))
    if _decides(majority) and _decides(votes) and majority.outcome != votes.outcome and not found.waits:
        reason = f"{majority.outcome} against the majority, {votes.outcome} against the vote share"
        return replace(found, reason=f"{reason}: {found.reason}" if found.reason else reason)
    return found


def agreeing(parts: Mapping[str, Verdict]) -> Verdict:
    """Claims that should point the same way: reproduced if every one is, contradicted if they go opposite ways."""
    found = composed(parts)
    holds, against = _rulings(parts)
    for_it, against_it = holds & (against > LEVEL), against <= LEVEL
    opposite = for_it.any(axis=0) & against_it.any(axis=0)
    ruling = Ruling(np.asarray(for_it.all(axis=0)), np.where(opposite, 0.0, 1.0))
    if np.ndim(ruling.holds):
        return simulated(ruling)
    return replace(found, outcome=ruling.outcome, ruling=ruling, against=None)


def _rulings(parts: Mapping[str, Verdict]) -> tuple[NDArray[np.bool_], F64]:
    """What the parts hold [parts, ...] and the p against each [parts, ...]."""
    rulings = [part.ruling for part in parts.values() if part.ruling is not None]
    return (
        np.stack(np.broadcast_arrays(*(ruling.holds for ruling in rulings))),
        np.stack(np.broadcast_arrays(*(ruling.against for ruling in rulings))),
    )


def _together(parts: Mapping[str, Verdict], correct: Callable[[F64], F64]) -> Verdict:
    if len(parts) == 1:
        return next(iter(parts.values()))
    deciding = {name: part for name, part in parts.items() if _decides(part)}
    if not deciding:
        return replace(_summary(parts), outcome="shown")
    holds, against = _rulings(parts)
    ruling = Ruling(np.asarray(np.all(holds, axis=0)), np.asarray(np.minimum(correct(against), 1.0)))
    if np.ndim(ruling.holds):
        return simulated(ruling)
    return replace(_summary(parts), outcome=ruling.outcome, against=float(ruling.against), ruling=ruling)


def _summary(parts: Mapping[str, Verdict]) -> Verdict:
    deciding = [part for part in parts.values() if _decides(part)] or list(parts.values())
    open_ = [part.seeds for part in deciding if part.outcome == "undecided"] or [part.seeds for part in deciding]
    cells = [
        Cell(name, part.outcome, part.n, part.mean, part.low, part.high, part.p, None, part.agree, part.seeds)
        for name, part in parts.items()
    ]
    return Verdict(
        outcome="undecided",
        reason=_summary_reason(parts),
        n=min(part.n for part in deciding),
        seeds=max(s for s in open_ if s is not None) if None not in open_ else None,
        cells=tuple(cells),
        parts=dict(parts),
    )


def _summary_reason(parts: Mapping[str, Verdict]) -> str:
    if all(part.outcome == "shown" for part in parts.values()):
        return "; ".join(f"{name}: {part.reason}" for name, part in parts.items())
    if len(parts) <= 3:
        return "; ".join(f"{name}: {part.outcome}, {part.reason}" for name, part in parts.items())
    names: dict[str, list[str]] = {}
    for name, part in parts.items():
        names.setdefault(part.outcome, []).append(name)
    done = len(names.pop("reproduced", []))
    return "; ".join(
        [f"{done} of {len(parts)} reproduced"]
        + [f"{len(some)} {outcome} ({_listed(some)})" for outcome, some in names.items()]
    )


def shown(values: Values | Cells) -> Verdict:
    """The mean of values, or of several by name, with its interval; no verdict."""
    if isinstance(values, Mapping):
        return all_of({name: shown(some) for name, some in values.items()})
    values = values.finite()
    if _many(values):
        return Verdict(outcome="shown")
    found = beside(values, "two-sided")
    reason = f"mean {found.mean:.3g}" if found.mean is not None else "no shared seed"
    return replace(found, reason=reason, p=None, flip_p=None, test="", smallest_p=None)


def verdict(outcome: Outcome, reason: str, **numbers: float) -> Verdict:
    """A verdict from a calculation."""
    ruling = Ruling(np.asarray(outcome == "reproduced"), np.asarray(0.0 if outcome == "contradicted" else 1.0))
    return Verdict(outcome=outcome, reason=reason, numbers=numbers, ruling=None if outcome == "shown" else ruling)


def holds(condition: bool, reason: str, **numbers: float) -> Verdict:
    """A calculation that holds or does not."""
    return verdict("reproduced" if condition else "contradicted", reason, **numbers)


# --- what they share -------------------------------------------------------------------------------------------------


def _decides(part: Verdict) -> bool:
    return part.ruling is not None


def _many(values: Values) -> bool:
    """Whether there are simulated worlds."""
    return values.numbers.ndim > 1


def _enough(n: int, holds: ArrayLike, against: ArrayLike) -> Ruling:
    """A ruling, where there are seeds enough for one."""
    if n < FEWEST:
        return Ruling(np.zeros_like(holds, dtype=bool), np.ones_like(against))
    return Ruling(np.asarray(holds, dtype=bool), np.asarray(against))


def _signs(names: Sequence[str] | Cells, wrong: Sequence[str], things: str = "means") -> str:
    return f"{len(names) - len(wrong)} of {len(names)} {things} have the claimed sign" + (
        f", not {_listed(wrong)}" if wrong else ""
    )


def _named(names: Sequence[str]) -> str:
    return f" ({_listed(names)})" if names else ""


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
