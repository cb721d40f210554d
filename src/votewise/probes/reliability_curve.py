"""The smooth reliability curve on a fixed grid, so that curves of several runs can be averaged and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import VotewiseError
from votewise.probes.reading import Reading
from votewise.probes.validation import as_answers
from votewise.scoring import SCORES, AnyKind, brier_against_votes, reliability_curve

POINTS = 101
_COLUMNS = ("confidence", "outcome", "density")
Curve = Mapping[str, Sequence[float]]  # columns by name


def reliability(
    predictions: Any,
    votes: Any,
    *,
    kind: AnyKind = "auto",
    outcome: Literal["majority", "votes", "truth"] = "majority",
    truth: ArrayLike | None = None,
) -> Reading:
    """Whether the confidence of a model matches its accuracy: the smooth reliability curve on a grid of 101 confidences.

    Args:
        predictions: [n, C].
        votes: votes of the same items, or shares [n, C].
        kind: kind of the predictions, see `votewise.score`: "probabilities", "log-probabilities", "logits" or "auto".
        outcome: what counts as correct: "majority" (the predicted class is the majority), "votes" (its share of the votes) or "truth" (it is the true class).
        truth: true classes [n], for outcome="truth".

    Returns:
        A reading with `smooth_ece` and `diagonal_distance`; against the majority also `smooth_ece_floor` and `ece_equal_mass_floor`,
        which are the scores of the vote shares as predictions, and the parts of the Brier score against the vote shares, `brier_reliability_votes`
        and `brier_resolution_votes`; and the curve `smooth`: `outcome` at each `confidence`, and the `density` of confidence
        there. Below the diagonal a model is overconfident.

    >>> reading = reliability([[0.9, 0.1], [0.9, 0.1]], [[1.0, 0.0], [1.0, 0.0]])  # confidence 90 %, always right
    >>> round(reading.numbers["smooth_ece"], 1)
    0.1
    """
    votes = as_answers(votes)
    smooth = reliability_curve(predictions, votes, outcome=outcome, truth=truth, kind=kind, points=POINTS)
    curve = {name: getattr(smooth, name).tolist() for name in _COLUMNS}
    numbers = {"smooth_ece": smooth.smooth_ece, "diagonal_distance": diagonal_distance(curve)}
    if outcome == "majority":
        shares = votes.probabilities()
        numbers |= {f"{key}_floor": SCORES[key](shares, votes) for key in ("smooth_ece", "ece_equal_mass")}
        parts = brier_against_votes(predictions, votes, kind=kind)
        numbers |= dict(zip(("brier_reliability_votes", "brier_resolution_votes"), parts, strict=True))
    return Reading(numbers, {"smooth": curve})


def diagonal_distance(curve: Curve) -> float:
    """Mean of |outcome - confidence| along the curve, weighted by the density of confidence."""
    confidence, outcome, density = _arrays(curve)
    return float(density @ np.abs(outcome - confidence) / density.sum())


def reliability_gap(first: Curve, second: Curve) -> float:
    """Mean of |outcome - outcome| between two curves on one grid, weighted by the mean of their densities; NaN if they share no point."""
    (grid, one, density), (other, two, weight) = _arrays(first), _arrays(second)
    if len(grid) != len(other) or not np.allclose(grid, other):
        raise VotewiseError(f"curves must have the same grid, got {len(grid)} and {len(other)} points")
    distance, weights = np.abs(one - two), density + weight
    shared = np.isfinite(distance) & (weights > 0)
    return float(np.average(distance[shared], weights=weights[shared])) if shared.any() else float("nan")


def _arrays(curve: Curve) -> tuple[np.ndarray[Any, Any], ...]:
    return tuple(np.asarray(curve[name], dtype=np.float64) for name in _COLUMNS)
