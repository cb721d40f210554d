"""Each rule of the advice, through `describe`, on the smallest votes that call for it."""

import numpy as np
import pytest

from votewise.profile import describe
from votewise.votes import Distributions, Votes

MIXED = [[3, 2], [5, 0], [1, 4], [4, 1]]


def weighted(weights):
    return Votes([0, 3, 5], [0, 0, 1, 0, 1], classes=("a", "b"), weight=weights)


@pytest.mark.parametrize(
    ("votes", "delivery", "matters", "says"),
    [
        (Votes.from_counts(MIXED), "multipass", "yes", "With 5 votes per item, the vote shares are noisy estimates"),
        (Votes.from_counts(10 * np.array(MIXED)), "multipass", "little", "With 50 votes per item"),
        (Votes.from_counts([[1, 0], [0, 1], [1, 0]]), "multipass", "no", "one vote"),
        (Votes.from_counts([[4, 0], [0, 3]]), "multipass", "no", "All items are unanimous"),
        (Votes.from_counts([[5, 0]] * 39 + [[4, 1]]), "multipass", "little", "97.5 % of the items are unanimous"),
        (Votes.from_counts([[5, 0]] * 9 + [[4, 1]]), "multipass", "yes", "noisy estimates"),
        (weighted([1, 2, 1, 1, 1]), "sls", "yes", "noisy estimates"),
        (weighted([2, 2, 2, 2, 2]), "multipass", "yes", "noisy estimates"),
        (Votes.from_counts(MIXED).distributions(), "sls", "yes", "With 5 votes per item"),
        (Distributions([[0.6, 0.4]] * 4, classes=("a", "b")), "sls", "little", "give their number (votes_per_item=)"),
        (Distributions([[1.0, 0.0]] * 4, classes=("a", "b")), "sls", "no", "All items are unanimous"),
    ],
)
def test_the_delivery_that_fits_and_whether_it_matters(votes, delivery, matters, says):
    advice = describe(votes).advice
    assert (advice.delivery, advice.matters) == (delivery, matters)
    assert says in advice.because


def test_the_reason_is_what_the_votes_are():
    assert "counts are exact" in describe(Votes.from_counts(MIXED)).advice.reason
    assert "Only probabilities" in describe(Distributions([[0.6, 0.4]], classes=("a", "b"))).advice.reason
    assert "votes.distributions()" in describe(weighted([1, 2, 1, 1, 1])).advice.reason


def test_a_finding_on_one_data_set_is_never_said_without_its_name():
    for counts in (MIXED, 10 * np.array(MIXED)):
        assert "on CIFAR-10H and ChaosNLI" in describe(Votes.from_counts(counts)).advice.because


def test_items_without_votes_are_counted_with_the_remedy():
    notes = describe(Votes.from_counts([[3, 2], [0, 0], [0, 0]])).advice.notes
    assert any("2 items have no votes" in note and "votes.voted()" in note for note in notes)
    assert not any("no votes" in note for note in describe(Votes.from_counts(MIXED)).advice.notes)


def test_what_more_votes_would_bring_is_said_in_the_numbers_of_the_profile():
    found = describe(Votes.from_counts(MIXED))
    now, twice = (case.bias["js_distance"] for case in (found.few_votes.now, found.few_votes.twice))
    assert twice < now
    assert any(f"{now:.3f} now and would be {twice:.3f}" in note for note in found.advice.notes)
