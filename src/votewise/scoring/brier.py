"""The Brier score of the predicted class and its parts, over the bins of the equal-mass ECE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from votewise.quantity import Direction
from votewise.scoring import calibration
from votewise.scoring.columns import confidence, hit, vote_share
from votewise.scoring.declaration import Score
from votewise.scoring.item_table import Table, once_per_table
from votewise.scoring.matching import align
from votewise.scoring.probabilities import AnyKind
from votewise.votes import Answers

_STEPHENSON = "Stephenson, Coelho and Jolliffe 2008, Two extra components in the Brier score decomposition"


@dataclass(frozen=True)
class BrierParts:
    """Parts of the Brier score of the predicted class: top_label = reliability - resolution + uncertainty + within_bins."""

    top_label: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


@once_per_table
def brier_parts(table: Table) -> BrierParts:
    """The decomposition over the bins of the equal-mass ECE; the outcome is whether the predicted class is the majority.

    Murphy's three parts add up to the score only if all confidences in a bin are equal. `within_bins` is the remainder: the
    variance of confidence within bins, minus twice its covariance with the outcome.
    """
    bins = calibration.equal_mass(table)
    n, sure = bins(calibration.running_items(table)), bins(calibration.running_confidence(table))
    gaps = bins(calibration.running_gap(table, hit))
    square = bins(calibration.running(table, calibration.in_order(table, confidence) ** 2))
    right = sure - gaps
    both = square - bins(calibration.running_gap_moment(table, hit))  # confidence times hit
    total, rate = n.sum(), right.sum() / n.sum()
    variance, covariance = (square - sure**2 / n).sum() / total, (both - sure * right / n).sum() / total
    return BrierParts(
        top_label=float((square - 2 * both + right).sum() / total),  # a hit is 0 or 1, so it equals its square
        reliability=float((gaps**2 / n).sum() / total),
        resolution=float((n * (right / n - rate) ** 2).sum() / total),
        uncertainty=float(rate * (1 - rate)),
        within_bins=float(variance - 2 * covariance),
    )


def _brier(name: str, meaning: str, bounds: tuple[float, float], better: Direction | None) -> Score:
    return Score(
        of=lambda table: float(getattr(brier_parts(table), name)),
        columns=(confidence, hit),
        key=f"brier_{name}",
        label=f"Brier {name.replace('_', ' ')}",
        meaning=meaning,
        unit="squared probability",
        bounds=bounds,
        better=better,
        citation=_STEPHENSON,
        binned=True,
    )


brier_reliability = _brier("reliability", "mean over bins of (mean confidence - hit rate)^2", (0.0, 1.0), "lower")
brier_resolution = _brier(
    "resolution", "mean over bins of (hit rate of the bin - hit rate of all)^2", (0.0, 0.25), "higher"
)
brier_uncertainty = _brier("uncertainty", "hit rate times miss rate of all items", (0.0, 0.25), None)
brier_within_bins = _brier(
    "within_bins", "variance of confidence in bins less twice its covariance with hits", (-1.0, 1.0), None
)
brier_top_label = _brier(
    "top_label", "mean of (confidence - hit)^2: the sum of the other four, resolution subtracted", (0.0, 1.0), "lower"
)


def brier_against_votes(
    probabilities: Any, votes: Answers, *, kind: AnyKind = "auto", bins: int = 15
) -> tuple[float, float]:
    """Reliability and resolution of the predicted class against its share of the votes, over the bins of the equal-mass ECE.

    >>> from votewise.votes import Votes
    >>> brier_against_votes([[0.75, 0.25], [0.5, 0.5]], Votes.from_counts([[3, 1], [1, 1]]), bins=2)
    (0.0, 0.015625)
    """
    table = align(probabilities, votes, kind=kind).table((confidence, vote_share), bins=bins, ties="lowest", seed=0)
    in_bins, gaps = calibration.equal_mass(table), calibration.running_gap(table, vote_share)
    sums = (calibration.running_items(table), gaps, calibration.running_confidence(table) - gaps)
    n, gap, share = map(in_bins, sums)
    mean = share.sum() / n.sum()
    return float((gap**2 / n).sum() / n.sum()), float((n * (share / n - mean) ** 2).sum() / n.sum())
