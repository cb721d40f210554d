"""Calibration of the predicted class: does it come true as often as the model is sure of it?

The confidence of an item is its largest probability. What comes true (the outcome) is one of three: the predicted class is
the majority of the votes; the share of the votes that it has; it is the given true class. ECE is no mean over items: it
is computed once over all of them, never over batches.

Items are sorted by confidence once. Every number here is then made of running sums along that order: the sum over a bin
is the difference of two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from votewise.scoring.facts import Better, Score, scored
from votewise.scoring.ranks import rising
from votewise.scoring.table import F64, I64, Table
from votewise.wording import counted

# suffix of the name -> column of the outcome, and what it is
OUTCOMES = {
    "": ("hit", "1 where the predicted class is the majority of the votes, else 0"),
    "_votes": ("vote_share", "the share of the votes that the predicted class has"),
    "_truth": ("hit_truth", "1 where the predicted class is the given true class, else 0"),
}
_FEW = 10  # items in a bin, below which its hit rate is mostly chance
_NIXON = "Nixon et al. 2019, Measuring calibration in deep learning"
_GUO = "Guo et al. 2017, On calibration of modern neural networks"
_STEPHENSON = "Stephenson, Coelho and Jolliffe 2008, Two extra components in the Brier score decomposition"


def confidence(table: Table) -> F64:
    """Confidences [n] in rising order, equal ones in the order of the data."""
    return sorted_column(table, "confidence")


def sorted_column(table: Table, name: str) -> F64:
    """A column [n] in rising order of confidence."""
    place = table.once("by confidence", lambda: rising(table["confidence"])).place
    return table.once(f"sorted {name}", lambda: table[name][place])


def running(table: Table, name: str, make: Callable[[], F64 | float]) -> F64:
    """Running sums [n + 1] along rising confidence of what `make` gives, each item as often as it counts."""

    def sums() -> F64:
        values = make()
        count = table.count
        if count is not None:
            place = table.once("by confidence", lambda: rising(table["confidence"])).place
            values = values * table.once_here("sorted count", lambda: count[place])
        out = np.zeros(table.items + 1)
        np.cumsum(np.broadcast_to(values, table.items), out=out[1:])
        return out

    return table.once_here(f"running {name}", sums)


def running_items(table: Table) -> F64:
    return running(table, "items", lambda: 1.0)


def running_confidence(table: Table) -> F64:
    return running(table, "confidence", lambda: confidence(table))


def gap(table: Table, outcome: str) -> F64:
    """Confidence minus outcome [n] in rising order of confidence."""
    return table.once(f"gap {outcome}", lambda: confidence(table) - sorted_column(table, outcome))


def running_gap(table: Table, outcome: str) -> F64:
    return running(table, f"gap {outcome}", lambda: gap(table, outcome))


def running_gap_moment(table: Table, outcome: str) -> F64:
    """Running sums of the gap times the confidence."""
    return running(table, f"gap moment {outcome}", lambda: gap(table, outcome) * confidence(table))


def equal_mass(table: Table) -> Callable[[F64], F64]:
    """Running sums -> sums over bins whose sizes differ by one at most, the first ones having the one more.

    Every item is in a bin. Items of equal confidence that a border parts are shared evenly between its sides, so that the
    order of the items does not matter.
    """
    border = _borders(round(table.total), table.bins)
    run = table.once("by confidence", lambda: rising(table["confidence"])).run
    if table.count is None and run[-1] == table.items - 1:  # no two are equal
        return lambda sums: np.diff(sums[border])
    ends = table.once("ends of equal confidences", lambda: np.append(0, np.flatnonzero(np.diff(run, append=-1)) + 1))
    before = running_items(table)[ends]
    return lambda sums: np.diff(np.interp(border, before, sums[ends]))


def _borders(size: int, bins: int) -> I64:
    bins = min(bins, size)
    return np.concatenate(([0], np.cumsum([size // bins + (place < size % bins) for place in range(bins)])))


def equal_width(table: Table, bins: int) -> Callable[[F64], F64]:
    """Running sums -> sums over `bins` bins (a, b] of equal width; a confidence of 0 is in the first."""

    def borders() -> I64:
        inner = np.searchsorted(confidence(table), np.arange(1, bins) / bins, side="right")
        return np.concatenate(([0], inner, [table.items]))

    border = table.once(f"{bins} equal widths", borders)
    return lambda sums: np.diff(sums[border])


def error(table: Table, outcome: str, bins: Callable[[F64], F64]) -> float:
    """Expected calibration error: mean over items of the absolute gap of their bin."""
    return float(np.abs(bins(running_gap(table, outcome))).sum() / table.total)


def _ece(kind: str, suffix: str) -> Score:
    outcome, what = OUTCOMES[suffix]
    shape = "of equal size" if kind == "equal_mass" else "(a, b] of equal width"

    @scored(
        f"sum over bins {shape} of |mean confidence - mean outcome| weighted by size; the outcome is {what}",
        columns=f"confidence {outcome}",
        unit="probability",
        bounds=(0.0, 1.0),
        better="lower",
        cite=_NIXON if kind == "equal_mass" else _GUO,
        name=f"ece_{kind}{suffix}",
    )
    def score(table: Table) -> float:
        return error(table, outcome, equal_mass(table) if kind == "equal_mass" else equal_width(table, table.bins))

    return score


ECE = {f"ece_{kind}{suffix}": _ece(kind, suffix) for kind in ("equal_mass", "equal_width") for suffix in OUTCOMES}


def notes(table: Table, names: Iterable[str]) -> list[str]:
    """What to know of the scores with bins among `names`."""
    binned = [name for name in names if name in ECE or name in BRIER_PARTS]
    found = []
    if binned and table.items < _FEW * table.bins:
        found.append(
            f"{counted(table.items, 'item')} in {counted(table.bins, 'bin')}: with fewer than about {_FEW} in a bin, calibration errors are too"
            f" large by chance; give at most {counted(max(table.items // _FEW, 1), 'bin')} with bins= (--bins)"
        )
    return found


@dataclass(frozen=True)
class BrierParts:
    """Parts of the Brier score of the predicted class: top_label = reliability - resolution + uncertainty + within_bins."""

    top_label: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


def brier_parts(table: Table) -> BrierParts:
    """The decomposition over the bins of the equal-mass ECE, with the outcome against the majority.

    Murphy's three parts add up only where all confidences of a bin are equal; `within_bins` holds what is left: the variance
    of confidence inside bins, less twice its covariance with the outcome.
    """
    bins = equal_mass(table)
    n, sure, gaps = (
        bins(sums) for sums in (running_items(table), running_confidence(table), running_gap(table, "hit"))
    )
    square = bins(running(table, "squared confidence", lambda: confidence(table) ** 2))
    right = sure - gaps
    both = square - bins(running_gap_moment(table, "hit"))  # confidence times hit
    total, rate = n.sum(), right.sum() / n.sum()
    variance, covariance = (square - sure**2 / n).sum() / total, (both - sure * right / n).sum() / total
    return BrierParts(
        top_label=float((square - 2 * both + right).sum() / total),  # a hit is 0 or 1: it is its own square
        reliability=float((gaps**2 / n).sum() / total),
        resolution=float((n * (right / n - rate) ** 2).sum() / total),
        uncertainty=float(rate * (1 - rate)),
        within_bins=float(variance - 2 * covariance),
    )


def _brier(part: str, definition: str, bounds: tuple[float, float], better: Better | None) -> Score:
    @scored(
        definition,
        columns="confidence hit",
        unit="squared probability",
        bounds=bounds,
        better=better,
        cite=_STEPHENSON,
        name=f"brier_{part}",
    )
    def score(table: Table) -> float:
        return float(getattr(table.once_here("brier parts", lambda: brier_parts(table)), part))

    return score


BRIER_PARTS = {
    score.name: score
    for score in (
        _brier("reliability", "mean over bins of (mean confidence - hit rate)^2", (0.0, 1.0), "lower"),
        _brier("resolution", "mean over bins of (hit rate of the bin - hit rate of all)^2", (0.0, 0.25), "higher"),
        _brier("uncertainty", "hit rate times miss rate of all items", (0.0, 0.25), None),
        _brier("within_bins", "variance of confidence in bins less twice its covariance with hits", (-1.0, 1.0), None),
        _brier(
            "top_label", "mean of (confidence - hit)^2: the sum of the other four, resolution off", (0.0, 1.0), "lower"
        ),
    )
}
