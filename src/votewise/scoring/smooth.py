"""Smooth calibration error and the smooth reliability curve (Błasiok and Nakkiran 2024), as relplot computes them.

The gaps between confidence and outcome are smoothed along [0, 1] by a Gaussian that is reflected at both ends. The error at a
bandwidth is the area under the absolute value of the smoothed gap. The bandwidth that is used is a fixed point, at which
bandwidth and error are equal: the smallest multiple of 1/1024 that is not smaller than its error.

Grid, mesh and the truncated kernel follow relplot 1.0.3, so that the numbers agree to rounding. Reflected smoothing is a
circular convolution of the data and its mirror image, so one FFT replaces relplot's point-by-point computation, and cumulative
sums along the confidence can be put on any grid without another pass over the items.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64
from votewise.errors import VotewiseError
from votewise.frozen import frozen
from votewise.scoring import calibration
from votewise.scoring.calibration import OUTCOMES, Outcome
from votewise.scoring.columns import Column, confidence
from votewise.scoring.declaration import Score
from votewise.scoring.item_table import Table, once_per_table
from votewise.scoring.matching import align
from votewise.scoring.probabilities import AnyKind
from votewise.scoring.truth import TrueClasses
from votewise.votes import Answers

_CITE = "Błasiok and Nakkiran 2024, Smooth ECE: principled reliability diagrams via kernel smoothing"
_HALVINGS = 10  # bisections of [0, 1] to find the bandwidth to 1/1024
_LEAST = 0.001  # a bandwidth below this is too narrow, regardless of its error
_EMPTY = 1e-4  # added to the density to avoid division by zero


@dataclass(frozen=True, eq=False)
class Along:
    """Values at positions in [0, 1], of one or several kinds.

    position  [n] in ascending order
    sums      for each kind, the cumulative sums [n + 1] of its values
    moments   for each kind, the cumulative sums [n + 1] of value times position
    """

    position: F64
    sums: tuple[F64, ...]
    moments: tuple[F64, ...]
    spectra: dict[int, NDArray[np.complex128]] = field(default_factory=dict)

    def on_grid(self, points: int) -> F64:
        """The values of each kind on an even grid [kinds, points]; a value is split between the two neighbouring grid points."""
        cells = points - 1
        inner = np.searchsorted(self.position, np.arange(1, cells) / cells)
        border = np.concatenate(([0], inner, [len(self.position)]))
        left = np.arange(cells)
        out = np.zeros((len(self.sums), points))
        for row, total, moment in zip(out, self.sums, self.moments, strict=True):
            inside = np.diff(total[border])
            beyond = np.diff(moment[border]) * cells - left * inside
            row[:-1] += inside - beyond
            row[1:] += beyond
        return out

    def spectrum(self, points: int) -> NDArray[np.complex128]:
        """The Fourier transform of the values on a grid and their mirror image."""
        if points not in self.spectra:
            values = self.on_grid(points)
            self.spectra[points] = np.fft.rfft(np.concatenate((values, values[:, -2:0:-1]), axis=1))
        return self.spectra[points]

    def smoothed(self, bandwidth: float, mesh: F64) -> F64:
        """The values of each kind, smoothed by the reflected Gaussian, at the points of `mesh` [kinds, mesh]."""
        points = max(2000, round(20 / bandwidth)) // 2 + 1
        rows = np.fft.irfft(self.spectrum(points) * _kernel(points, bandwidth), 2 * (points - 1))
        return np.array([np.interp(mesh, even(points), row[:points]) for row in rows])


@lru_cache(maxsize=32)
def even(points: int) -> F64:
    """An even grid over [0, 1]."""
    return frozen(np.linspace(0, 1, points))


@lru_cache(maxsize=32)
def _kernel(points: int, bandwidth: float) -> NDArray[np.complex128]:
    """The Fourier transform of the Gaussian, centred on 0 and truncated at a distance of one half."""
    offset = even(points) - 0.5
    kernel = np.zeros(2 * (points - 1))
    kernel[np.arange(points) - points // 2] = np.exp(-(offset**2) / (2 * bandwidth**2)) / (
        np.sqrt(2 * np.pi) * bandwidth
    )
    return frozen(np.fft.rfft(kernel))


def error_at(gaps: Along, bandwidth: float) -> float:
    """The smooth calibration error at a bandwidth; `gaps` has two kinds of values: the gaps, and 1 for each item."""
    gap, density = gaps.smoothed(bandwidth, even(max(round(10 / bandwidth), 200)))
    return float(np.abs(gap).sum() / (density + _EMPTY).sum())


def fixed_point(gaps: Along) -> float:
    """The bandwidth that equals the error at this bandwidth."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle < _LEAST or middle < error_at(gaps, middle):
            low = middle
        else:
            high = middle
    return high


