"""The smooth reliability curve on a fixed grid, so that curves of several runs can be averaged and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import VotewiseError
from votewise.probes.arrays import as_answers
from votewise.probes.reading import Reading
from votewise.scoring import AnyKind, ReliabilityCurve, reliability_curve

POINTS = 101
Points = Mapping[str, Sequence[float]]


def reliability(
    predictions: Any,
    votes: Any,
    *,
    kind: AnyKind = "auto",
    outcome: Literal["majority", "votes", "truth"] = "majority",
    truth: ArrayLike | None = None,
) -> Reading:
    """Whether a model is as sure as it is right: the smooth reliability curve on a grid of 101 confidences.

    predictions  [n, C]; `kind` says what they are, as for `votewise.score`: "probabilities", "log-probabilities", "logits" or "auto"
    votes        votes (or shares [n, C]) of the same items
    outcome      what comes true: the predicted class is the majority, or the share of votes it has ("votes"), or it is the `truth` [n]

    smooth_ece         how far confidence is from outcome, as `votewise.score` has it; lower is better
    diagonal_distance  mean distance of the curve from the diagonal, weighted by the density of confidence; lower is better
    curve `smooth`     `outcome` at each `confidence`, and the `density` of confidence there; below the diagonal a model is too sure

    >>> found = reliability([[0.9, 0.1], [0.9, 0.1]], [[1.0, 0.0], [1.0, 0.0]])  # 90 % sure and always right
    >>> round(found.numbers["smooth_ece"], 1)
    0.1
    """
    votes = as_answers(votes)
    found = reliability_curve(predictions, votes, outcome=outcome, truth=truth, kind=kind, points=POINTS)
    curve = {name: getattr(found, name).tolist() for name in ("confidence", "outcome", "density")}
    return Reading({"smooth_ece": found.smooth_ece, "diagonal_distance": diagonal_distance(curve)}, {"smooth": curve})


def diagonal_distance(curve: Points | ReliabilityCurve) -> float:
    """Mean of |outcome - confidence| along the curve, weighted by the density of confidence."""
    confidence, outcome, density = _arrays(curve)
    return float(density @ np.abs(outcome - confidence) / density.sum())


def gap(first: Points | ReliabilityCurve, second: Points | ReliabilityCurve) -> float:
    """Mean of |outcome - outcome| between two curves on one grid, weighted by the mean of their densities; NaN where they share no point."""
    (grid, one, density), (other, two, weight) = _arrays(first), _arrays(second)
    if len(grid) != len(other) or not np.allclose(grid, other):
        raise VotewiseError("two curves on different grids", remedy="make both with the same number of points")
    apart, both = np.abs(one - two), density + weight
    there = np.isfinite(apart) & (both > 0)
    return float(np.average(apart[there], weights=both[there])) if there.any() else float("nan")


def _arrays(curve: Points | ReliabilityCurve) -> tuple[np.ndarray[Any, Any], ...]:
    names = ("confidence", "outcome", "density")
    table = {name: getattr(curve, name) for name in names} if isinstance(curve, ReliabilityCurve) else curve
    return tuple(np.asarray(table[name], dtype=np.float64) for name in names)
