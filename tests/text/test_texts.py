"""Texts in datasets: from memory and from files, single and in pairs, with their refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import votewise as vw
from votewise.errors import VotewiseError

VOTES = vw.Votes.from_counts([[3, 1], [0, 2]], classes=("no", "yes"))
LONG = "id,comment,reply,annotator,label,split\n1,good film,yes,ann,no,train\n1,good film,yes,bob,yes,train\n2,bad plot,no,ann,yes,test\n"


@pytest.mark.parametrize(
    "texts",
    [
        ["good", "bad"],
        np.array(["good", "bad"]),
        np.array(["good", "bad"], dtype=object),
        pd.Series(["good", "bad"]),
        pl.Series(["good", "bad"]),
        pd.DataFrame({"text": ["good", "bad"]}),
    ],
    ids=lambda value: type(value).__module__,
)
def test_texts_of_any_container_are_the_same_dataset(texts) -> None:
    data = vw.Dataset(texts, VOTES)
    assert data.kind == "texts"
    assert data.inputs.tolist() == [["good"], ["bad"]]
    assert data.fingerprint == vw.Dataset(["good", "bad"], VOTES).fingerprint


@pytest.mark.parametrize("columns", [pd.DataFrame, pl.DataFrame])
def test_two_columns_of_a_frame_are_pairs(columns) -> None:
    data = vw.Dataset(columns({"a": ["one", "two"], "b": ["three", "four"]}), VOTES)
    assert data.inputs.tolist() == [["one", "three"], ["two", "four"]]
    assert repr(data).startswith("Dataset('data', pairs of texts")


def test_identity_is_the_content_of_the_texts() -> None:
    prints = [
        vw.Dataset(texts, VOTES).fingerprint
        for texts in (["ab", "c"], ["a", "bc"], [("ab", "c"), ("d", "e")], ["ab", "c "])
    ]
    assert len(set(prints)) == 4
    assert vw.Dataset(["ab", "c"], VOTES, name="other").fingerprint == prints[0]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["good", " "], "the text of item 1 is empty"),
        (["good", None], "the text of item 1 is empty"),
        ([("a", "b"), ("c", None)], "item 1 has only one text of a pair"),
        ([("a", "b"), ("c",)], "item 1 has only one text of a pair"),
        (["good", 3], "item 1 is 3, not a text"),
        ([("a", "b", "c")] * 2, "an item has 3 texts"),
    ],
)
def test_what_is_not_a_text_is_refused(texts, said: str) -> None:
    with pytest.raises(VotewiseError, match=said):
        vw.Dataset(texts, VOTES)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_text_and_votes_are_read_from_one_file(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(LONG)
    frame, path = pl.read_csv(tmp_path / "votes.csv", infer_schema=False), tmp_path / f"votes.{suffix}"
    {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}[suffix](path)
    single = vw.Dataset.from_files(votes=path, text="comment")
    assert single.inputs.tolist() == [["good film"], ["bad plot"]]
    assert single.votes == vw.read_votes(path)
    pairs = vw.Dataset.from_files(votes=path, text=("comment", "reply"), split="split")
    assert pairs.inputs.tolist() == [["good film", "yes"], ["bad plot", "no"]]
    assert pairs.parts is not None
    assert pairs.parts.tolist() == [0, 2]


def test_without_ids_the_text_is_the_item(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("comment,label\ngood,yes\ngood,no\nbad,no\n")
    data = vw.Dataset.from_files(votes=path, text="comment")
    assert data.inputs.ravel().tolist() == ["bad", "good"]
    assert data.votes.counts().tolist() == [[1, 0], [1, 1]]


def test_texts_of_their_own_file_are_matched_by_id(tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text("id,comment\n2,bad plot\n1,good film\n")
    (tmp_path / "votes.csv").write_text("id,label\n1,no\n2,yes\n1,yes\n")
    data = vw.Dataset.from_files(tmp_path / "texts.csv", tmp_path / "votes.csv", text="comment")
    assert data.inputs.ravel().tolist() == ["good film", "bad plot"]


@pytest.mark.parametrize(
    ("content", "text", "said"),
    [
        (LONG, "body", "unknown column 'body'"),
        (LONG.replace("2,bad plot", "2,"), "comment", "item '2' has an empty text"),
        (LONG.replace("plot,no,", "plot,,"), ("comment", "reply"), "item '2' has only one text of a pair"),
        (
            LONG.replace("1,good film,yes,bob", "1,good book,yes,bob"),
            "comment",
            "item '1' has two different values of 'comment'",
        ),
        (LONG, ("comment", "comment"), "names the columns"),
    ],
)
def test_a_wrong_file_is_one_sentence(content: str, text, said: str, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(content)
    with pytest.raises(VotewiseError, match=said):
        vw.Dataset.from_files(votes=tmp_path / "votes.csv", text=text)


def test_nested_fields_are_named_with_dots(tmp_path: Path) -> None:
    items = {"a": "no", "b": "yes"}
    path = tmp_path / "votes.json"
    lewidi = {
        name: {
            "annotation task": "paraphrase detection",
            "text": {"Question1": f"{name} one", "Question2": f"{name} two"},
            "annotations": {"Ann1": "1"},
            "soft_label": {"1": 1.0},
        }
        for name in items
    }
    path.write_text(json.dumps(lewidi))
    data = vw.Dataset.from_files(votes=path, text=("text.Question1", "text.Question2"))
    assert data.inputs.tolist() == [["a one", "a two"], ["b one", "b two"]]
    with pytest.raises(VotewiseError, match=r"unknown field 'text.Question3'.*'text.Question1'"):
        vw.Dataset.from_files(votes=path, text="text.Question3")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"text": ["bad", "good"]}, index=["b", "a"]),
        pd.DataFrame({"id": ["b", "a"], "text": ["bad", "good"]}),
        pl.DataFrame({"text": ["bad", "good"], "item": ["b", "a"]}),
    ],
)
def test_texts_in_a_frame_with_ids_get_the_votes_on_their_own_item(frame) -> None:
    votes = vw.Votes.from_counts([[3, 1], [0, 2]], classes=("no", "yes"), items=["a", "b"])
    data = vw.Dataset(frame, votes)
    assert data.inputs.tolist() == [["bad"], ["good"]]
    assert data.votes.items.tolist() == ["b", "a"]
    assert vw.Dataset.from_files(frame, votes).inputs.tolist() == [["good"], ["bad"]]
    with pytest.raises(VotewiseError, match="has no item ids"):
        vw.Dataset(pl.DataFrame({"text": ["bad", "good"]}), votes)


def test_votes_and_texts_in_frames_are_read_as_in_files(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(LONG)
    whole = vw.Dataset.from_files(votes=tmp_path / "votes.csv", text="comment", split="split")
    frame = pd.read_csv(tmp_path / "votes.csv")
    assert vw.Dataset.from_files(votes=frame, text="comment", split="split").fingerprint == whole.fingerprint
    texts = frame[["id", "comment", "split"]].drop_duplicates()
    apart = vw.Dataset.from_files(texts, frame.drop(columns="comment"), text="comment", split="split")
    assert apart.fingerprint == whole.fingerprint
    assert apart.origin is None
    with pytest.raises(VotewiseError, match="item '2' has an empty text"):
        vw.Dataset.from_files(votes=frame.assign(comment=["good", "good", None]), text="comment")


def test_a_cleaning_file_may_name_the_item_of_texts(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(LONG.replace("id,", "number,").replace("yes\n", "yse\n"))
    (tmp_path / "clean.toml").write_text('item = "number"\nmap = { yse = "yes" }\n')
    data = vw.Dataset.from_files(votes=tmp_path / "votes.csv", text="comment", cleaning=tmp_path / "clean.toml")
    assert data.votes.names() == ["1", "2"]
    assert data.votes.classes == ("no", "yes")


def test_the_parts_of_a_split_keep_the_columns_that_they_carry(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("item,label,mood,text\n1,yes,5,one\n1,no,3,one\n")
    (tmp_path / "test.csv").write_text("item,label,mood,text\n2,yes,4,two\n2,no,1,two\n")
    data = vw.Dataset.from_files(votes=tmp_path / "train.csv", test=tmp_path / "test.csv", text="text", carry=["mood"])
    assert data.votes.columns["mood"].tolist() == [3, 5, 1, 4]
