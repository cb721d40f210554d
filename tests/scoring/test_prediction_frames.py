"""Predictions in a frame: matched by item id and class name, in whatever order, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import votewise as vw
from votewise.errors import VotewiseError

VOTES = vw.Votes.from_counts([[4, 1, 0], [0, 2, 3], [1, 1, 3]], ("cat", "dog", "fox"), items=["a", "b", "c"])
SHARES = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.2, 0.2, 0.6]])
SCORE = vw.score(SHARES, VOTES).scores
SHUFFLED = pd.DataFrame(SHARES, columns=VOTES.classes, index=["a", "b", "c"]).loc[
    ["c", "a", "b"], ["fox", "cat", "dog"]
]


@pytest.mark.parametrize(
    "frame",
    [
        SHUFFLED,
        SHUFFLED.rename_axis("item"),
        SHUFFLED.reset_index(names="item"),
        SHUFFLED.reset_index(names="picture"),  # a column that holds the ids
        SHUFFLED.add_prefix("p_").reset_index(names="id"),
        SHUFFLED.astype("float32").reset_index(names="item").astype({"item": "category"}),
        pl.DataFrame({"item": ["c", "a", "b"], **{name: SHUFFLED[name].to_numpy() for name in SHUFFLED}}),
    ],
)
def test_a_frame_scores_as_the_array_in_order(frame: Any) -> None:
    card = vw.score(frame, VOTES)
    for name, value in SCORE.items():
        assert card.scores[name] == pytest.approx(value, abs=1e-6), name
    assert "item id" in card.matching[0]


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        (SHUFFLED.reset_index(drop=True), "has the item ids"),
        (pl.DataFrame({name: SHUFFLED[name].to_numpy() for name in SHUFFLED}), "has the item ids"),
        (SHUFFLED.set_axis([0, 1, 2], axis=1), "not the classes"),
        (SHUFFLED.rename(columns={"fox": "Fox"}), "'Fox'"),
        (SHUFFLED.assign(foo=0.0), r"the votes have 3 \('cat', 'dog', 'fox'\); leave 'foo' out"),
        (SHUFFLED.iloc[:2], "'b'"),
        (SHUFFLED.rename({"a": "A"}), "'a'"),
    ],
)
def test_a_frame_that_cannot_be_matched_is_refused(frame: Any, what: str) -> None:
    with pytest.raises(VotewiseError, match=what) as caught:
        vw.score(frame, VOTES)
    assert "to_numpy" not in str(caught.value)


def test_the_remedy_leads_to_the_right_score() -> None:
    nameless = SHUFFLED.reset_index(drop=True)
    with pytest.raises(VotewiseError, match=r"add the item id .* as a column 'item'"):
        vw.score(nameless, VOTES)
    assert vw.score(nameless.assign(item=["c", "a", "b"]), VOTES)["kl"] == pytest.approx(SCORE["kl"])


def test_some_of_the_items_in_a_frame() -> None:
    card = vw.score(SHUFFLED.iloc[:2], VOTES, partial=True)
    assert card["kl"] == pytest.approx(vw.score(SHARES[[0, 2]], VOTES[["a", "c"]])["kl"])


@pytest.mark.parametrize(
    "form", [lambda frame: frame.reset_index(drop=True), lambda frame: frame.set_index("review_id")]
)
def test_an_own_name_of_the_id_column_is_found_for_some_of_the_items(form: Any) -> None:
    """`fold` has numbers that are also ids, but of few rows; `score` of more, but of fewer than `review_id`."""
    votes = vw.Votes.from_counts(np.tile(VOTES.counts(), (10, 1)), VOTES.classes, items=range(30))
    frame = pd.DataFrame(np.tile(SHARES, (10, 1)), columns=VOTES.classes).add_prefix("p_")
    frame["fold"], frame["score"], frame["review_id"] = [n % 2 for n in range(30)], range(1, 31), range(30)
    some = form(frame.iloc[[29, 4, 8, 0, 17, 3]])
    card = vw.score(some, votes, partial=True)
    assert "column 'review_id'" in card.matching[0]
    assert card.scores == vw.score(some, votes[[29, 4, 8, 0, 17, 3]]).scores
    with pytest.raises(VotewiseError, match=r"no prediction for 24 of 30 items.*partial=True"):
        vw.score(some, votes)
    with pytest.raises(VotewiseError, match=r"columns 'review_id', 'score'|columns 'score', 'review_id'"):
        vw.score(form(frame.iloc[[4, 8, 0]]), votes, partial=True)


def test_without_item_ids_in_the_votes_rows_go_by_position() -> None:
    votes = vw.Votes.from_counts(VOTES.counts(), VOTES.classes)
    frame = pd.DataFrame(SHARES, columns=VOTES.classes)[["fox", "dog", "cat"]]
    assert vw.score(frame, votes)["kl"] == pytest.approx(SCORE["kl"])


def test_another_column_of_ids_is_named() -> None:
    frame = SHUFFLED.reset_index(names="x").assign(id=[7, 8, 9])
    assert vw.score(vw.read_predictions(frame, item="x"), VOTES)["kl"] == pytest.approx(SCORE["kl"])


def test_true_classes_in_a_series_go_by_its_index() -> None:
    truth = pd.Series({"c": "fox", "a": "cat", "b": "dog"})
    expected = vw.score(SHARES, VOTES, truth=["cat", "dog", "fox"])
    assert vw.score(SHUFFLED, VOTES, truth=truth)["accuracy_truth"] == expected["accuracy_truth"] == 1
    assert vw.score(SHARES, VOTES, truth=truth.loc[["a", "b", "c"]].reset_index(drop=True))["accuracy_truth"] == 1
    assert vw.score(SHUFFLED, VOTES, truth=truth.replace("cat", "fox").drop("b"))["accuracy_truth"] == 0.5
    with pytest.raises(VotewiseError, match="no true label for 3 of 3 items: 'a', 'b', 'c'"):
        vw.score(SHUFFLED, VOTES, truth=truth.rename(str.upper))


def test_a_nameless_index_of_some_of_the_items_names_them() -> None:
    votes = vw.Votes.from_counts(np.tile([3, 2], (5, 1)), ("cat", "dog"), items=list("abcde"))
    some = pd.DataFrame({"dog": [0.9, 0.2], "cat": [0.1, 0.8]}, index=["d", "b"])
    with pytest.raises(VotewiseError, match="partial"):
        vw.score(some, votes)
    in_order = vw.score([[0.8, 0.2], [0.1, 0.9]], votes[["b", "d"]])
    assert vw.score(some, votes, partial=True)["kl"] == pytest.approx(in_order["kl"])
