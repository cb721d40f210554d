"""Half of the votes against the other half."""

from __future__ import annotations

import numpy as np
import pytest

from votewise.errors import UndefinedError
from votewise.scoring import annotator_ceiling, score
from votewise.votes import Distributions, Votes


def test_people_of_one_mind_reach_everything() -> None:
    ceiling = annotator_ceiling(Votes.from_counts([[6, 0, 0], [0, 5, 0]]))
    assert ceiling["accuracy"] == ceiling["soft_accuracy"] == ceiling["po_jsd"] == 1
    assert ceiling["soft_brier"] == ceiling["js_distance"] == ceiling["total_variation"] == ceiling["ent_ce"] == 0
    # halves of 3 and of 2 votes, and 1/3 of a vote for each class to begin with
    assert ceiling["soft_nll"] == pytest.approx(-np.mean(np.log([(3 + 1 / 3) / 4, (2 + 1 / 3) / 3])))
    assert "entropy_correlation" not in ceiling


def test_the_expected_brier_between_halves_is_that_of_drawing_without_replacement() -> None:
    """E sum (a - b)^2 = K^2 / (|A| |B| (K - 1)) sum p (1 - p) for halves A, B of K votes."""
    rng = np.random.default_rng(0)
    counts = rng.multinomial(7, [0.5, 0.3, 0.2], size=3000)
    p = counts / 7
    expected = np.mean(49 / (3 * 4 * 6) * (p * (1 - p)).sum(axis=1))
    assert annotator_ceiling(Votes.from_counts(counts), splits=3)["soft_brier"] == pytest.approx(expected, rel=0.02)


def test_ties_and_scores_are_those_of_the_card() -> None:
    """Halves of 2:2 are both tied with probability 2/3; a random class then wins, and the lower one is predicted."""
    votes = Votes.from_counts(np.tile([2, 2], (2000, 1)))
    for ties, expected in (("lowest", 2 / 3), ("random", 1 / 3)):
        card = score(votes.probabilities(), votes, scores=["ece_equal_mass", "accuracy"], ties=ties, ceiling=5)  # type: ignore[arg-type]
        assert card.ceiling == {"accuracy": pytest.approx(expected, abs=0.03)}


def test_it_depends_on_the_seed_and_the_rows_alone() -> None:
    rng = np.random.default_rng(1)
    votes = Votes.from_counts(rng.multinomial(6, [0.4, 0.3, 0.3], size=50))
    assert annotator_ceiling(votes) == annotator_ceiling(votes) != annotator_ceiling(votes, seed=1)
    mixed = votes.select(rng.permutation(50))
    assert annotator_ceiling(mixed) == pytest.approx(annotator_ceiling(votes))


def test_items_with_one_vote_are_left_out_and_distributions_have_no_halves() -> None:
    votes = Votes.from_counts([[1, 0], [2, 2], [0, 3]])
    assert annotator_ceiling(votes) == annotator_ceiling(votes.select([1, 2]))
    with pytest.raises(UndefinedError, match="no item has two votes"):
        annotator_ceiling(Votes.from_counts([[1, 0]]))
    q = [[0.5, 0.5]]
    card = score(q, Distributions(q, classes=("a", "b")), ceiling=2)
    assert not card.ceiling
    assert (
        "the two halves of the votes were not compared: distributions have no individual votes to split" in card.notes
    )
