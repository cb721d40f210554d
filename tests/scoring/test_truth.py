"""True labels from files: matched by item where these have names, else in the order of the votes, which is then told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from votewise.errors import VotewiseError
from votewise.scoring import Intervals, read_truth, reliability_curve, score
from votewise.votes import Votes

VOTES = Votes.from_long(["a", "a", "b", "b", "c", "c"], ["cat", "dog", "dog", "dog", "cat", "cat"])
Q = np.array([[0.5, 0.5], [0.25, 0.75], [0.875, 0.125]])
IN_ORDER = ("true classes have no item ids: matched in the order of votes.items (sorted by id), 'a', 'b', 'c'",)

READ = {
    "a table": ("t.csv", "item,label\nc,cat\na,dog\nb,dog\n", ()),
    "more items than votes": ("t.csv", "item,label\nc,cat\na,dog\nx,dog\nb,dog\n", ()),
    "another name for the label": ("t.csv", "id,gold\nc,cat\na,dog\nb,dog\n", ()),
    "records": ("t.jsonl", '{"item": "b", "label": "dog"}\n{"item": "a", "label": "dog"}\n{"item": "c", "label": "cat"}\n', ()),
    "one column": ("t.csv", "label\ndog\ndog\ncat\n", IN_ORDER),
    "one column without header": ("t.csv", "dog\ndog\ncat\n", IN_ORDER),
    "lines": ("t.txt", "dog\ndog\ncat\n\n", IN_ORDER),
    "lines of numbers": ("t.txt", "1\n1\n0\n", IN_ORDER),
    "an array": ("t.npy", np.array([1, 1, 0]), IN_ORDER),
    "an array of names": ("t.npy", np.array(["dog", "dog", "cat"]), IN_ORDER),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "notes"), READ.values(), ids=READ)
def test_every_form_of_the_same_truth_scores_the_same(tmp_path, name, content, notes) -> None:
    path = tmp_path / name
    np.save(path, content) if isinstance(content, np.ndarray) else path.write_text(content)
    truth = read_truth(path, VOTES)
    assert truth.notes == notes
    card = score(Q, VOTES, truth=truth)
    assert card.scores == score(Q, VOTES, truth=[1, 1, 0]).scores
    assert set(notes) <= set(card.notes)


def test_ids_that_are_numbers_match_the_rows_of_votes_without_ids(tmp_path) -> None:
    (tmp_path / "t.csv").write_text("item,label\n1,1\n0,0\n")
    assert read_truth(tmp_path / "t.csv", Votes.from_counts([[1, 1], [0, 2]])).classes.tolist() == [0, 1]


@pytest.mark.parametrize("over", ["items", "items+votes"])
def test_true_classes_of_some_items_are_scored_on_these_items(tmp_path, over: str) -> None:
    rng = np.random.default_rng(0)
    votes = Votes.from_counts(rng.multinomial(5, [0.5, 0.3, 0.2], size=200), ("x", "y", "z"), items=range(200))
    q, gold, some = rng.dirichlet(np.ones(3), 200), rng.integers(3, size=200), np.arange(0, 200, 4)
    rows = "".join(f"{i},{'xyz'[gold[i]] if i in some else ''},text {i}\n" for i in range(200))
    (tmp_path / "t.csv").write_text(f"review,gold,comment\n{rows}")
    given = read_truth(tmp_path / "t.csv", votes, item="review", label="gold")
    series = pd.Series(gold[some], index=some)
    alone = score(q[some], votes.select(some), truth=gold[some], bins=5)
    for truth in (given, series):
        card = score(q, votes, truth=truth, bins=5, intervals=Intervals(100, over))
        assert "true classes for 50 of 200 items: scores against them use only these items" in card.notes
        against_truth = [key for key in card.scores if key.endswith("_truth")]
        assert len(against_truth) == 4
        for key in against_truth:
            assert card.scores[key] == alone.scores[key]
            low, high = card.intervals[key]
            assert low < card.scores[key] < high
        assert card["kl"] == score(q, votes)["kl"]
        assert np.isnan(card.items["accuracy_truth"]).sum() == 150
    curve = reliability_curve(q, votes, outcome="truth", truth=given)
    assert curve.smooth_ece == alone["smooth_ece_truth"]


def test_one_class_alone_may_be_true(tmp_path) -> None:
    (tmp_path / "t.csv").write_text("item,label\na,dog\nb,dog\nc,dog\n")
    assert read_truth(tmp_path / "t.csv", VOTES).classes.tolist() == [1, 1, 1]


REFUSED = {
    "other items": ("t.csv", "item,label\ny,dog\nx,cat\n", "no true label for 3 of 3 items: 'a', 'b', 'c'"),
    "repeated items": ("t.csv", "item,label\nb,dog\nb,dog\n", "exactly one label per item"),
    "another class": ("t.csv", "item,label\na,owl\nb,dog\nc,cat\n", "'owl' is not one of the classes"),
    "two labels": ("t.csv", "item,label\na,cat\na,dog\nb,dog\nc,cat\n", "exactly one label per item"),
    "too few lines": ("t.txt", "dog\ncat\n", "2 true labels for 3 items; give one per line in the order"),
    "another class in lines": (
        "t.txt",
        "dog\nowl\ncat\n",
        "the true class 'owl' of item 'b' is not one of the classes",
    ),
    "another length": ("t.npy", np.array([0, 1]), r"true classes of shape \(2,\) for 3 items"),
    "unknown columns": ("t.csv", "foo,bar,baz\na,dog,1\n", "give a table with the columns 'item' and 'label'"),
    "a missing class": ("t.npy", np.array([0, np.nan, 1]), "item 'b' has no true class"),
    "an empty file": ("t.csv", "", "the file is empty; give one label per item"),
}


@pytest.mark.parametrize(("name", "content", "message"), REFUSED.values(), ids=REFUSED)
def test_truth_that_does_not_fit_the_votes_is_refused(tmp_path, name, content, message) -> None:
    path = tmp_path / name
    np.save(path, content) if isinstance(content, np.ndarray) else path.write_text(content)
    with pytest.raises(VotewiseError, match=message) as error:
        read_truth(path, VOTES)
    assert error.value.where == str(path)
    assert error.value.remedy
