"""Smooth ECE is relplot's, to rounding."""

from __future__ import annotations

import numpy as np
import pytest
from relplot.estimators import KernelSmoother
from relplot.kernels import ReflectedGaussianKernel
from relplot.metrics import smECE, smECE_sigma

import references  # noqa: F401  # imports relplot, whose plotting stack warns
from votewise.scoring import reliability_curve, score
from votewise.scoring.smooth import Along, error_at, fixed_point
from votewise.votes import Distributions


def sample(items, shift, seed=0):
    rng = np.random.default_rng(seed)
    sure = np.sort(rng.beta(5, 2, items))
    return sure, (rng.random(items) < np.clip(sure - shift, 0, 1)).astype(float)


def along(position, values) -> Along:
    def running(x):
        return np.append(0.0, np.cumsum(x))

    return Along(position, tuple(map(running, values)), tuple(running(v * position) for v in values))


@pytest.mark.parametrize("items", [1, 5, 300, 20_000])
@pytest.mark.parametrize("shift", [0.0, 0.05, 0.4])
def test_the_fixed_point_and_its_error_are_relplots(items, shift) -> None:
    sure, right = sample(items, shift)
    gaps = along(sure, [sure - right, np.ones(items)])
    expected, width = smECE(sure, right, return_width=True)
    assert fixed_point(gaps) == width
    assert error_at(gaps, width) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("bandwidth", [1.0, 0.3, 0.05, 0.01, 0.00777, 0.005, 0.002])
def test_the_error_at_a_bandwidth_is_relplots(bandwidth) -> None:
    """Below 0.01 the grid gets finer, with an odd or an even number of points: both are followed."""
    sure, right = sample(400, 0.1, seed=3)
    gaps = along(sure, [sure - right, np.ones(400)])
    assert error_at(gaps, bandwidth) == pytest.approx(smECE_sigma(sure, right, bandwidth), abs=1e-12)


def test_a_model_that_is_too_sure_by_a_fifth_everywhere_has_an_error_of_a_fifth() -> None:
    sure = np.linspace(0.5, 1.0, 5001)
    q = np.stack([sure, 1 - sure], axis=1)
    votes = Distributions(np.stack([sure - 0.2, 1.2 - sure], axis=1), classes=("a", "b"))
    assert score(q, votes)["smooth_ece_votes"] == pytest.approx(0.2, abs=1e-6)


def test_the_curve_and_its_density_are_relplots() -> None:
    sure, _ = sample(500, 0.0)
    sure = 0.5 + sure / 2
    rng = np.random.default_rng(1)
    q = np.stack([sure, 1 - sure], axis=1)
    truth = (rng.random(500) > sure).astype(int)
    curve = reliability_curve(q, Distributions(q, classes=("a", "b")), outcome="truth", truth=truth)
    hit = (truth == 0).astype(float)
    kernel = ReflectedGaussianKernel(curve.bandwidth)
    expected = KernelSmoother(kernel).fit(sure[:, None], hit).predict(curve.confidence[:, None])
    assert curve.outcome == pytest.approx(expected, abs=1e-7)  # rounding over a density of 1e-4
    assert curve.density == pytest.approx(kernel.kde(sure, curve.confidence), abs=1e-12)
    assert curve.smooth_ece == pytest.approx(smECE(sure, hit), abs=1e-12)


def test_the_outcome_is_a_share_also_where_nobody_is_right() -> None:
    sure = np.linspace(0.5, 1, 500)
    q = Distributions(np.stack([sure, 1 - sure], axis=1), classes=("a", "b"))
    truth = (sure < 0.75).astype(int)
    curve = reliability_curve(q.probabilities(), q, outcome="truth", truth=truth, bandwidth=0.01)
    assert 0 <= curve.outcome.min() < 1e-12  # rounding of the smoothed sums is cut off
    assert 0.99 < curve.outcome.max() <= 1