def _gaps(table: Table, outcome: Column) -> Along:
    return Along(
        calibration.in_order(table, confidence),
        (calibration.running_gap(table, outcome), calibration.running_items(table)),
        (calibration.running_gap_moment(table, outcome), calibration.running_confidence(table)),
    )


@once_per_table
def _error(table: Table, outcome: Column) -> float:
    gaps = _gaps(table.known(outcome), outcome)
    return error_at(gaps, fixed_point(gaps))


def _smooth_ece(outcome: Outcome) -> Score:
    return Score(
        of=partial(_error, outcome=outcome.column),
        columns=(confidence, outcome.column),
        key=f"smooth_ece{outcome.suffix}",
        label=f"Smooth ECE{outcome.label}",
        meaning="area under |gap between confidence and outcome| smoothed by a reflected Gaussian whose bandwidth equals that area; "
        f"the outcome is {outcome.meaning}",
        unit="probability",
        bounds=(0.0, 1.0),
        better="lower",
        citation=_CITE,
    )


smooth_ece, smooth_ece_votes, smooth_ece_truth = map(_smooth_ece, OUTCOMES.values())


@dataclass(frozen=True, eq=False)
class ReliabilityCurve:
    """The result of `reliability_curve`.

    Attributes:
        confidence: [points] an even mesh over [0, 1].
        outcome: [points] the smoothed outcome there.
        density: [points] the density of the items there.
        bandwidth: bandwidth of the smoothing.
        smooth_ece: the smooth calibration error at this bandwidth.
    """

    confidence: F64
    outcome: F64
    density: F64
    bandwidth: float
    smooth_ece: float

    def __repr__(self) -> str:
        return f"ReliabilityCurve({len(self.confidence)} points, smooth ECE {self.smooth_ece:.4f})"


def reliability_curve(
    probabilities: Any,
    votes: Answers,
    *,
    outcome: Literal["majority", "votes", "truth"] = "majority",
    truth: TrueClasses | None = None,
    kind: AnyKind = "auto",
    bandwidth: float | None = None,
    points: int = 200,
) -> ReliabilityCurve:
    """The smooth reliability curve of predictions, at the fixed-point bandwidth.

    The curve is not reliable where the density is near 0, so draw it with an opacity that follows the density.

    Args:
        probabilities: [N, C] predictions, as for `votewise.score`.
        votes: `Votes` or `Distributions` on the same N items; items without votes are skipped.
        outcome: the value that confidence is compared with: a hit against the majority of the votes, the share of the votes that the
            predicted class has, or a hit against the true class.
        truth: [N] true classes, for `outcome="truth"`.
        kind: what the array holds, as for `votewise.score`.
        bandwidth: bandwidth of the smoothing. Default: the fixed point, at which it equals the error.
        points: number of points of the mesh over [0, 1].

    Returns:
        The curve, its density, its bandwidth and the smooth calibration error.

    Raises:
        VotewiseError: If an argument is not valid or predictions and votes do not fit together.

    Example:
        >>> from votewise.votes import Votes
        >>> curve = reliability_curve([[0.7, 0.3], [0.2, 0.8]], Votes.from_counts([[4, 1], [1, 4]]), points=5)
        >>> curve.confidence.tolist(), round(curve.smooth_ece, 2)
        ([0.0, 0.25, 0.5, 0.75, 1.0], 0.25)
    """
    if outcome not in OUTCOMES or (bandwidth is not None and bandwidth <= 0):
        raise VotewiseError(
            f"invalid outcome {outcome!r} or bandwidth {bandwidth}",
            remedy="give outcome='majority', 'votes' or 'truth', and a bandwidth above 0 or none",
        )
    column = OUTCOMES[outcome].column
    table = align(probabilities, votes, truth, kind=kind).table((confidence, column))
    return curve_of(table, column, bandwidth, points)


def curve_of(table: Table, outcome: Column, bandwidth: float | None = None, points: int = 200) -> ReliabilityCurve:
    """The curve of a table that has the confidence of each item, over the items that have the outcome."""
    table = table.known(outcome)
    gaps = _gaps(table, outcome)
    width = fixed_point(gaps) if bandwidth is None else bandwidth
    mesh = even(points)
    gap, density = gaps.smoothed(width, mesh)
    squares = np.append(0.0, np.cumsum(gaps.position**2))
    (sure,) = Along(gaps.position, gaps.moments[1:], (squares,)).smoothed(width, mesh)
    right = np.clip((sure - gap) / (density + _EMPTY), 0.0, 1.0)
    return ReliabilityCurve(mesh.copy(), right, density / table.items, width, error_at(gaps, width))
