"""Directions: a mean above or below zero in one or several comparisons, and a trend over several arms."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from votewise.comparison.statistics import (
    SAME,
    agreement,
    holm,
    interval,
    page_trend_p,
    seeds_for_direction,
    sign_flip,
    smallest_p,
    wilcoxon_p,
    wilcoxon_sides,
)
from votewise.errors import VotewiseError
from votewise.papers.claims.values import F64, Values, complete, mean
from votewise.papers.claims.verdict import LEVEL, Cell, Cells, Verdict, decided, listed, ruling_of
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
    return decided(
        values,
        *_direction(values),
        lambda: f"the mean difference {_sign(values)}",
        "greater",
        seeds=lambda: seeds_for_direction(values.numbers),
    )


def lower(values: Values) -> Verdict:
    """The mean of values over seeds is below zero. The reported numbers have the opposite sign, so that positive means as claimed."""
    return higher(-values)


def _oriented(direction: Direction, cells: Cells) -> dict[str, Values]:
    """The cells with positive as claimed, on the shared seeds with finite numbers in all cells."""
    if direction not in (higher, lower) or not cells:
        raise VotewiseError(
            f"direction must be higher or lower with at least one cell, got {direction} and {len(cells)} cells"
        )
    return complete({name: values if direction is higher else -values for name, values in cells.items()})


def _direction(values: Values) -> tuple[Bools, F64]:
    """Whether the mean is above zero by the test, and the p-value for the opposite."""
    average = values.average
    up, down = _tests(values)
    return np.asarray((average > SAME) & (up <= LEVEL)), np.where(average < -SAME, down, 1.0)


def _tests(values: Values) -> tuple[F64, F64]:
    """The p-values for a mean above zero and below zero."""
    if not values.swaps:
        return wilcoxon_sides(values.numbers)
    return np.asarray(sign_flip(values.numbers, "greater")), np.asarray(sign_flip(values.numbers, "less"))


def _sign(values: Values) -> str:
    """The sign of the mean and the p-value of that side, as a predicate."""
    average = float(values.numbers.mean())
    if abs(average) <= SAME:
        return "is zero"
    p = float(_tests(values)[average < 0])
    sign = "claimed" if average > 0 else "opposite"
    return f"has the {sign} sign ({'not significant, ' if p > LEVEL else ''}p = {p:.3g})"


# --- several comparisons ---------------------------------------------------------------------------------------------


def every(direction: Direction, cells: Cells) -> Verdict:
    """The claimed sign in every cell, and the direction on each seed's average over the cells."""
    given = _oriented(direction, cells)
    average = mean(given.values())
    passes, p_average = _direction(average)
    holds = passes & np.all([values.average > SAME for values in given.values()], axis=0)

    def reason() -> str:
        text = f"{_signs(given)}; the average over cells {_sign(average)}"
        opposite = _passing_the_other_way(given)
        return (
            f"{text}; significant in the opposite direction after Holm's correction: {listed(opposite)}"
            if opposite
            else text
        )

    against = _against_every(given, p_average)
    return decided(
        average,
        holds,
        against,
        reason,
        "greater",
        seeds=lambda: seeds_for_direction(average.numbers),
        cells=lambda: _cells(given),
    )


def each(direction: Direction, cells: Cells) -> Verdict:
    """The direction in every cell separately; contradicted by a cell that passes in the opposite direction after Holm's correction."""
    given = _oriented(direction, cells)
    average = mean(given.values())
    holds, against = map(np.array, zip(*map(_direction, given.values()), strict=True))
    cells_alone = cache(partial(_cells, given))

    def reason() -> str:
        passed = [cell.name for cell in cells_alone() if cell.outcome == "reproduced"]
        left = sum(cell.holm is not None and cell.holm <= LEVEL for cell in cells_alone())
        named = f" ({listed(passed)})" if passed else ""
        return f"{len(passed)} of {counted(len(given), 'cell')} pass the test{named}; {left} after Holm's correction"

    def most_seeds() -> int | None:
        needed = [cell.seeds for cell in cells_alone()]
        return max((s for s in needed if s is not None), default=None) if None not in needed else None

    p = len(given) * against.min(axis=0)
    return decided(average, holds.all(axis=0), p, reason, "greater", seeds=most_seeds, cells=cells_alone)


