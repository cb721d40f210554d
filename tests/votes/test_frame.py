"""Votes out of pandas and polars frames: the same as out of a file with the same rows."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given

from strategies import any_votes
from votewise.errors import VotewiseError
from votewise.votes import Distributions, DoubtfulClasses, DroppedVotes, Votes, read_votes

ROWS = {
    "image": ["b", "a", "a", "b"],
    "worker": [3, 3, 7, 7],
    "rating": ["low", "high", "low", "low"],
    "time": [1.5, 2, 3, 4],
}
FRAMES = [pd.DataFrame, pl.DataFrame]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_gives_the_votes_of_the_file(frame: Any, tmp_path) -> None:
    pl.DataFrame(ROWS).write_csv(tmp_path / "votes.csv")
    votes = Votes.from_frame(frame(ROWS))
    assert votes == read_votes(tmp_path / "votes.csv")
    assert votes.annotators == ("3", "7")
    assert votes.columns["time"].tolist() == [2, 3, 1.5, 4]
    options = {
        "item": "image",
        "label": "rating",
        "annotator": "worker",
        "classes": ["low", "mid", "high"],
        "ordinal": True,
    }
    assert Votes.from_frame(frame(ROWS), **options) == read_votes(tmp_path / "votes.csv", **options)


@given(any_votes(columns=False))
def test_frames_give_the_votes_back(votes: Votes) -> None:
    votes = votes.voted()
    assume(len(votes))
    for frame in (votes.to_polars(), votes.to_pandas()):
        back = Votes.from_frame(frame, classes=votes.classes, duplicates="keep")
        names = [votes.name_of(place).strip() for place in range(len(votes))]
        np.testing.assert_allclose(back.align(names).mass(), votes.mass(), rtol=1e-12)
        assert back.annotator is None or back.align(names).votes_per_item.tolist() == votes.votes_per_item.tolist()


@pytest.mark.parametrize(
    "label",
    [
        pd.Series(["x", None, "y"], dtype="str"),
        pd.Series(["x", None, "y"], dtype="string"),
        pd.Series(["x", np.nan, "y"], dtype=object),
        pd.Series(["x", None, "y"], dtype="category"),
        pl.Series(["x", None, "y"]),
        pl.Series(["x", None, "y"], dtype=pl.Categorical),
        pl.Series(["x", None, "y"], dtype=pl.Enum(["y", "x"])),
    ],
)
def test_missing_labels_are_dropped_with_a_warning(label: Any) -> None:
    library = pl if isinstance(label, pl.Series) else pd
    frame = library.DataFrame({"item": [1, 1, 2], "label": label})
    with pytest.warns(DroppedVotes, match="frame: .*\n  dropped 1: no label") as caught:
        votes = Votes.from_frame(frame)
    assert caught[0].filename == __file__
    assert votes == Votes.from_long([1, 2], ["x", "y"])


@pytest.mark.parametrize(
    ("label", "classes"),
    [
        (pd.Series([1.0, np.nan, 2.0]), ("1", "2")),
        (pd.Series([1, None, 2], dtype="Int64"), ("1", "2")),
        (pd.Series([1.5, None, 2.0]), ("1.5", "2")),
        (pd.Series([True, None, False], dtype="boolean"), ("false", "true")),
        (pd.Series([True, None, False], dtype=object), ("false", "true")),
        (pd.Series([1, None, "a"], dtype=object), ("1", "a")),
        (pl.Series([1, None, 2]), ("1", "2")),
        (pl.Series([1.0, float("nan"), 2.0]), ("1", "2")),
        (pl.Series([True, None, False]), ("false", "true")),
    ],
)
def test_labels_may_be_numbers(label: Any, classes: tuple[str, ...]) -> None:
    library = pl if isinstance(label, pl.Series) else pd
    with pytest.warns(DroppedVotes):
        assert Votes.from_frame(library.DataFrame({"item": [1, 1, 2], "label": label})).classes == classes


def test_a_class_that_looks_like_a_typo_is_reported() -> None:
    frame = pd.DataFrame({"item": [1] * 11, "label": ["positive"] * 5 + ["negative"] * 5 + ["postive"]})
    with pytest.warns(DoubtfulClasses, match="postive"):
        Votes.from_frame(frame)


@pytest.mark.parametrize("frame", FRAMES)
def test_a_second_vote_follows_the_policy(frame: Any) -> None:
    rows = frame({"item": ["a", "a", "a"], "annotator": ["x", "y", "x"], "label": [1, 2, 2]})
    with pytest.raises(VotewiseError, match="row 2: annotator 'x'"):
        Votes.from_frame(rows)
    with pytest.warns(DroppedVotes):
        assert Votes.from_frame(rows, duplicates="last", classes=["1", "2"]).counts().tolist() == [[0, 2]]
    assert Votes.from_frame(rows, duplicates="keep").counts().tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("frame", "options", "what"),
    [
        ({"item": [1]}, {}, "DataFrame, got dict"),
        (pd.DataFrame({"item": [1, 2], "x": [1, 2]}), {}, "the label"),
        (pd.DataFrame({"item": [1, 2], "label": [1, 2]}), {"label": "y"}, "unknown column 'y'"),
        (pd.DataFrame([[1, 2, 3]], columns=["item", "label", "label"]), {}, "'label' occurs twice"),
        (pd.DataFrame({"item": [1, 2], "label": [1, 2]}), {"question": "q"}, "unknown option 'question'"),
        (pl.DataFrame({"item": [1, None], "label": [1, 2]}), {}, "row 1 has no item"),
        (pl.DataFrame({"item": [1, 2], "label": [1, 2], "weight": [1, 0]}), {}, "row 1: the weight is 0"),
        (pl.DataFrame({"item": [], "label": []}), {}, "no votes"),
    ],
)
def test_what_cannot_be_read_is_named(frame: Any, options: dict[str, Any], what: str) -> None:
    with pytest.raises(VotewiseError, match=what):
        Votes.from_frame(frame, **options)


def test_pandas_frames_need_no_arrow() -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import pandas as pd, votewise as vw\n"
        "frame = pd.DataFrame({'item': ['a', 'b'], 'label': ['x', 'y']}).astype({'label': 'category'})\n"
        "print(vw.Votes.from_frame(frame).to_pandas().shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(2, 2)\n"


@pytest.mark.parametrize("as_pandas", [True, False])
@pytest.mark.parametrize("votes_per_item", [None, [4, 4]])
def test_distributions_are_what_their_frame_says(as_pandas, votes_per_item) -> None:
    given = Distributions(
        [[0.25, 0.75], [1, 0]], classes=("cat", "dog"), items=["a", "b"], votes_per_item=votes_per_item
    )
    assert Distributions.from_frame(given.to_pandas() if as_pandas else given.to_polars()) == given


def test_a_frame_of_counts_gives_their_shares() -> None:
    frame = pl.DataFrame({"name": ["a", "b"], "low": [1, 4], "high": [3, 0]})
    shares = Distributions.from_frame(frame, item="name", classes=["low", "high"], ordinal=True)
    assert shares.votes_per_item.tolist() == [4, 4]
    assert shares.scale.kind == "ordinal"
    assert shares["a"].probability.tolist() == [[0.25, 0.75]]
    with pytest.raises(VotewiseError, match="row 1, column 'high' is empty"):
        Distributions.from_frame(frame.with_columns(high=pl.Series([3, None])))
