"""What the votes of CIFAR-10H alone say of the diagnosis and of the gradient noise, before any model."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from votewise.probes.gradient_noise import noise
from votewise.probes.reliability_curve import reliability
from votewise.probes.slices import high
from votewise.probes.sparse_targets import bins, distances
from votewise.votes import Votes


@pytest.fixture
def votes(data) -> Votes:
    return Votes.from_counts(np.load(data / "cifar10h" / "cifar10h-counts.npy"))


def test_the_distance_of_sparse_targets_follows_entropy(votes) -> None:
    """Spearman 0.96, 0.93, 0.89, 0.84 at K = 5, 10, 25, 50; 44 to 48 % of the targets are right."""
    for k, expected in ((5, 0.96), (10, 0.93), (25, 0.89), (50, 0.84)):
        far = distances(votes.probabilities(), votes.resample(k, 0).probabilities())["js"]
        assert spearmanr(far, votes.entropy()).statistic == pytest.approx(expected, abs=0.012), k
        count = bins(far, far)["count"]
        assert len(count) == 10
        assert 0.43 < count[0] / 10_000 < 0.49


def test_with_features_of_one_length_the_noise_is_disagreement(votes) -> None:
    found = noise(np.ones((10_000, 1)), votes.probabilities()).numbers
    assert found["noise_correlation"] == pytest.approx(0.999, abs=1e-3)
    assert found["noise_correlation_sampled"] == pytest.approx(0.94, abs=0.03)  # published, of real features: 0.939


def test_the_high_slice_begins_at_0_464_nats(votes) -> None:
    chosen = high(votes.entropy())
    assert len(chosen) == 1000
    assert votes.entropy()[chosen].min() == pytest.approx(0.464, abs=5e-4)


def test_what_the_votes_themselves_score(votes) -> None:
    """Published shares as predictions: an ECE of 0.046 against the majority; the tenth of highest entropy has 0.53 of 1 - sum p^2."""
    p = votes.probabilities()
    assert reliability(p, votes).numbers["ece_equal_mass_floor"] == pytest.approx(0.046, abs=5e-4)
    assert noise(np.ones((len(p), 1)), p, draws=2).numbers["noise_share_votes"] == pytest.approx(0.528, abs=5e-4)
