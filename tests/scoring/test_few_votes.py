"""What few votes do to a score, exactly: over every outcome that a vote can have, with its probability."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import entropy, multinomial

from votewise.scoring import score
from votewise.scoring.columns import Block, jackknife_entropy
from votewise.votes import Distributions, Votes

P, Q = (0.6, 0.3, 0.1), (0.5, 0.4, 0.1)


def expectations(p, q, k):
    """Mean over all outcomes of k votes drawn from p of soft NLL, KL, Brier, and the last two corrected."""
    outcomes = [c for c in itertools.product(range(k + 1), repeat=len(p)) if sum(c) == k]
    weight = multinomial(k, p).pmf(outcomes)
    cards = [
        score([q], Votes.from_counts([c]), scores=["soft_nll", "kl", "soft_brier"], dialect=None) for c in outcomes
    ]
    rows = [(*card.scores.values(), card.corrected["kl"], card.corrected["soft_brier"]) for card in cards]
    return weight @ np.array(rows)


def test_with_five_votes_kl_and_brier_are_too_large_and_their_corrections_are_not() -> None:
    nll, kl, brier, fair_kl, fair_brier = expectations(P, Q, 5)
    true_nll, true_kl = -np.dot(P, np.log(Q)), entropy(P, Q)
    assert nll == pytest.approx(true_nll, abs=1e-12)
    assert (true_kl, kl) == pytest.approx((0.023, 0.250), abs=5e-4)
    assert brier == pytest.approx(0.1280, abs=1e-12)
    assert fair_brier == pytest.approx(0.0200, abs=1e-12)
    assert fair_kl == pytest.approx(true_kl, abs=0.012)  # 19 times nearer than the plain one


@pytest.mark.parametrize("k", [2, 3, 4, 7])
@pytest.mark.parametrize(("p", "q"), [(P, Q), ((0.97, 0.03), (0.5, 0.5)), ((0.25,) * 4, (0.7, 0.1, 0.1, 0.1))])
def test_soft_nll_and_the_corrected_brier_are_right_on_average(p, q, k) -> None:
    nll, _, _, _, brier = expectations(p, q, k)
    assert nll == pytest.approx(-np.dot(p, np.log(q)), abs=1e-12)
    assert brier == pytest.approx(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)), abs=1e-12)


@pytest.mark.parametrize("counts", [(1, 1), (3, 0), (5, 1, 0), (2, 2, 2), (7, 1, 1, 4), (1, 30)])
def test_the_jackknife_is_what_leaving_out_each_vote_gives(counts) -> None:
    k = sum(counts)
    left_out = [n * entropy([m - (j == i) for j, m in enumerate(counts)]) for i, n in enumerate(counts) if n]
    expected = k * entropy(counts) - (k - 1) * math.fsum(left_out) / k
    mass = np.array(counts)[:, None]
    half = np.full(mass.shape, 1 / len(counts))
    block = Block(mass, half, np.log(half), np.array([k]), None, np.array([0]), None)
    assert jackknife_entropy(block)[0] == pytest.approx(expected, abs=1e-12)


def test_items_with_one_vote_cannot_be_corrected_and_are_left_out() -> None:
    q = [[0.7, 0.3], [0.5, 0.5], [0.2, 0.8]]
    card = score(q, Votes.from_counts([[1, 0], [2, 3], [0, 4]]))
    rest = score(q[1:], Votes.from_counts([[2, 3], [0, 4]]))
    assert card.uncorrected == 1
    assert card.corrected == pytest.approx(rest.corrected)
    alone = score([[0.7, 0.3]], Votes.from_counts([[1, 0]]))
    assert not alone.corrected
    assert any(note.startswith("not corrected for few votes: no item has two votes") for note in alone.notes)


@pytest.mark.parametrize("alone", [0, 1, 3])
def test_the_page_says_how_many_items_with_one_vote_are_left_out(alone) -> None:
    card = score([[0.7, 0.3]] * 5, Votes.from_counts([[1, 0]] * alone + [[2, 1]] * (5 - alone)))
    assert card.uncorrected == alone
    assert ("left out: " in str(card)) == (alone > 0)
    assert f"left out: {alone} item" in str(card) or not alone


def test_distributions_are_corrected_where_the_number_of_votes_is_known() -> None:
    shares = [[0.2, 0.8], [0.5, 0.5]]
    known = score(shares, Distributions(shares, classes=("a", "b"), votes_per_item=np.array([5, 2])))
    bias = [float(Fraction(2 * 1 * 4, 25) / 4), 0.5]
    assert known.corrected["soft_brier"] == pytest.approx(-np.mean(bias))
    odd = score(shares, Distributions(shares, classes=("a", "b"), votes_per_item=np.array([3, 2])))
    assert set(odd.corrected) == {"soft_brier"}
    assert any("not corrected for few votes: the shares are not fractions of that many" in note for note in odd.notes)
    assert not score(shares, Distributions(shares, classes=("a", "b"))).corrected


def test_the_floor_is_what_the_shares_themselves_score() -> None:
    counts = np.array([[3, 1, 0], [2, 2, 2], [5, 0, 0]])
    votes = Votes.from_counts(counts)
    card = score(votes.probabilities(), votes)
    assert card["soft_nll"] == pytest.approx(card.floor, abs=1e-15)
    assert card["kl"] == card["soft_brier"] == card["js_distance"] == card["total_variation"] == 0
