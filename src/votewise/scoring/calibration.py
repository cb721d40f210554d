"""Calibration of the predicted class over bins of confidence.

Items are sorted by confidence once. Every number is then computed from cumulative sums in that order: the sum over a bin
is the difference of two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import numpy as np

from votewise.arrays import F64, I64
from votewise.scoring.columns import Column, confidence, hit, hit_truth, vote_share
from votewise.scoring.declaration import Score
from votewise.scoring.item_table import Table, once_per_items, once_per_table
from votewise.scoring.ranks import Order, rising
from votewise.wording import counted

FEW = 10  # items per bin below which the hit rate of a bin is mostly noise
_NIXON = "Nixon et al. 2019, Measuring calibration in deep learning"
_GUO = "Guo et al. 2017, On calibration of modern neural networks"

Bins = Callable[[F64], F64]  # cumulative sums [n + 1] -> sums over bins


class Outcome(NamedTuple):
    """An outcome that confidence is compared with: suffixes for the key and the label of a score, a column, and its meaning."""

    suffix: str
    label: str
    column: Column
    meaning: str


OUTCOMES = {
    "majority": Outcome("", "", hit, "1 if the predicted class is the majority of the votes, else 0"),
    "votes": Outcome("_votes", " (votes)", vote_share, "the share of the votes that the predicted class has"),
    "truth": Outcome("_truth", " (truth)", hit_truth, "1 if the predicted class is the given true class, else 0"),
}


@once_per_items
def by_confidence(table: Table) -> Order:
    """The items in ascending order of confidence; ties keep the order of the data."""
    return rising(table[confidence])


@once_per_items
def in_order(table: Table, column: Column) -> F64:
    """A column [n] in ascending order of confidence."""
    return table[column][by_confidence(table).place]


@once_per_items
def gap(table: Table, outcome: Column) -> F64:
    """Confidence minus outcome [n] in ascending order of confidence."""
    return in_order(table, confidence) - in_order(table, outcome)


@once_per_table
def _counts(table: Table) -> F64 | None:
    return None if table.count is None else table.count[by_confidence(table).place]


def running(table: Table, values: F64 | float) -> F64:
    """Cumulative sums [n + 1] of values in ascending order of confidence; each item is added as often as it counts."""
    counts = _counts(table)
    sums = np.zeros(table.items + 1)
    np.cumsum(np.broadcast_to(values if counts is None else values * counts, table.items), out=sums[1:])
    return sums


@once_per_table
def running_items(table: Table) -> F64:
    return running(table, 1.0)


@once_per_table
def running_confidence(table: Table) -> F64:
    return running(table, in_order(table, confidence))


@once_per_table
def running_gap(table: Table, outcome: Column) -> F64:
    return running(table, gap(table, outcome))


@once_per_table
def running_gap_moment(table: Table, outcome: Column) -> F64:
    """Cumulative sums of the gap times the confidence."""
    return running(table, gap(table, outcome) * in_order(table, confidence))


def equal_mass(table: Table) -> Bins:
    """Bins whose sizes differ by at most one item; the first bins are the larger ones.

    If items on both sides of a bin edge have the same confidence, their outcomes are divided evenly between the two bins, so
    that the order of the items does not matter.
    """
    size, bins = round(table.total), min(table.bins, round(table.total))
    border = np.append(0, np.cumsum([size // bins + (place < size % bins) for place in range(bins)]))
    if table.count is None and by_confidence(table).run[-1] == table.items - 1:  # no two are equal
        return lambda sums: np.diff(sums[border])
    ends = _ends_of_equal(table)
    before = running_items(table)[ends]
    return lambda sums: np.diff(np.interp(border, before, sums[ends]))


@once_per_items
def _ends_of_equal(table: Table) -> I64:
    """The ends of the groups of equal confidence in ascending order, starting with 0."""
    return np.append(0, np.flatnonzero(np.diff(by_confidence(table).run, append=-1)) + 1)


def equal_width(table: Table, bins: int | None = None) -> Bins:
    """Bins (a, b] of equal width; a confidence of 0 is in the first."""
    border = _equal_width_borders(table, bins or table.bins)
    return lambda sums: np.diff(sums[border])


@once_per_items
def _equal_width_borders(table: Table, bins: int) -> I64:
    inner = np.searchsorted(in_order(table, confidence), np.arange(1, bins) / bins, side="right")
    return np.concatenate(([0], inner, [table.items]))


def expected_error(outcome: Column, bins: Callable[[Table], Bins], table: Table) -> float:
    """Expected calibration error: mean over items of the absolute gap of their bin."""
    table = table.known(outcome)
    return float(np.abs(bins(table)(running_gap(table, outcome))).sum() / table.total)


def _ece(bins: Callable[[Table], Bins], shape: str, citation: str, outcome: Outcome) -> Score:
    return Score(
        of=partial(expected_error, outcome.column, bins),
        columns=(confidence, outcome.column),
        key=f"ece_{bins.__name__}{outcome.suffix}",
        label=f"{bins.__name__.replace('_', '-').capitalize()} ECE{outcome.label}",
        meaning=f"sum over bins {shape} of |mean confidence - mean outcome| weighted by size; the outcome is {outcome.meaning}",
        unit="probability",
        bounds=(0.0, 1.0),
        better="lower",
        citation=citation,
        binned=True,
    )


ece_equal_mass, ece_equal_mass_votes, ece_equal_mass_truth = (
    _ece(equal_mass, "of equal size", _NIXON, outcome) for outcome in OUTCOMES.values()
)
ece_equal_width, ece_equal_width_votes, ece_equal_width_truth = (
    _ece(equal_width, "(a, b] of equal width", _GUO, outcome) for outcome in OUTCOMES.values()
)


def few_items_note(table: Table, scores: Iterable[Score]) -> list[str]:
    """A note if some of the scores use bins with few items."""
    if table.items >= FEW * table.bins or not any(score.binned for score in scores):
        return []
    return [
        f"{counted(table.items, 'item')} in {counted(table.bins, 'bin')}: with fewer than about {FEW} items in a bin, calibration errors are"
        f" too large; use at most {counted(max(table.items // FEW, 1), 'bin')} with bins= (--bins)"
    ]
