"""Whether predictions are as spread as the votes: against SciPy and against numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import rel_entr
from scipy.stats import entropy, pearsonr

from votewise.errors import VotewiseError
from votewise.probes.prediction_spread import own_loss, same_winner, spread


def drawn(n: int = 60, classes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.full(classes, 0.5), n), rng.dirichlet(np.full(classes, 0.7), n)


def test_the_numbers_are_those_of_scipy_on_the_slices() -> None:
    p, q = drawn()
    found = spread(q, p).numbers
    votes, model = entropy(p, axis=1), entropy(q, axis=1)
    order = np.argsort(votes, kind="stable")
    assert found["entropy_pearson"] == pytest.approx(pearsonr(votes, model).statistic)
    assert found["entropy_gap_high"] == pytest.approx(np.abs(votes - model)[order[-6:]].mean())
    assert found["peak_gap_high"] == pytest.approx((q.max(1) - p.max(1))[order[-6:]].mean())
    divergence = rel_entr(p, q).sum(1)
    assert found["kl_low_third"] == pytest.approx(divergence[order[:20]].mean())
    assert found["kl_high_third"] == pytest.approx(divergence[order[-20:]].mean())
    assert found["vote_entropy_median"] == pytest.approx(np.median(votes) / np.log(4))
    assert found["constant_loss"] == pytest.approx(entropy(p.mean(0)))


def test_predictions_that_are_the_votes_leave_no_gap() -> None:
    p, _ = drawn()
    found = spread(np.log(p), p, kind="log-probabilities").numbers
    assert found["entropy_pearson"] == pytest.approx(1)
    for name in ("entropy_gap_high", "peak_gap_high", "kl_low_third", "kl_high_third"):
        assert found[name] == pytest.approx(0, abs=1e-12)


def test_saying_the_same_of_every_item_reaches_the_constant_loss_and_the_largest_class() -> None:
    p = np.array([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0], [0.25, 0.75], [1.0, 0.0]])
    constant = np.tile(np.log(p.mean(0)), (5, 1))
    found = spread(constant, p, kind="logits")
    assert found.numbers["largest_class"] == 0.6
    assert found.numbers["constant_loss"] == pytest.approx(-(p * constant).sum(1).mean())
    assert found.numbers["entropy_pearson"] is None
    assert "entropy_pearson" in found.notes[0]


def test_the_same_winner_can_be_at_very_different_distances() -> None:
    p = np.array([[0.6, 0.4], [0.6, 0.4], [0.3, 0.7]])
    sharp = np.array([[0.99, 0.01], [0.99, 0.01], [0.9, 0.1]])
    calm = np.array([[0.6, 0.4], [0.4, 0.6], [0.3, 0.7]])
    found = same_winner(sharp, calm, p).numbers
    assert found["items_agreed"] == 1
    assert found["kl_gain_agreed"] == pytest.approx(rel_entr(p[0], sharp[0]).sum())
    assert same_winner(calm[1:2], sharp[:1], p[:1]).numbers["kl_gain_agreed"] is None


def test_a_loss_that_only_falls_is_best_at_its_end_and_does_not_rise() -> None:
    falling = [{"epoch": n, "soft_nll": 2.0 - n / 4} for n in range(4)]
    assert own_loss(falling, "soft_nll").numbers == {"own_best_epoch": 3, "own_rise": 0}
    rising = [*falling, {"epoch": 4, "soft_nll": 2.5}]
    assert own_loss(rising, "soft_nll").numbers == {"own_best_epoch": 3, "own_rise": 1.0}
    assert own_loss(rising, "majority_nll").numbers["own_rise"] is None


@pytest.mark.parametrize(
    ("p", "q"), [([[1.0]], [[1.0]]), ([[0.5, 0.5]], [[0.5, 0.3, 0.2]]), ([[0.5, 0.6]], [[0.5, 0.5]])]
)
def test_what_cannot_be_compared_is_refused(p, q) -> None:
    with pytest.raises(VotewiseError):
        spread(q, p)
