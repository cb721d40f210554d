"""What `Votes` and `Distributions` share: items by id or position, equality, alignment, frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from strategies import any_votes
from votewise.errors import VotewiseError
from votewise.votes import Answers, Distributions, Votes

VOTES = Votes.from_counts([[3, 1], [0, 2], [1, 1]], classes=("cat", "dog"), items=["a", "b", "7"])
BOTH = [VOTES, VOTES.distributions()]


@pytest.mark.parametrize("answers", BOTH)
def test_items_are_selected_by_id_position_slice_or_mask(answers: Answers) -> None:
    for index, ids in [
        ("b", ["b"]),
        ("7", ["7"]),
        (1, ["b"]),
        (-1, ["7"]),
        (np.int64(0), ["a"]),
        (slice(1, None), ["b", "7"]),
        (slice(None, None, -1), ["7", "b", "a"]),
    ]:
        assert answers[index].items.tolist() == ids
    assert answers[["7", "a"]].items.tolist() == ["7", "a"]
    assert answers[np.array(["b"])].items.tolist() == ["b"]
    assert answers[answers.items[1:]].items.tolist() == ["b", "7"]
    assert answers[[2, 0]].items.tolist() == ["7", "a"]
    assert answers[np.array([True, False, True])].items.tolist() == ["a", "7"]
    assert len(answers[[]]) == 0
    assert type(answers["a"]) is type(answers)
    assert answers["7"].row.tolist() == [2]


@pytest.mark.parametrize("answers", BOTH)
@pytest.mark.parametrize("index", ["zzz", ["a", "zzz"], 3, -4, [5], [True], 1.5])
def test_an_index_that_does_not_exist_is_refused(answers: Answers, index: object) -> None:
    with pytest.raises(VotewiseError):
        answers[index]


def test_a_selection_of_distributions_keeps_their_bits() -> None:
    shares = Distributions(np.random.default_rng(0).dirichlet(np.ones(7), size=200), votes_per_item=np.arange(1, 201))
    assert shares[:] == shares
    assert shares[:].fingerprint == shares.fingerprint
    assert shares[::-1][::-1] == shares
    with pytest.raises(VotewiseError, match="two items have the same row"):
        shares.select([0, 0])


@pytest.mark.parametrize("answers", BOTH)
def test_answers_are_not_iterated(answers: Answers) -> None:
    with pytest.raises(TypeError):
        iter(answers)
    with pytest.raises(VotewiseError, match=r"majority\(\)"):
        np.asarray(answers)


@given(any_votes())
def test_equal_votes_have_equal_hashes(votes: Votes) -> None:
    again = replace(votes)
    assert again == votes
    assert hash(again) == hash(votes)
    assert votes.distributions() == again.distributions() if votes.votes_per_item.all() else True


def test_every_field_counts_for_equality() -> None:
    seconds = np.array([1.0, np.nan])
    some = Votes.from_long(["a", "b"], ["x", "y"], ["p", "q"], weight=[1, 2], columns={"seconds": seconds})
    assert some == replace(some, columns={"seconds": seconds.copy()})
    for change in (
        {"items": ["a", "c"]},
        {"items": None},
        {"annotators": ("p", "r")},
        {"annotator": None, "annotators": ()},
        {"weight": np.array([1.0, 3.0])},
        {"columns": {}},
        {"columns": {"seconds": np.array([1.0, 2.0])}},
        {"classes": ("x", "z")},
        {"row": np.array([0, 5])},
    ):
        assert some != replace(some, **change)
    assert VOTES.distributions() != VOTES
    assert VOTES != "votes"


@pytest.mark.parametrize("answers", BOTH)
def test_one_interface(answers: Answers) -> None:
    assert answers.votes_per_item.tolist() == [4, 2, 2]
    assert answers.probabilities().tolist() == [[0.75, 0.25], [0, 1], [0.5, 0.5]]
    assert answers.probabilities([2]).tolist() == [[0.5, 0.5]]
    assert answers.majority().tolist() == [0, 1, 0]
    assert answers.entropy()[2] == pytest.approx(np.log(2))
    assert answers.voted() == answers
    assert answers.align(["7", "b"]) == answers[["7", "b"]]
    with pytest.raises(VotewiseError):
        answers.align(["7", "zzz"])
    with pytest.raises(VotewiseError):
        answers.align(["7"], missing="skip")


def test_only_votes_can_be_empty() -> None:
    padded = VOTES.align(["zzz", "b"], missing="empty")
    assert padded.votes_per_item.tolist() == [0, 2]
    assert padded.voted() == VOTES[["b"]]
    with pytest.raises(VotewiseError):
        VOTES.distributions().align(["b"], missing="empty")


def test_the_number_of_votes_may_be_unknown() -> None:
    assert Distributions([[0.5, 0.5]]).votes_per_item is None
    with pytest.raises(VotewiseError):
        Distributions([[0.5, 0.5]], votes_per_item=[0])


def test_a_class_without_the_methods_cannot_be_made() -> None:
    class Incomplete(Answers):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Incomplete(classes=("a", "b"))


def test_votes_are_a_long_frame_and_distributions_a_wide_one() -> None:
    some = Votes.from_long(["a", "b", "a"], ["yes", "no", "no"], ["ann", None, "bob"], weight=[1, 2, 3])
    assert some.to_polars().columns == ["item", "annotator", "label", "weight"]
    frame = some.to_pandas()
    assert frame["label"].tolist() == ["no", "yes", "no"]
    assert frame["annotator"].isna().tolist() == [False, False, True]
    assert frame["weight"].tolist() == [3, 1, 2]
    wide = VOTES.distributions().to_pandas()
    assert wide.columns.tolist() == ["item", "cat", "dog", "votes_per_item"]
    assert wide["cat"].tolist() == [0.75, 0, 0.5]
    with pytest.raises(VotewiseError):
        Distributions([[0.5, 0.5]], classes=("item", "b")).to_polars()
