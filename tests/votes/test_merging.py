"""Merging the votes of several files: no class, position or number of votes is lost."""

from __future__ import annotations

import numpy as np
import pytest

from votewise import Distributions, Scale, Votes, VotewiseError
from votewise.votes import merged


def ordered(*classes: str, at: tuple[float, ...] | None = None) -> Votes:
    scale = Scale.ordinal(classes) if at is None else Scale("ordinal", at)
    return Votes.from_counts(np.eye(len(classes), dtype=int), classes, scale=scale)


def test_equal_scales_are_kept() -> None:
    votes = merged([ordered("low", "high", at=(0, 10)), ordered("low", "high", at=(0, 10))], "abcd")
    assert votes.classes == ("low", "high")
    assert votes.scale.position == (0, 10)


def test_ratings_that_do_not_occur_in_a_file_are_added_to_its_scale() -> None:
    votes = merged([ordered("1", "10"), ordered("2", "10")], "abcd")
    assert votes.classes == ("1", "2", "10")
    assert votes.scale == Scale.ordinal(votes.classes)
    assert votes.counts().tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("other", [ordered("low", "high"), ordered("low", "mid", "top"), ordered("high", "mid", "low")])
def test_files_that_order_their_classes_differently_are_rejected(other: Votes) -> None:
    with pytest.raises(VotewiseError, match="order their classes differently"):
        merged([ordered("low", "mid", "high"), other], [str(n) for n in range(3 + len(other))])


def test_distributions_keep_their_numbers_of_votes_and_agree_on_the_scale() -> None:
    parts = [Distributions([[0.5, 0.5]], votes_per_item=[n]) for n in (4, 2)]
    assert merged(parts, "ab") == Distributions([[0.5, 0.5]] * 2, votes_per_item=[4, 2], items=["a", "b"])
    assert merged([*parts, Distributions([[0.5, 0.5]])], "abc").votes_per_item is None
    with pytest.raises(VotewiseError, match="ordered in one file and not in another"):
        merged([*parts, Distributions([[0.5, 0.5]], scale=Scale.ordinal("01"))], "abc")
