"""Votes as tables and files: what comes back is what went in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from strategies import any_votes
from votewise.errors import VotewiseError
from votewise.votes import Votes, read_votes
from votewise.votes.writing import write_votes


@given(any_votes())
def test_parquet_gives_everything_back(tmp_path_factory, some) -> None:
    path = tmp_path_factory.mktemp("votes") / "votes.parquet"
    write_votes(some, path)
    back = read_votes(path)
    assert back == some
    assert back.fingerprint == some.fingerprint
    assert (back.classes, back.scale, back.annotators) == (some.classes, some.scale, some.annotators)
    for name in ("indptr", "label", "row", "items", "annotator", "weight"):
        one, other = getattr(back, name), getattr(some, name)
        assert (one is None) == (other is None)
        assert one is None or (one.dtype == other.dtype and one.tolist() == other.tolist())
    assert back.columns.keys() == some.columns.keys()
    assert all(back.columns[name].tolist() == some.columns[name].tolist() for name in some.columns)


def test_what_is_written_is_a_long_table_for_everyone_else(tmp_path) -> None:
    some = Votes.from_long(["a", "b", "a"], ["yes", "no", "no"], ["ann", None, "bob"], weight=[1, 2, 3])
    write_votes(some, tmp_path / "votes.parquet")
    assert pl.read_parquet(tmp_path / "votes.parquet").drop("row").equals(some.to_polars())
    assert some.to_polars().rows() == [("a", "bob", "no", 3), ("a", "ann", "yes", 1), ("b", None, "no", 2)]


def test_csv_gives_the_votes_back(tmp_path) -> None:
    some = Votes.from_long([7, 10, 7], ["yes", "no", "no"], ["ann", "eve", "bob"], weight=[1, 0.1, 3])
    write_votes(some, tmp_path / "votes.csv")
    assert read_votes(tmp_path / "votes.csv").fingerprint == some.fingerprint


def test_items_are_called_by_their_rows_where_they_have_no_ids() -> None:
    some = Votes.from_counts([[1, 0], [0, 1], [1, 1]]).select([2, 0])
    assert some.to_polars()["item"].to_list() == ["2", "2", "0"]


def test_what_cannot_be_written_is_one_sentence_and_nothing_is_written(tmp_path) -> None:
    some = Votes.from_counts([[1, 0], [0, 0]])
    with pytest.raises(VotewiseError, match=r"1 item without votes.*\.parquet"):
        write_votes(some, tmp_path / "votes.csv")
    with pytest.raises(VotewiseError, match=r"'\.xlsx'.*\.parquet or \.csv"):
        write_votes(some, tmp_path / "votes.xlsx")
    with pytest.raises(VotewiseError, match="folder"):
        write_votes(some, tmp_path / "nowhere" / "votes.parquet")
    with pytest.raises(VotewiseError, match="'label'"):
        write_votes(replace(some, columns={"label": np.zeros(1)}), tmp_path / "votes.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x\0", " ", "x\u2000", "\x1fx"])
def test_a_name_that_no_text_file_can_hold_is_refused_as_csv_and_kept_as_parquet(tmp_path, name) -> None:
    votes = Votes.from_counts([[1, 2]], classes=("x", "y"), items=[name])
    with pytest.raises(VotewiseError, match="name that is empty, has a NUL"):
        write_votes(votes, tmp_path / "votes.csv")
    assert not (tmp_path / "votes.csv").exists()
    write_votes(votes, tmp_path / "votes.parquet")
    assert read_votes(tmp_path / "votes.parquet") == votes


def test_a_later_version_is_not_guessed_at(tmp_path) -> None:
    path = tmp_path / "votes.parquet"
    pl.DataFrame({"item": ["a"], "label": ["x"]}).write_parquet(path, metadata={"votewise": '{"version": 2}'})
    with pytest.raises(VotewiseError, match="version 2"):
        read_votes(path)


LISTED = '{"version": 1, "scale": ["nominal", null], "classes": ["x", "y"], "items": 1, "annotators": null, "columns": [["row"]]}'
DEEP = '{"version": 1, "scale": ["nominal", null], "classes": ' + 200 * "[" + '"x"' + 200 * "]" + "}"


@pytest.mark.parametrize(
    "facts", ['{"version": 1}', '{"version": 1, "classes": ["y"]}', LISTED, DEEP, "[1]", "{", '"x"']
)
def test_damaged_metadata_is_one_sentence_or_a_long_table(tmp_path, facts) -> None:
    path = tmp_path / "votes.parquet"
    table = pl.DataFrame({"item": ["a", "a"], "row": [0, 0], "label": ["x", "y"]})
    table.write_parquet(path, metadata={"votewise": facts})
    if facts.startswith('{"version"'):
        with pytest.raises(VotewiseError, match=r"votes\.parquet: its contents are inconsistent") as caught:
            read_votes(path)
        assert len(str(caught.value)) < 1000
    else:
        assert read_votes(path).counts().tolist() == [[1, 1]]
