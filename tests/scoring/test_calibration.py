"""Bins: every item in exactly one, and none more than asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.scoring import brier_against_votes, score
from votewise.votes import Distributions, Votes


def binary(confidence, hits):
    """Predictions of class 1 and votes of one person each, such that the predicted class is right where `hits` says."""
    q = np.stack([1 - np.asarray(confidence), confidence], axis=1)
    return q, Votes.from_counts([[1 - hit, hit] for hit in hits])


def test_the_most_confident_items_are_in_a_bin() -> None:
    """pytorch-ood drops the top bin; torchmetrics has a bin of its own for confidence 1."""
    q, votes = binary([0.6] * 5 + [1.0] * 5, [1] * 5 + [0] * 5)
    card = score(q, votes, bins=2)
    assert card["ece_equal_mass"] == pytest.approx((0.4 + 1.0) / 2)
    assert card["ece_equal_width"] == pytest.approx(abs(0.8 - 0.5))  # both in (0.5, 1]


@given(st.integers(1, 60), st.integers(1, 20))
def test_bins_of_equal_mass_differ_by_one_item_at_most(items, bins) -> None:
    """With outcome 0 and confidence from 1/2 up, each bin adds its sum of confidence: all items count once."""
    q, votes = binary(np.linspace(0.51, 1, items), [0] * items)
    assert score(q, votes, bins=bins)["ece_equal_mass"] == pytest.approx(np.linspace(0.51, 1, items).mean())


def test_an_upper_border_belongs_to_its_bin() -> None:
    q, votes = binary([0.6, 0.8, 0.8, 1.0], [1, 1, 0, 0])
    # (0.4, 0.6], (0.6, 0.8], (0.8, 1]
    assert score(q, votes, bins=5)["ece_equal_width"] == pytest.approx((0.4 + abs(1.6 - 1) + 1.0) / 4)


def test_ece_is_not_the_mean_over_batches() -> None:
    q, votes = binary([0.75] * 8, [1, 1, 1, 1, 1, 1, 0, 0])
    assert score(q, votes)["ece_equal_width"] == 0
    halves = [score(q[part], votes.select(part))["ece_equal_width"] for part in (np.arange(4), np.arange(4, 8))]
    assert np.mean(halves) == 0.25


@pytest.mark.parametrize("order", [[1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1]])
def test_equal_confidences_are_shared_evenly_between_bins_whatever_their_order(order: list[int]) -> None:
    q, votes = binary([0.75] * 4, order)
    assert score(q, votes, bins=2)["ece_equal_mass"] == pytest.approx(0.25)


def test_brier_parts_against_the_votes_are_those_of_bins_of_equal_size() -> None:
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet([1, 1, 1, 1], (2, 300))
    order = np.argsort(q.max(axis=1))
    sure, share = q.max(axis=1)[order], p[np.arange(300), q.argmax(axis=1)][order]
    bins = list(zip(sure.reshape(15, 20), share.reshape(15, 20), strict=True))
    reliability = np.mean([(c.mean() - s.mean()) ** 2 for c, s in bins])
    resolution = np.mean([(s.mean() - share.mean()) ** 2 for _, s in bins])
    found = brier_against_votes(q, Distributions(p, classes=tuple("abcd")))
    assert found == pytest.approx((reliability, resolution))


def test_the_card_says_when_bins_hold_few_items() -> None:
    q, votes = binary(np.linspace(0.51, 1, 40), [1] * 40)
    assert any("40 items in 15 bins" in note and "use at most 4 bins" in note for note in score(q, votes).notes)
    assert not any("bins" in note for note in score(q, votes, bins=4).notes)
    assert not any("bins" in note for note in score(q, votes, scores=["accuracy"]).notes)


def test_a_model_that_says_the_shares_is_calibrated_to_votes_and_not_to_their_majority() -> None:
    rng = np.random.default_rng(0)
    q = rng.dirichlet([1, 1, 1], 2000)
    card = score(q, Distributions(q, classes=tuple("abc")))
    assert card["ece_equal_mass_votes"] == pytest.approx(0, abs=1e-12)
    assert card["smooth_ece_votes"] == pytest.approx(0, abs=1e-12)
    assert card["ece_equal_mass"] > 0.3
