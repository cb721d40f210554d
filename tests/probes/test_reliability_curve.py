"""Smooth reliability on a fixed grid."""

from __future__ import annotations

import numpy as np
import pytest

from nets import distributions
from votewise.errors import VotewiseError
from votewise.probes.reliability_curve import diagonal_distance, reliability, reliability_gap
from votewise.scoring import reliability_curve, score
from votewise.votes import Distributions


def votes_of(p) -> Distributions:
    return Distributions(p, classes=tuple("abcdefgh"[: p.shape[1]]))


def example(shift, count=3000):
    """A model whose confidence is `shift` above the share of votes that its class gets."""
    sure = np.linspace(0.6, 0.9, count)
    return np.stack((sure, 1 - sure), axis=1), votes_of(np.stack((sure - shift, 1 - sure + shift), axis=1))


def test_the_numbers_are_those_of_the_scores() -> None:
    rng = np.random.default_rng(0)
    log_q, votes = np.log(rng.dirichlet([1, 1, 1, 1], 300)), votes_of(distributions(300))
    found = reliability(log_q, votes, kind="log-probabilities")
    card = score(log_q, votes, kind="log-probabilities")
    assert found.numbers["smooth_ece"] == pytest.approx(card["smooth_ece"], abs=1e-12)
    assert reliability(np.exp(log_q), votes, outcome="votes").numbers["smooth_ece"] == pytest.approx(
        card["smooth_ece_votes"]
    )
    curve = found.curves["smooth"]
    assert curve["confidence"] == pytest.approx(np.arange(101) / 100)
    assert min(curve["outcome"]) >= 0
    assert max(curve["outcome"]) <= 1
    expected = reliability_curve(np.exp(log_q), votes, points=101)
    assert found.numbers["diagonal_distance"] == pytest.approx(diagonal_distance(vars(expected)))


def test_the_votes_themselves_have_a_calibration_error_against_the_majority() -> None:
    """Annotators who disagree: their shares are right by themselves, and the majority is right more often than its share."""
    votes = votes_of(np.tile([[0.7, 0.3]], (60, 1)))
    found = reliability(np.tile([[0.9, 0.1]], (60, 1)), votes).numbers
    assert found["ece_equal_mass_floor"] == pytest.approx(0.3)
    assert found["smooth_ece_floor"] == pytest.approx(reliability(votes.probabilities(), votes).numbers["smooth_ece"])
    assert (found["brier_reliability_votes"], found["brier_resolution_votes"]) == pytest.approx((0.04, 0.0), abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.2])
def test_a_model_that_is_too_sure_by_so_much_is_so_far_from_the_diagonal(shift) -> None:
    found = reliability(*example(shift), outcome="votes")
    assert found.numbers["diagonal_distance"] == pytest.approx(shift, abs=0.02)
    assert found.numbers["smooth_ece"] == pytest.approx(shift, abs=0.02)
    curve = found.curves["smooth"]
    assert np.trapezoid(curve["density"], curve["confidence"]) == pytest.approx(1, rel=0.02)


def test_the_gap_between_two_curves_is_how_far_their_outcomes_are_apart() -> None:
    """Both with the bandwidth of their own error: the smoothing of a straight line is what is left besides 0.1."""
    one, two = (reliability(*example(shift), outcome="votes").curves["smooth"] for shift in (0.2, 0.1))
    assert reliability_gap(one, one) == 0
    assert reliability_gap(one, two) == reliability_gap(two, one) == pytest.approx(0.1, abs=0.02)


def test_only_where_there_are_items_a_gap_counts() -> None:
    grid = [0.0, 0.5, 1.0]
    one = {"confidence": grid, "outcome": [0.9, 0.5, 0.5], "density": [0.0, 1.0, 3.0]}
    two = {"confidence": grid, "outcome": [0.1, 0.6, 0.5], "density": [0.0, 3.0, 1.0]}
    assert reliability_gap(one, two) == pytest.approx(0.1 * 4 / 8)
    assert diagonal_distance(one) == pytest.approx(0.5 * 3 / 4)


def test_bad_input() -> None:
    q, votes = example(0.1)
    with pytest.raises(VotewiseError, match="curves must have the same grid"):
        reliability_gap(reliability(q, votes).curves["smooth"], vars(reliability_curve(q, votes)))
    with pytest.raises(VotewiseError, match="outcome 'hits'"):
        reliability(q, votes, outcome="hits")
    with pytest.raises(VotewiseError, match="sums to"):
        reliability(np.log(q) - 1, votes, kind="log-probabilities")
