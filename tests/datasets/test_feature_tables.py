"""Features in tables and ids beside arrays: every input gets the votes on its own item."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import votewise as vw
from votewise.errors import VotewiseError
from votewise.studies import Source

VOTES = vw.Votes.from_counts([[4, 1], [0, 2], [1, 3]], ("cat", "dog"), items=["a", "b", "c"])
FEATURES = np.array([[3.0, 30.0], [1.0, 10.0], [2.0, 20.0]])  # of c, a and b
IDS = ["c", "a", "b"]


def test_votes_are_brought_into_the_order_of_the_inputs() -> None:
    data = vw.Dataset(FEATURES, VOTES, items=IDS)
    assert data.votes.items.tolist() == IDS
    assert data.votes.counts().tolist() == [[1, 3], [4, 1], [0, 2]]
    assert data.votes.row.tolist() == [2, 0, 1]
    assert data.select([1]).votes.items.tolist() == ["a"]
    assert len(vw.Dataset(FEATURES[:2], VOTES, items=pd.Series(["c", "a"])).votes) == 2
    assert vw.Dataset([[1.0], [2.0]], vw.Votes.from_long([7, 3], ["x", "y"]), items=np.array([7, 3])).votes[
        0
    ].items == ["7"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(FEATURES, index=IDS),
        pd.DataFrame(FEATURES).assign(item=IDS),
        pl.DataFrame({"item": IDS, "x": FEATURES[:, 0], "y": FEATURES[:, 1]}),
        pl.DataFrame({"ticket": IDS, "x": FEATURES[:, 0], "y": FEATURES[:, 1]}),
        pd.DataFrame(FEATURES, index=pd.Index(IDS, name="ticket")),
    ],
)
def test_a_frame_of_features_names_its_items(frame: Any) -> None:
    data = vw.Dataset(frame, VOTES)
    assert data.inputs.tolist() == FEATURES.tolist()
    assert data.votes.items.tolist() == IDS
    by_votes = vw.Dataset.from_files(frame, VOTES)
    assert by_votes.inputs.tolist() == [[1, 10], [2, 20], [3, 30]]
    assert by_votes.votes == VOTES


def test_a_given_item_column_is_preferred_to_a_usual_name(tmp_path: Path) -> None:
    votes = pd.DataFrame({"pid": [0, 0, 1, 1], "label": list("abab")})
    frame = pd.DataFrame({"id": [1, 0], "pid": [0, 1], "text": ["of 0", "of 1"], "x": [0.0, 1.0]})
    frame.to_csv(tmp_path / "inputs.csv", index=False)
    for inputs in (frame, tmp_path / "inputs.csv"):
        texts = vw.Dataset.from_files(inputs, votes, text="text", item="pid")
        assert texts.inputs.tolist() == [["of 0"], ["of 1"]]
    features = vw.Dataset.from_files(frame.drop(columns="text"), votes, item="pid")
    assert features.inputs.tolist() == [[1, 0], [0, 1]]  # the other column of ids is a feature


@pytest.mark.parametrize("index", [None, [7, 1, 4], [2, 0, 1]])
@pytest.mark.parametrize("ids", [IDS, [12, 10, 11]])
def test_a_column_with_the_ids_of_the_votes_is_preferred_to_another_index(index: Any, ids: list[Any]) -> None:
    votes = vw.Votes.from_counts([[4, 1], [0, 2], [1, 3]], ("cat", "dog"), items=sorted(ids))
    texts = pd.DataFrame({"review_id": ids, "review_text": ["of c", "of a", "of b"]}, index=index)
    for frame in (texts, texts.set_index("review_id"), pl.from_pandas(texts)):
        data = vw.Dataset(frame, votes)
        assert data.inputs.tolist() == [["of c"], ["of a"], ["of b"]]
        assert data.votes.counts().tolist() == [[1, 3], [4, 1], [0, 2]]
    numbers = pd.DataFrame(FEATURES, index=index).assign(review_id=ids)
    data = vw.Dataset(numbers, votes)
    assert data.inputs.tolist() == FEATURES.tolist()
    assert data.votes.items.tolist() == list(map(str, ids))


def test_an_index_that_is_used_and_does_not_match_is_named() -> None:
    for frame in (
        pd.DataFrame({"review": ["p", "q", "r"]}, index=[7, 1, 4]),
        pd.DataFrame(FEATURES, index=[7, 1, 4]),
    ):
        with pytest.raises(VotewiseError, match=r"no vote for 3 of 3 items in its index: '1', '4', '7'; .* 'item'"):
            vw.Dataset(frame, VOTES)


@pytest.mark.parametrize("column", ["image", "ticket"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.parquet"])
def test_files_of_features(name: str, column: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({column: IDS, "x": FEATURES[:, 0], "y": FEATURES[:, 1]})
    match name:
        case "x.parquet":
            frame.write_parquet(tmp_path / name)
        case _:
            frame.write_csv(tmp_path / name, separator="\t" if name == "x.tsv" else ",")
    vw.write_votes(VOTES, tmp_path / "votes.csv")
    data = vw.Dataset.from_files(tmp_path / name, tmp_path / "votes.csv")
    assert data.inputs.tolist() == [[1, 10], [2, 20], [3, 30]]
    assert data.origin["inputs"] == str(tmp_path / name)


def test_numbers_of_rows_are_not_a_feature(tmp_path: Path) -> None:
    frame = pd.DataFrame(FEATURES, columns=["x", "y"]).assign(item=IDS)
    frame.to_csv(tmp_path / "x.csv")
    data = vw.Dataset.from_files(tmp_path / "x.csv", VOTES)
    assert data.features == ("x", "y")
    assert data.inputs.tolist() == [[1, 10], [2, 20], [3, 30]]
    assert data.remarks == ["2 features: 'x', 'y'"]
    again = vw.Dataset(pd.read_csv(tmp_path / "x.csv"), VOTES)  # pandas names that column 'Unnamed: 0'
    assert again.features == ("x", "y")


@pytest.mark.parametrize("column", ["label", "n_votes", "split"])
def test_columns_about_the_votes_are_not_features(column: str) -> None:
    frame = pd.DataFrame(FEATURES, index=IDS).assign(**{column: [0, 1, 0]})
    with pytest.raises(VotewiseError, match=f"column '{column}' seems to be about the votes"):
        vw.Dataset(frame, VOTES)


@pytest.mark.parametrize(
    ("inputs", "options", "what"),
    [
        (FEATURES, {"items": ["c", "a"]}, "2 ids for 3 inputs"),
        (FEATURES, {"items": ["c", "a", "a"]}, "'a' twice"),
        (FEATURES, {"items": ["c", "a", "x"]}, "'x'"),
        (pd.DataFrame(FEATURES), {}, "has no item ids"),
        (pd.DataFrame(FEATURES).assign(item=IDS, text="t"), {}, "column 'text'"),
        (pd.DataFrame(FEATURES).assign(item=["c", None, "b"]), {}, "row 1 has no item"),
        (
            pd.DataFrame(FEATURES).assign(ticket=["u", "v", "w"]),
            {},
            "'ticket' holds neither numbers nor ids of the votes",
        ),
        (pd.DataFrame(FEATURES).assign(ticket=IDS, other=IDS), {}, "'ticket', 'other' could each be the item ids"),
    ],
)
def test_what_does_not_fit_is_refused(inputs: Any, options: dict[str, Any], what: str) -> None:
    with pytest.raises(VotewiseError, match=what):
        vw.Dataset(inputs, VOTES, **options)


def test_the_origin_keeps_how_votes_are_cleaned(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("item,label\n0,cat\n0,Cat\n1,dog\n1,?\n")
    (tmp_path / "cleaning.toml").write_text('missing = ["?"]\n')
    np.save(tmp_path / "x.npy", np.eye(2))
    options = {"map": {"Cat": "cat"}, "cleaning": tmp_path / "cleaning.toml"}
    with pytest.warns(vw.DroppedVotes):
        data = vw.Dataset.from_files(tmp_path / "x.npy", tmp_path / "votes.csv", **options)
    assert data.votes.counts().tolist() == [[2, 0], [0, 1]]
    assert data.origin["map"] == {"Cat": "cat"}
    source = Source(**data.origin)
    assert hash(source) == hash(Source(**data.origin))
    with pytest.warns(vw.DroppedVotes):
        assert source.load().fingerprint == data.fingerprint


def test_a_plan_keeps_how_votes_are_cleaned(tmp_path: Path) -> None:
    from votewise.studies.plan import make_plan, read_plan

    names = {"a b=": "c, d", 'say "hi"': ""}
    dataset = {
        "inputs": "x.npy",
        "votes": "votes.csv",
        "map": names,
        "missing": ["?"],
        "cleaning": "c.toml",
        "fold": True,
    }
    plan = make_plan({"name": "p", "methods": ["soft"], "seeds": [0], "dataset": dataset}, where="here")
    (tmp_path / "plan.toml").write_text(plan.toml())
    back = read_plan(tmp_path / "plan.toml")
    assert back.dataset.map == names
    assert back.dataset.cleaning == str(tmp_path / "c.toml")


def test_the_item_of_a_cleaning_file_names_the_ids_of_features_too(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text("comment,label\nb,no\na,yes\n")
    (tmp_path / "features.csv").write_text("comment,x\nb,2\na,1\n")
    (tmp_path / "cleaning.toml").write_text('item = "comment"\n')
    data = vw.Dataset.from_files(tmp_path / "features.csv", tmp_path / "votes.csv", cleaning=tmp_path / "cleaning.toml")
    assert dict(zip(data.votes.items.tolist(), data.inputs[:, 0].tolist(), strict=True)) == {"a": 1, "b": 2}
