"""Directions: a mean above or below zero, in one comparison or in several, and a trend over several arms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from votewise.comparison.statistics import (
    FEWEST,
    SAME,
    agreement,
    holm,
    interval,
    page_trend_p,
    seeds_for_direction,
    sign_flip,
    smallest_p,
    wilcoxon,
    wilcoxon_p,
)
from votewise.errors import VotewiseError
from votewise.papers.claims.values import F64, Values, complete, mean
from votewise.papers.claims.verdict import (
    LEVEL,
    Cell,
    Cells,
    Verdict,
    enough,
    listed,
    many,
    measured,
    simulated,
    too_few,
)
from votewise.wording import counted

Direction = Callable[[Values], Verdict]  # higher or lower
Bools = NDArray[np.bool_]


def higher(values: Values) -> Verdict:
    """The mean of values over seeds is above zero.

    >>> from votewise.papers.claims.values import values_of
    >>> higher(values_of({0: 0.03, 1: 0.01, 2: 0.02, 3: 0.05, 4: 0.04})).outcome
    'reproduced'
    """
    values = values.finite()
    holds, against = _direction(values)
    ruling = enough(len(values), holds, against)
    if many(values):
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
    return complete({name: values if direction is higher else -values for name, values in cells.items()})


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
    ruling = enough(len(average), passes & (means > SAME).all(axis=-1), _against_every(given, p_average))
    if many(average):
        return simulated(ruling)
    wrong = [name for name, value in zip(given, means, strict=True) if not value > SAME]
    reason = too_few(len(average))
    if len(average) >= FEWEST:
        reason = f"{_signs(given, wrong)}; the average over cells has {_direction_reason(average)}"
        if opposite := _passing_the_other_way(given):
            reason = f"the other way after Holm's correction: {listed(opposite)}; {reason}"
    return measured(
        ruling, average, reason, side="greater", seeds=seeds_for_direction(average.numbers), cells=_cells(given)
    )


def each(direction: Direction, cells: Cells) -> Verdict:
    """The direction in every cell by itself; contradicted by a cell that passes the other way after Holm's correction."""
    given = _oriented(direction, cells)
    average = mean(given.values())
    found = [_direction(values) for values in given.values()]
    against = len(given) * np.min([p for _, p in found], axis=0)
    ruling = enough(len(average), np.all([holds for holds, _ in found], axis=0), against)
    if many(average):
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
    ruling = enough(len(average), agreed.sum(axis=-1) >= at_least, against)
    if many(average):
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


def _passing_the_other_way(given: Cells) -> list[str]:
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
        outcome = enough(len(d), holds, against).outcome
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
    ruling = enough(
        len(whole), (means > SAME).all(axis=-1) & (trend <= LEVEL), _against_trend(steps, page_trend_p(-table))
    )
    if many(whole):
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


def _signs(names: Sequence[str] | Cells, wrong: Sequence[str], things: str = "means") -> str:
    return f"{len(names) - len(wrong)} of {len(names)} {things} have the claimed sign" + (
        f", not {listed(wrong)}" if wrong else ""
    )


def _named(names: Sequence[str]) -> str:
    return f" ({listed(names)})" if names else ""
