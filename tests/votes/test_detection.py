"""Detection: the format with the best score, said and explained; never a guess between two."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import get_type_hints

import numpy as np
import polars as pl
import pytest

from exports import EXPORTS, FOLDER, FORMAT
from votewise.errors import VotewiseError
from votewise.votes import (
    READERS,
    DoubtfulClasses,
    DroppedVotes,
    ReadOptions,
    SourceFile,
    Votes,
    detect,
    inspect_votes,
    read_votes,
)
from votewise.votes.writing import write_votes

TABLES = {
    "long.csv": ("long-table", "columns item, annotator, label"),
    "long-semicolon.csv": ("long-table", "columns Item ID, Worker, Answer"),
    "long.tsv": ("long-table", "columns image_id, user, choice"),
    "long.jsonl": ("long-table", "columns item, annotator, label"),
    "annotator-columns.csv": (
        "annotator-columns",
        "labels of one annotator in each of the columns 'anna', 'ben', 'chris', 'dora'",
    ),
    "wide.csv": ("wide-table", "numbers in the columns 'cat', 'dog', 'bird'"),
    "wide-probabilities.tsv": ("wide-table", "numbers in the columns 'entailment', 'neutral', 'contradiction'"),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_report_says_what_was_chosen_and_why(name) -> None:
    report = inspect_votes(FOLDER / name).report
    assert (report.format, report.why) == TABLES[name]
    assert str(report).startswith(f"{FOLDER / name}: read as {report.format} ({report.why}), {report.rows} rows")


@pytest.mark.parametrize("name", EXPORTS)
def test_every_export_is_recognised_by_its_own_reader(name) -> None:
    assert detect(SourceFile(FOLDER / name))[0] == FORMAT[EXPORTS[name]]


def test_arrays_and_our_own_files(tmp_path) -> None:
    votes = Votes.from_counts([[1, 2], [3, 4]])
    write_votes(votes, tmp_path / "own.parquet")
    np.save(tmp_path / "counts.npy", votes.counts())
    np.savez(tmp_path / "counts.npz", counts=votes.counts())
    found = {name: inspect_votes(tmp_path / name).report.format for name in ("own.parquet", "counts.npy", "counts.npz")}
    assert found == {"own.parquet": "votewise", "counts.npy": "array", "counts.npz": "array"}


@pytest.mark.parametrize("name", ["votes.txt", "votes", "votes.dat"])
def test_a_suffix_nobody_knows_does_not_hide_a_table(tmp_path, name) -> None:
    (tmp_path / name).write_text("item,label\na,x\na,y\n")
    assert inspect_votes(tmp_path / name).report.format == "long-table"


@pytest.mark.parametrize("content", ["just words\nand more\n", "{}", "[]"])
def test_what_nobody_recognises_is_one_sentence_that_lists_the_formats(tmp_path, content) -> None:
    (tmp_path / "votes.txt").write_text(content)
    with pytest.raises(VotewiseError, match=r"votes\.txt: ") as caught:
        inspect_votes(tmp_path / "votes.txt")
    assert caught.value.remedy
    if content[0] not in "{[":
        assert all(name in str(caught.value) for name in READERS)


def test_a_tie_is_an_error_that_asks(tmp_path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("id,label,cat,dog\na,cat,3,1\nb,dog,0,4\n")
    with pytest.raises(VotewiseError, match=r"long-table.*wide-table.*--format"):
        inspect_votes(path)
    assert read_votes(path, format="wide-table").counts().tolist() == [[3, 1], [0, 4]]
    asked = inspect_votes(path, format="long-table")
    assert asked.report.why == "as given"
    assert asked.votes().counts().tolist() == [[1, 0], [0, 1]]


def test_items_that_come_back_are_those_of_a_long_table(tmp_path) -> None:
    (tmp_path / "votes.csv").write_text("id,label,age,height\na,cat,30,1.7\na,dog,40,1.8\n")
    assert inspect_votes(tmp_path / "votes.csv").report.format == "long-table"


def test_nothing_is_dropped_in_silence(tmp_path) -> None:
    (tmp_path / "votes.csv").write_text("item,label\na,x\na,y\nb,\n")
    with pytest.warns(DroppedVotes, match=r"votes\.csv: read as long-table .*3 rows\n  dropped 1: no label"):
        read_votes(tmp_path / "votes.csv")
    assert inspect_votes(tmp_path / "votes.csv").report.as_dict()["dropped"] == {
        "no label": 1,
        "an item without votes": 1,
    }


def test_a_class_that_looks_like_a_mistake_is_told(tmp_path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("item,label\n" + "a,positive\na,negative\n" * 5 + "b,postive\n")
    with pytest.warns(DoubtfulClasses, match=r"votes\.csv:\n  class 'postive' \(1 vote\) looks like 'positive'"):
        read_votes(path)
    report = inspect_votes(path).report
    assert report.doubts[0] in str(report)
    assert report.as_dict()["doubts"] == list(report.doubts)
    assert read_votes(path, classes=("negative", "positive", "postive")).num_classes == 3


def test_the_help_of_an_option_names_every_format() -> None:
    text = get_type_hints(ReadOptions, include_extras=True)["format"].__metadata__[0]
    assert all(name in text for name in READERS)


def test_unknown_options_and_values_are_refused(tmp_path) -> None:
    (tmp_path / "votes.csv").write_text("item,label\na,x\na,y\n")
    for options in ({"lable": "y"}, {"format": "csv"}, {"duplicates": "newest"}):
        with pytest.raises(VotewiseError, match="unknown"):
            read_votes(tmp_path / "votes.csv", **options)


def test_who_names_the_label_has_a_table_with_one_vote_per_row(tmp_path) -> None:
    (tmp_path / "votes.csv").write_text("id,ruling,age,height\na,guilty,30,170\nb,free,40,180\n")
    assert inspect_votes(tmp_path / "votes.csv").report.format == "wide-table"
    assert inspect_votes(tmp_path / "votes.csv", label="ruling").votes().classes == ("free", "guilty")


def test_a_file_without_permission_is_one_sentence(tmp_path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("item,label\na,x\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(VotewiseError, match="permission"):
        inspect_votes(path)


def test_readers_are_imported_without_polars() -> None:
    code = (
        "import sys, votewise.votes.readers; print(sorted({'polars', 'pandas', 'scipy', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_parquet_file_of_a_long_table_is_one(tmp_path) -> None:
    pl.DataFrame({"uid": ["a", "b"], "worker": [1, 2], "answer": ["x", "y"]}).write_parquet(tmp_path / "v.parquet")
    assert inspect_votes(tmp_path / "v.parquet").report.why == "columns uid, worker, answer"


@pytest.mark.parametrize("option", ["label", "annotator", "weight", "count", "time"])
@pytest.mark.parametrize("name", ["label-studio.json", "prodigy.jsonl", "argilla.json", "mturk.csv", "chaosnli.jsonl"])
def test_an_option_that_a_format_does_not_use_is_refused(name: str, option: str) -> None:
    with pytest.raises(VotewiseError, match=rf"{option}= does not apply to the format .*leave {option}="):
        inspect_votes(FOLDER / name, **{option: "nonsense"})


def test_the_item_is_refused_if_the_format_defines_it() -> None:
    with pytest.raises(VotewiseError, match="item= does not apply to the format popquorn"):
        inspect_votes(FOLDER / "popquorn.csv", item="nonsense")
