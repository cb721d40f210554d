"""Identities between scores, and what does not change them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from references import examples, votes_of
from votewise.errors import UndefinedError
from votewise.scoring import SCORES, score
from votewise.votes import Distributions, Votes


@given(examples())
def test_several_names_of_few_numbers(example) -> None:
    counts, q, truth = example
    card = score(q, votes_of(counts), truth=truth)
    if math.isfinite(card["soft_nll"]):
        assert card["soft_nll"] - card["kl"] == pytest.approx(card.floor, abs=1e-12)
    assert card["dist_ce"] == card["total_variation"]
    assert card["manhattan"] == 2 * card["total_variation"]
    assert card["soft_accuracy"] == card["soft_f1_micro"] == 1 - card["total_variation"]
    assert card["po_jsd"] == 1 - card["js_divergence"] / math.log(2)
    assert card["js_divergence"] <= card["js_distance"] ** 0.5
    parts = card["brier_reliability"] - card["brier_resolution"] + card["brier_uncertainty"] + card["brier_within_bins"]
    assert parts == pytest.approx(card["brier_top_label"], abs=1e-12)


@given(examples())
def test_votes_and_their_distributions_score_alike(example) -> None:
    counts, q, truth = example
    votes = votes_of(counts)
    from_votes, from_shares = score(q, votes, truth=truth), score(q, votes.distributions(), truth=truth)
    assert from_votes.scores == pytest.approx(from_shares.scores, abs=1e-12)
    assert from_votes.corrected == pytest.approx(from_shares.corrected, abs=1e-9)
    assert (from_votes.ties, from_votes.floor) == (from_shares.ties, pytest.approx(from_shares.floor))


@given(examples())
def test_the_order_of_the_items_does_not_matter(example) -> None:
    counts, q, truth = example
    forth, back = (score(q[::step], votes_of(counts[::step]), truth=truth[::step]).scores for step in (1, -1))
    for name, value in forth.items():
        assert value == pytest.approx(back[name], abs=1e-9), name


def test_items_without_votes_are_skipped_and_counted() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, (40, 3))
    counts[::4] = 0
    q = rng.dirichlet([1, 1, 1], 40)
    voted = counts.sum(axis=1) > 0
    truth = rng.integers(0, 3, 40)
    card = score(q, Votes.from_counts(counts), truth=truth)
    assert (len(card.items), card.skipped) == (voted.sum(), 40 - voted.sum())
    assert card.scores == score(q[voted], Votes.from_counts(counts[voted]), truth=truth[voted]).scores


def test_weights_change_the_shares_and_rule_out_corrections() -> None:
    votes = replace(Votes.from_counts([[2, 1], [1, 1]]), weight=np.array([1.0, 3.0, 2.0, 1.0, 4.0]))
    q = [[0.5, 0.5], [0.25, 0.75]]
    card = score(q, votes)
    expected = score(q, Distributions([[4 / 6, 2 / 6], [1 / 5, 4 / 5]], classes=("0", "1")))
    assert card.scores == pytest.approx(expected.scores)
    assert not card.corrected
    assert any("not corrected for few votes: the number of votes of each item is not" in note for note in card.notes)


def test_a_score_that_is_undefined_here_is_absent_with_its_reason() -> None:
    card = score([[0.5, 0.5], [0.5, 0.5]], Votes.from_counts([[1, 1], [3, 0]]))
    missing = "no true classes were given; give truth= (--truth)"
    assert card.absent["accuracy_truth"] == card.absent["smooth_ece_truth"] == missing
    assert card.absent["wasserstein"] == "the classes have no order; read the votes with ordinal=True (--ordinal)"
    assert card.absent["entropy_correlation"].startswith("one of the two is the same for every item")
    assert not set(card.absent) & set(card.scores)
    with pytest.raises(UndefinedError, match="wasserstein is not defined on this data: the classes have no order"):
        card["wasserstein"]


def test_entropies_of_the_same_votes_in_another_order_of_classes_are_tied() -> None:
    """A sum of logarithms depends on its order in the last digit; a rank must not."""
    rows = [[1, 2, 4, 7, 3], [7, 3, 2, 1, 4], [3, 7, 1, 4, 2], [4, 1, 7, 3, 2]]
    votes = Votes.from_counts([*rows, [17, 0, 0, 0, 0]])
    q = [[0.2] * 5, [0.2] * 5, [0.2] * 5, [0.2] * 5, [0.96, 0.01, 0.01, 0.01, 0.01]]
    assert score(q, votes)["entropy_correlation"] == pytest.approx(1.0, abs=1e-12)


def test_every_score_carries_its_facts() -> None:
    for name, one in SCORES.items():
        assert one.key == name
        assert one.label
        assert one.meaning
        assert one.unit
        assert one.citation
        assert one.bounds[0] < one.bounds[1]
        assert one.better in ("lower", "higher", None)
        assert (one.corrected is None) == (one.correction is None)
    assert {name for name, one in SCORES.items() if one.corrected} == {"kl", "soft_brier"}
