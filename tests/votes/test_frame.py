"""Votes out of pandas and polars frames: the same as out of a file with the same rows."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

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


# --- frames in the place of files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", FRAMES)
def test_read_votes_takes_a_frame_for_a_file(frame: Any, tmp_path) -> None:
    pl.DataFrame(ROWS).write_csv(tmp_path / "votes.csv")
    assert read_votes(frame(ROWS)) == read_votes(tmp_path / "votes.csv")
    wide = {"item": ["b", "a"], "x": [2, 0], "y": [1, 3]}
    pl.DataFrame(wide).write_csv(tmp_path / "wide.csv")
    assert read_votes(frame(wide)) == read_votes(tmp_path / "wide.csv")
    columns = {"item": ["a", "b", "c"], "anna": ["yes", "no", None], "ben": ["no", "no", "yes"]}
    pl.DataFrame(columns).write_csv(tmp_path / "columns.csv")
    assert read_votes(frame(columns)) == read_votes(tmp_path / "columns.csv")
    with pytest.raises(VotewiseError, match="cannot be read as prodigy"):
        read_votes(frame(ROWS), format="prodigy")


def test_the_index_of_a_pandas_frame_may_hold_the_items() -> None:
    votes = read_votes(pd.DataFrame(ROWS))
    assert read_votes(pd.DataFrame(ROWS).set_index("image")) == votes
    assert read_votes(pd.DataFrame(ROWS).set_index("image", drop=False)) == votes
    assert read_votes(pd.DataFrame(ROWS).set_index(["image", "worker"])) == votes
    assert read_votes(pd.DataFrame(ROWS)[::-1]) == votes  # an index without a name says nothing about votes


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT])
def test_nan_is_never_a_class(nothing: Any) -> None:
    label = ["x", "y", nothing, "x"]
    for values in (label, np.array(label, dtype=object), pd.Series(label, dtype=object)):
        with pytest.raises(VotewiseError, match="row 2 has no value"):
            Votes.from_long(list("aabb"), values)
        votes = Votes.from_long(list("aabb"), ["x", "y", "x", "x"], values)
        assert votes.annotators == ("x", "y")


def test_numeric_ids_are_written_alike_in_every_layout() -> None:
    item = [1.0, 2.0, 10.0]  # as pandas holds integers beside missing values
    wide = pd.DataFrame({"item": item, "no": [1, 0, 2], "yes": [1, 2, 0]})
    raters = pd.DataFrame({"item": item, "rater_1": ["no", "yes", "no"], "rater_2": ["yes", "yes", "no"]})
    long = raters.melt("item", value_name="label")[["item", "label"]]
    for frame in (wide, raters, long):
        votes = read_votes(frame)
        assert votes.items.tolist() == ["1", "2", "10"]
        assert votes.counts().tolist() == [[1, 1], [0, 2], [2, 0]]


def test_columns_of_pandas_go_into_from_long() -> None:
    frame = pd.DataFrame(ROWS).astype({"rating": "category"})
    votes = Votes.from_long(frame["image"], frame["rating"], frame["worker"])
    assert votes == Votes.from_long(ROWS["image"], ROWS["rating"], ROWS["worker"])


NOT_NAMES = {
    "lists": [["x"], ["y"]],
    "tuples": [("x", "y"), ("y", "z")],
    "dictionaries": [{"x": 1}, {"x": 2}],
    "sets": [{"x"}, {"y"}],
    "identifiers": [UUID(int=1), UUID(int=2)],
    "paths": [Path("x"), Path("y")],
    "intervals": [pd.Interval(0, 1), pd.Interval(1, 2)],
    "periods": [pd.Period("2020"), pd.Period("2021")],
    "durations": [timedelta(1), timedelta(2)],
    "bytes": [b"\xff", b"x"],
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", NOT_NAMES)
def test_objects_may_be_beside_votes_but_are_no_names(frame: Any, kind: str) -> None:
    values, names = NOT_NAMES[kind], ["a", "b"]
    beside = frame({"item": ["a", "b", "c"], "label": ["x", "y", "x"], "other": [*values, values[0]]})
    assert read_votes(beside).counts().tolist() == [[1, 0], [0, 1], [1, 0]]
    for item, label in ((values, names), (names, values)):
        with pytest.raises(VotewiseError, match=r"the .* frame.*is not a text or a number; .*astype"):
            read_votes(frame({"item": item, "label": label}))
        with pytest.raises(VotewiseError, match="is not a text or a number"):
            Votes.from_long(item, label)


def test_one_value_is_not_a_column() -> None:
    with pytest.raises(VotewiseError, match="1 is not a column of values; give a list"):
        Votes.from_long(1, 2)  # type: ignore[arg-type]


def test_a_crosstab_keeps_its_names() -> None:
    frame = pd.DataFrame(ROWS)
    table = pd.crosstab(frame["image"], frame["rating"])
    votes = Votes.from_counts(table)
    assert (votes.classes, votes.items.tolist()) == (("high", "low"), ["a", "b"])
    assert votes.counts().tolist() == [[1, 1], [0, 2]]
    assert Votes.from_counts(table, ["low", "high"]).counts().tolist() == [[1, 1], [2, 0]]
    assert Votes.from_counts(table.reset_index()) == votes
    assert Votes.from_counts(pl.DataFrame({"picture": ["a", "b"], "high": [1, 0], "low": [1, 2]})) == votes
    assert Votes.from_counts(pd.DataFrame([[1, 1], [0, 2]])).classes == ("0", "1")
    with pytest.raises(VotewiseError, match="sum of the others"):
        Votes.from_counts(pd.crosstab(frame["image"], frame["rating"], margins=True))
    with pytest.raises(VotewiseError, match="item 'All' is the sum of the others"):
        Votes.from_counts(pd.crosstab(frame["image"], frame["worker"], margins=True).drop(columns="All"))
    with pytest.raises(VotewiseError, match="'mid' has no column"):
        Votes.from_counts(table, ["low", "mid"])
    with pytest.raises(VotewiseError, match="could each"):
        Votes.from_counts(table.reset_index().assign(text=["t", "u"]))
    described = table.reset_index().assign(num_votes=[2, 2])
    assert Votes.from_counts(described) == read_votes(described) == votes
    with pytest.raises(VotewiseError, match="row 1 has no item"):
        Votes.from_counts(described.assign(image=["a", None]))
    with pytest.raises(VotewiseError, match="sum of the others"):
        read_votes(pd.crosstab(frame["image"], frame["rating"], margins=True))