def unanimous(direction: Direction, cells: Cells, at_least: int, *, one_unit: bool = True) -> Verdict:
    """In at least `at_least` cells, every seed has the claimed sign. It is contradicted like a claim about every cell.

    Cells without a common unit (`one_unit=False`) have no average. They contradict the claim if so many of them show the opposite that
    fewer than `at_least` are left.
    """
    given = _oriented(direction, cells)
    average = mean(given.values())
    count = np.sum([(values.numbers > SAME).all(axis=-1) for values in given.values()], axis=0)
    if one_unit:
        against = _against_every(given, _direction(average)[1])
    else:  # the p-value of the cell that leaves too few, after Bonferroni's correction
        p = np.sort([_direction(values)[1] for values in given.values()], axis=0)
        against = np.minimum(len(given) * p[len(given) - at_least], 1.0)

    def reason() -> str:
        return (
            f"all {len(average)} seeds agree in {count} of {counted(len(given), 'cell')}; the claim requires {at_least}"
        )

    return decided(
        average, count >= at_least, against, reason, "greater",
        cells=lambda: _cells(given), numbers=lambda: {"unanimous": int(count), "claimed": at_least},
    )  # fmt: skip


def _can_pass(given: Cells) -> bool:
    """Whether n is large enough for a single cell to contradict at half the level after Holm's correction."""
    n = len(next(iter(given.values())))
    return n > 0 and 2 * len(given) * smallest_p(n) <= LEVEL


def _against_every(given: Cells, p_average: F64) -> F64:
    """The p-value against a claim about every cell: of the average, or of one cell after Holm's correction, each at half the level if both can pass."""
    return p_average if len(given) == 1 else _against_cells(given, p_average)


def _against_cells(given: Cells, p_whole: F64) -> F64:
    if not _can_pass(given):
        return p_whole
    cells: F64 = np.min([_direction(values)[1] for values in given.values()], axis=0)
    return np.minimum(np.minimum(2 * p_whole, 2 * len(given) * cells), 1.0)


def _passing_the_other_way(given: Cells) -> list[str]:
    if len(given) == 1 or not _can_pass(given):
        return []
    return [name for name, values in given.items() if 2 * len(given) * float(_direction(values)[1]) <= LEVEL]


def _cells(given: Cells) -> tuple[Cell, ...]:
    """The verdict on each cell separately."""
    if not len(next(iter(given.values()))):
        return tuple(Cell(name, "undecided", 0) for name in given)
    p = wilcoxon_p(np.stack([values.numbers for values in given.values()]), "greater")
    found = []
    for (name, values), own, adjusted in zip(given.items(), p.tolist(), holm(p).tolist(), strict=True):
        d = values.numbers
        low, high = interval(d) if len(d) > 1 else (None, None)
        agree, seeds = agreement(d, "greater")[0], seeds_for_direction(d, len(given))
        alone = ruling_of(len(values), *_direction(values)).outcome
        found.append(Cell(name, alone, len(d), float(d.mean()), low, high, own, adjusted, agree, seeds))
    return tuple(found)


# --- trends ----------------------------------------------------------------------------------------------------------


def monotone(arms: Cells, *, falling: bool = False) -> Verdict:
    """The means rise (or fall) strictly from arm to arm, and Page's exact trend test passes.

    Contradicted by the opposite trend, or by a step that passes in the opposite direction after Holm's correction over the steps, each at half the
    level. Mean and interval are those of the last arm minus the first arm, with positive as claimed.
    """
    if len(arms) < 2:
        raise VotewiseError(f"a trend needs at least two arms, got {len(arms)}", remedy="add arms")
    given = _oriented(lower if falling else higher, arms)
    rows = list(given.values())
    steps = {f"{first} to {second}": given[second] - given[first] for first, second in pairwise(given)}
    whole, n = rows[-1] - rows[0], len(rows[0])
    table = np.stack([values.numbers for values in rows], axis=-1)
    rises = np.all([values.average > SAME for values in steps.values()], axis=0)
    trend = page_trend_p(table)
    return decided(
        whole,
        rises & (trend <= LEVEL),
        _against_cells(steps, page_trend_p(-table)),
        lambda: f"{_signs(steps, 'steps')}; the trend has p = {float(trend):.3g}",
        "greater",
        seeds=lambda: seeds_for_direction(whole.numbers),
        cells=lambda: _cells(steps),
        p=lambda: float(trend) if n else None,
        test="Page's trend test, exact, one-sided",
        smallest_p=math.factorial(len(rows)) ** -float(n) if n else None,
    )


def _signs(given: Cells, things: str = "means") -> str:
    wrong = [name for name, values in given.items() if not values.average > SAME]
    but = f" (not: {listed(wrong)})" if wrong else ""
    return f"{len(given) - len(wrong)} of {len(given)} {things} have the claimed sign{but}"
