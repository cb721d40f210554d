"""Predictions from files: matched by item and class where these have names, and refused in one sentence."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from votewise.errors import VotewiseError
from votewise.scoring import SCORES, read_predictions, refuse_swapped, score
from votewise.scoring.matching import align
from votewise.scoring.predictions import as_predictions
from votewise.scoring.probabilities import as_array
from votewise.votes import Distributions, Votes

VOTES = Votes.from_long(
    ["a", "a", "b", "b", "c", "c"],
    ["cat", "dog", "dog", "dog", "cat", "cat"],
    classes=["cat", "dog"],
)
Q = np.array([[0.5, 0.5], [0.25, 0.75], [0.875, 0.125]])
EXPECTED = score(Q, VOTES).scores


def written(folder, name, content):
    path = folder / name
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, pl.DataFrame):
        content.write_parquet(path)
    elif isinstance(content, dict):
        np.savez(path, **content)
    else:
        np.save(path, content)
    return path


READ = {
    "by position, npy": ("q.npy", Q),
    "single precision": ("q.npy", Q.astype(np.float32)),
    "log-probabilities": ("q.npy", np.log(Q)),
    "logits": ("q.npy", np.log(Q) + 3.5),
    "npz with one table": ("q.npz", {"anything": Q}),
    "npz by name": ("q.npz", {"logits": np.log(Q) - 1, "features": np.zeros((3, 7))}),
    "npz with rows in another order": ("q.npz", {"probabilities": Q[::-1], "items": np.array(["c", "b", "a"])}),
    "npz with classes in another order": ("q.npz", {"probabilities": Q[:, ::-1], "classes": np.array(["dog", "cat"])}),
    **{
        f"npz with ids in {name}": ("q.npz", {"probs": Q[::-1], "fold": np.arange(3), name: np.array(["c", "b", "a"])})
        for name in ("item_ids", "ids", "image_id", "filenames")
    },
    **{
        f"npz with classes in {name}": ("q.npz", {"probs": Q[:, ::-1], name: np.array(["dog", "cat"])})
        for name in ("class_names", "labels", "columns")
    },
    "csv in another order": ("q.csv", "item,dog,cat\nc,0.125,0.875\na,0.5,0.5\nb,0.75,0.25\n"),
    "csv with prefixes": ("q.csv", "id,text,p_cat,p_dog\na,x,0.5,0.5\nb,y,0.25,0.75\nc,z,0.875,0.125\n"),
    "csv of logits by prefix": ("q.csv", "logit_cat,logit_dog\n0,0\n0,1.0986122886681098\n1.9459101490553132,0\n"),
    "csv without header": ("q.csv", "0.5,0.5\n0.25,0.75\n0.875,0.125\n"),
    "csv with numbered classes": ("q.csv", "0,1\n0.5,0.5\n0.25,0.75\n0.875,0.125\n"),
    "csv with a byte order mark": ("q.csv", "\ufeffitem,cat,dog\na,0.5,0.5\nb,0.25,0.75\nc,0.875,0.125\n"),
    "csv with semicolons": ("q.csv", "item;cat;dog\na;0.5;0.5\nb;0.25;0.75\nc;0.875;0.125\n"),
    "csv with blanks": ("q.csv", "item, cat, dog\na, 0.5, 0.5\n\nb, 0.25, 0.75\nc, 0.875, 0.125\n\n"),
    "csv with other columns": ("q.csv", "text,item,cat,dog\nx,b,0.25,0.75\ny,a,0.5,0.5\nz,c,0.875,0.125\n"),
    "ids in a column of any name": ("q.csv", "cat,dog,picture\n0.25,0.75,b\n0.5,0.5,a\n0.875,0.125,c\n"),
    "lists in parquet": ("q.parquet", pl.DataFrame({"tokens": [["x"]] * 3, "cat": Q[:, 0], "dog": Q[:, 1]})),
    "tsv": ("q.tsv", "uid\tcat\tdog\na\t0.5\t0.5\nb\t0.25\t0.75\nc\t0.875\t0.125\n"),
    "parquet": ("q.parquet", pl.DataFrame({"item": ["b", "a", "c"], "cat": Q[[1, 0, 2], 0], "dog": Q[[1, 0, 2], 1]})),
}


@pytest.mark.parametrize(("name", "content"), READ.values(), ids=READ)
def test_every_form_of_the_same_predictions_scores_the_same(tmp_path, name, content) -> None:
    predictions = read_predictions(written(tmp_path, name, content))
    assert align(predictions, VOTES).predictions.probabilities == pytest.approx(Q, abs=1e-7)
    assert score(predictions, VOTES).scores == pytest.approx(EXPECTED, abs=1e-7)


def test_the_kind_is_told_by_the_name_or_the_numbers_unless_it_is_said(tmp_path) -> None:
    assert read_predictions(written(tmp_path, "q.npy", np.log(Q))).kind == "log-probabilities"
    assert read_predictions(written(tmp_path, "r.npz", {"logits": np.log(Q)})).kind == "logits"
    assert read_predictions(written(tmp_path, "s.npy", np.log(Q)), kind="logits").kind == "logits"


def test_ids_that_are_numbers_match_the_rows_of_votes_without_ids(tmp_path) -> None:
    votes = Votes.from_counts([[1, 1], [0, 2], [2, 0]])
    path = written(tmp_path, "q.npz", {"log_probabilities": np.log(Q[[2, 0, 1]]), "row": np.array([2, 0, 1])})
    assert score(read_predictions(path), votes).scores == pytest.approx(score(Q, votes).scores)
    few = votes.select([2, 0])
    path = written(tmp_path, "r.csv", "row,0,1\n0,0.5,0.5\n2,0.875,0.125\n")
    assert score(read_predictions(path), few).scores == pytest.approx(score(Q[[2, 0]], few).scores)


def test_classes_named_by_number_are_reordered_too(tmp_path) -> None:
    votes = Votes.from_counts([[1, 1], [0, 2], [2, 0]])
    path = written(tmp_path, "q.csv", "p_1,p_0\n0.5,0.5\n0.75,0.25\n0.125,0.875\n")
    assert score(read_predictions(path), votes).scores == pytest.approx(score(Q, votes).scores)


REFUSED = {
    "an empty file": ("q.csv", "", "the file is empty"),
    "a header alone": ("q.csv", "item,cat,dog\n", "the file has no predictions"),
    "not UTF-8": ("q.csv", b"item,cat,dog\n\xff\xfe,0.5,0.5\n", "UTF-8|utf-8"),
    "no table": ("q.parquet", b"PAR1 and then nothing", "cannot be read as Parquet"),
    "a cut npz": ("q.npz", b"PK\x03\x04 cut", "cannot be read as a NumPy file"),
    "a cut npy": ("q.npy", b"\x93NUMPY", "cannot be read as a NumPy file"),
    "python objects": ("q.npy", np.array([{"a": 1}], dtype=object), "contains pickled Python objects"),
    "a pickle": ("q.npy", b"\x80\x04K\x01.", "contains pickled Python objects"),
    "an unknown format": ("q.pkl", b"x", "cannot be read from a .pkl file"),
    "several tables": (
        "q.npz",
        {"best": Q, "last": Q, "row": np.arange(3)},
        r"2 arrays of shape \[N, C\]: 'best', 'last';",
    ),
    "no table in npz": ("q.npz", {"x": np.zeros(3)}, "0 arrays of shape"),
    "words for numbers": (
        "q.csv",
        "item,cat,dog\na,0.5,0.5\nb,high,low\n",
        "line 3, column 'cat' is 'high'; replace it by a number",
    ),
    "a missing number": ("q.csv", "item,cat,dog\na,0.5,0.5\n\nb,,0.5\n", "line 4, column 'cat' is empty"),
    "a missing id": ("q.csv", "item,cat,dog\na,0.5,0.5\n,0.5,0.5\n", "line 3 has no value in column 'item'"),
    "a missing number without header": ("q.csv", "0.5,0.5\n1,\n", "line 2, column 'column_2' is empty"),
    "a missing number in parquet": ("q.parquet", pl.DataFrame({"a": [0.5, None], "b": [0.5, 1]}), "row 2, column 'a'"),
    "rows of unequal length": ("q.csv", "item,cat,dog\na,0.5,0.5\nb,0.5,0.3,0.2\n", "line 3 has 4 fields"),
    "a column twice": ("q.csv", "item,cat,cat\na,0.5,0.5\n", "column 'cat' occurs twice"),
    "ids and no header": ("q.csv", "a,0.5,0.5\nb,0.25,0.75\n", r"line 1 has numbers \('0.5', '0.5'\)"),
    "decimal commas": (
        "q.csv",
        "item;cat;dog\na;0,5;0,5\n",
        "line 2, column 'cat' is '0,5', which has a decimal comma",
    ),
    "decimal commas and no header": (
        "q.csv",
        "0,5;0,5\n0,25;0,75\n",
        "decimal commas between semicolons; write .* 0.5",
    ),
    "no numbers": ("q.csv", "item,text\na,so be it\n", "no column holds numbers"),
    "votes": (
        "q.csv",
        "item,annotator,label\na,ann,cat\na,bob,dog\n",
        r"this file holds votes \(columns item, ann.*label",
    ),
    "votes by number": ("q.csv", "item,annotator,label\n1,1,0\n1,2,1\n", "this file holds votes"),
    "one dimension": ("q.npy", np.zeros(3), r"shape \(3,\)"),
    "ids of another length": ("q.npz", {"probs": Q, "items": np.array(["a"])}, "1 id for 3 predictions"),
}


@pytest.mark.parametrize(("name", "content", "message"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path, name, content, message) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(VotewiseError, match=message) as error:
        read_predictions(path)
    assert error.value.where == str(path)
    assert error.value.remedy or "must be" in str(error.value)


def test_a_directory_and_a_missing_file_are_refused(tmp_path) -> None:
    with pytest.raises(VotewiseError, match="this is a directory"):
        read_predictions(tmp_path)
    with pytest.raises(VotewiseError, match="this file does not exist"):
        read_predictions(tmp_path / "none.npy")


def test_a_file_without_permission_is_refused(tmp_path) -> None:
    path = written(tmp_path, "q.npy", Q)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(VotewiseError, match="no permission"):
        read_predictions(path)


MISMATCHED = {
    "other items": (
        "item,cat,dog\na,0.5,0.5\nx,0.5,0.5\ny,1,0\n",
        "no prediction for 2 of 3 items: 'b', 'c', and 2 .* 'x', 'y'",
    ),
    "a missing item": ("item,cat,dog\na,0.5,0.5\nb,1,0\n", "no prediction for 1 of 3 items: 'c'"),
    "an item too many": (
        "item,cat,dog\na,0.5,0.5\nb,1,0\nc,1,0\nd,1,0\n",
        "1 prediction for items that have no votes: 'd'",
    ),
    "an item twice": ("item,cat,dog\na,0.5,0.5\na,1,0\nb,1,0\nc,0,1\n", "several predictions for one item: 'a'"),
    "too few rows": ("cat,dog\n0.5,0.5\n", "1 prediction for 3 items"),
    "too many classes": (
        "item,cat,dog,owl\na,0.5,0.5,0\n",
        r"predictions have 3 classes \('cat', 'dog', 'owl'\), but the votes",
    ),
    "another class": ("item,cat,owl\na,0.5,0.5\nb,1,0\nc,0,1\n", "classes that the votes do not have: 'owl'"),
    "a row that sums to two": ("item,cat,dog\nc,0.5,0.5\na,1,1\nb,1,0\n", "line 3 sums to 2"),
    "a number that is no class": (
        "item,cat,dog,size\na,0.5,0.5,7\nb,1,0,9\nc,0,1,20\n",
        "3 classes .*; leave 'size' out, or name all classes of the votes",
    ),
    "a number that is no class and may be one": (
        "item,cat,dog,size\na,0.5,0.5,7\nb,1,0,7\nc,0,1,7\n",
        r"sums to 8: .* \(columns 'cat', 'dog', 'size'\)",
    ),
    "a class without numbers": ("item,cat,dog\na,1,x\nb,1,y\nc,1,z\n", "1 class .* columns not read are 'dog'"),
}


@pytest.mark.parametrize(("content", "message"), MISMATCHED.values(), ids=MISMATCHED)
def test_predictions_that_do_not_fit_the_votes_are_refused_by_name(tmp_path, content, message) -> None:
    path = written(tmp_path, "q.csv", content)
    with pytest.raises(VotewiseError, match=message) as error:
        score(read_predictions(path), VOTES)
    assert error.value.where == str(path)
    assert error.value.remedy or "must be" in str(error.value)


def test_arrays_that_do_not_fit_the_votes_are_refused() -> None:
    with pytest.raises(VotewiseError, match="predictions have 3 classes, but the votes have 2"):
        score(np.full((3, 3), 1 / 3), VOTES)
    with pytest.raises(VotewiseError, match="2 predictions for 3 items"):
        score(Q[:2], VOTES)
    with pytest.raises(VotewiseError, match="no item has votes"):
        score(Q, Votes.from_counts(np.zeros((3, 2), int)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"truth": [0, 1]}, r"true classes of shape \(2,\) for 3 items"),
        ({"truth": [0, 1, 2]}, "the true class 2 of item 'c' is not one of the classes"),
        ({"truth": ["cat", "owl", "dog"]}, "the true class 'owl' of item 'b'"),
        ({"dialect": "klingon"}, "unknown dialect 'klingon'"),
        ({"scores": ["soft_nll", "f1"]}, "unknown score 'f1'"),
        ({"scores": "soft_nll"}, r"scores=\['soft_nll'\]"),
        ({"bins": 0}, r"bins \(--bins\) must be a whole number of 1 or more, got 0"),
        ({"intervals": 1}, r"intervals \(--intervals\) must be a whole number of 2 or more, got 1"),
        ({"ceiling": 0}, r"ceiling \(--ceiling\) must be a whole number of 1 or more, got 0"),
        ({"kind": "odds"}, r"unknown kind of predictions 'odds'; .* \(--kind\)"),
        ({"ties": "coin"}, "unknown tie policy 'coin'"),
    ],
)
def test_wrong_options_are_refused(options, message) -> None:
    with pytest.raises(VotewiseError, match=message) as error:
        score(Q, VOTES, **options)
    assert error.value.remedy or "must be" in str(error.value)


def test_truth_may_be_names_or_numbers() -> None:
    by_name, by_number = score(Q, VOTES, truth=["cat", "dog", "dog"]), score(Q, VOTES, truth=np.array([0, 1, 1]))
    assert by_name.scores == by_number.scores
    assert by_name["accuracy_truth"] == pytest.approx(2 / 3)


def test_the_card_says_what_was_taken_by_its_place(tmp_path) -> None:
    ids = "predictions have no item ids: matched in the order of votes.items (sorted by id), 'a', 'b', 'c'"
    card = score(Q, VOTES)
    assert f"{ids}; and no class names: matched in the order 'cat', 'dog'" in card.notes
    assert card.settings["matched_by"] == "position"
    path = written(tmp_path, "q.csv", "dog,cat\n0.5,0.5\n0.75,0.25\n0.125,0.875\n")
    card = score(read_predictions(path), VOTES)
    assert ids in card.notes
    assert card.settings["matched_by"] == "position and class name"
    many = Votes.from_counts(np.ones((12, 2), int), items=[f"t{number}" for number in range(12)])
    assert any("'t0', 't1', 't2' …" in note for note in score(np.full((12, 2), 0.5), many).notes)
    assert not any("taken" in note for note in score(Q, Votes.from_counts([[1, 1]] * 3)).notes)


def test_the_card_says_how_files_were_read_and_matched(tmp_path) -> None:
    path = written(tmp_path, "q.csv", "text,item,cat,dog\nx,b,0.25,0.75\ny,a,0.5,0.5\nz,c,0.875,0.125\n")
    card = score(read_predictions(path), VOTES)
    assert card.matching == (
        f"{path}: 3 predictions read as probabilities (detected by values), matched by item id and class name",
        "not read: 'text'",
    )
    assert card.matching[1] in card.notes
    assert (card.settings["kind"], card.settings["kind_from"]) == ("probabilities", "values")
    named = score(read_predictions(written(tmp_path, "r.npz", {"logits": Q})), VOTES)
    assert (named.settings["kind"], named.settings["kind_from"]) == ("logits", "names")
    assert "predictions read as logits" in str(named)
    assert score(Q, VOTES).settings["kind_from"] == "values"
    auto = score(np.log(Q), VOTES, kind="auto")
    assert (auto.settings["kind"], auto.settings["kind_from"]) == ("log-probabilities", "values")


def test_the_column_of_ids_may_be_named_or_found_by_what_it_holds(tmp_path) -> None:
    text = "id,picture,cat,dog\n1,b,0.25,0.75\n2,a,0.5,0.5\n3,c,0.875,0.125\n"
    path = written(tmp_path, "q.csv", text)
    assert score(read_predictions(path, item="picture"), VOTES).scores == EXPECTED
    with pytest.raises(VotewiseError, match=r"no prediction for 3 of 3 items.*item= \(--prediction-item\)"):
        score(read_predictions(path), VOTES)
    with pytest.raises(VotewiseError, match="unknown column 'image' of ids; the columns are 'id', 'picture'"):
        read_predictions(path, item="image")
    text = "cat,dog,picture,tone\n0.25,0.75,b,x\n0.5,0.5,a,y\n0.875,0.125,c,z\n"
    found = score(read_predictions(written(tmp_path, "r.csv", text)), VOTES)
    assert found.notes[0] == "not read: 'tone'"
    assert found.settings["matched_by"] == "item id (column 'picture') and class name"
    path = written(tmp_path, "q.npz", {"probs": Q[::-1], "pictures": np.array(["c", "b", "a"])})
    assert score(read_predictions(path, item="pictures"), VOTES).scores == EXPECTED


def test_predictions_of_some_items_are_scored_where_that_is_asked_for(tmp_path) -> None:
    some = read_predictions(written(tmp_path, "q.csv", "item,cat,dog\nc,0.875,0.125\na,0.5,0.5\n"))
    with pytest.raises(VotewiseError, match=r"no prediction for 1 of 3 items: 'b'.*partial=True \(--partial\)"):
        score(some, VOTES)
    card = score(some, VOTES, partial=True, truth=["dog", "cat", "cat"])
    alone = score(Q[[0, 2]], VOTES.align(["a", "c"]), truth=["dog", "cat"])
    assert (card.scores, len(card.items), card.skipped) == (alone.scores, 2, 0)
    assert card.matching[-1] == "left out: 1 item without a prediction"
    assert score(Q, VOTES).settings["partial"] is False
    rows = read_predictions(written(tmp_path, "q.npz", {"probs": Q[:2], "row": VOTES.row[1:]}))
    assert score(rows, VOTES, partial=True).scores == score(Q[:2], VOTES.select([1, 2])).scores
    with pytest.raises(VotewiseError, match=r"partial=True \(--partial\) needs predictions with item ids"):
        score(Q[:2], VOTES, partial=True)
    for options in ({"partial": True}, {"truth": ["dog", "cat", "cat"]}):
        with pytest.raises(VotewiseError, match=r"'votes\.csv' is a path, not votes"):
            score(some, "votes.csv", **options)
    other = read_predictions(written(tmp_path, "r.csv", "item,cat,dog\nx,0.5,0.5\n"))
    with pytest.raises(VotewiseError, match=r"no prediction for 3 of 3 items.* 1 prediction for other items: 'x'"):
        score(other, VOTES, partial=True)


def test_the_index_that_pandas_writes_is_no_class_and_no_id_unless_it_is_one(tmp_path) -> None:
    frame = pd.DataFrame(Q, columns=["cat", "dog"], index=[2, 0, 1])
    frame.to_csv(tmp_path / "q.csv")
    predictions = read_predictions(tmp_path / "q.csv")
    assert score(predictions, VOTES).settings["matched_by"] == "position and class name"
    votes = Votes.from_counts([[1, 1], [0, 2], [2, 0]], classes=("cat", "dog"))
    assert score(predictions, votes).scores == pytest.approx(score(Q[[1, 2, 0]], votes).scores)


def test_labels_beside_predictions_do_not_make_them_votes(tmp_path) -> None:
    path = written(tmp_path, "q.csv", "item,user,label,p_cat,p_dog\na,x,cat,1,0\nb,y,dog,0,1\nc,z,cat,1,0\n")
    assert score(read_predictions(path), VOTES)["accuracy"] == 1
    path = written(tmp_path, "q.csv", "item,label,cat,dog\na,cat,1,0\nb,dog,0,1\nc,cat,1,0\n")
    assert score(read_predictions(path), VOTES).notes[0] == "not read: 'label'"


FRAME = {"item": ["a", "b", "c"], "cat": Q[:, 0], "dog": Q[:, 1]}


@pytest.mark.parametrize(
    ("predictions", "votes", "message"),
    [
        (Q, "votes.csv", r"'votes.csv' is a path, not votes; read it first: read_votes\('votes.csv'\)"),
        (Q, Path("votes.csv"), "read_votes"),
        (Q, Q, "votes must be Votes or Distributions, got ndarray"),
        ("preds.csv", VOTES, r"'preds.csv' is a path, not predictions; .* read_predictions\('preds.csv'\)"),
        (VOTES, Q, "predictions must be an array or Predictions, got Votes; give predictions first and votes second"),
    ],
)
def test_paths_and_votes_are_not_taken_for_numbers(predictions, votes, message) -> None:
    for of in (score, SCORES["kl"]):
        with pytest.raises(VotewiseError, match=message):
            of(predictions, votes)


def test_a_frame_is_matched_as_a_file_is() -> None:
    for frame in (pl.DataFrame(FRAME)[::-1], pd.DataFrame(FRAME)[::-1]):
        assert score(frame, VOTES).scores == EXPECTED
        assert SCORES["kl"](frame, VOTES) == EXPECTED["kl"]
        with pytest.raises(VotewiseError, match=r"DataFrame, .* any order"):
            as_array(frame)


def test_arguments_in_the_wrong_order_are_told(tmp_path) -> None:
    votes = written(tmp_path, "votes.csv", "item,label\na,cat\na,dog\n")
    predictions = written(tmp_path, "q.csv", "item,cat,dog\na,0.5,0.5\n")
    with pytest.raises(VotewiseError, match=r"the arguments seem to be swapped: .*votes\.csv holds votes"):
        refuse_swapped(votes, predictions)
    refuse_swapped(predictions, votes)
    refuse_swapped(votes, votes)
    refuse_swapped(votes, tmp_path / "none.csv")


def test_predictions_are_short_where_they_are_only_named() -> None:
    assert repr(as_predictions(Q)) == "Predictions(3 items, 2 classes, probabilities)"


def test_distributions_are_matched_by_id_as_well() -> None:
    answers = Distributions(Q, classes=("cat", "dog"), items=np.array(["a", "b", "c"]))
    predictions = align(read_predictions_of(answers), answers).predictions
    assert predictions.probabilities == pytest.approx(Q)


def read_predictions_of(answers):
    from votewise.scoring import Predictions

    return Predictions(Q[[1, 2, 0]], "probabilities", items=("b", "c", "a"), classes=answers.classes)


def test_predictions_of_one_part_meet_the_ids_of_its_own_file() -> None:
    """Two files of a split may have the same ids; a run on both puts the part in front."""
    for part in ("test", "validation"):
        named = {"item": [f"{part}/{id}" for id in "cab"], "cat": Q[[2, 0, 1], 0], "dog": Q[[2, 0, 1], 1]}
        assert score(pl.DataFrame(named), VOTES).scores == EXPECTED
    with pytest.raises(VotewiseError, match="no prediction for 3 of 3 items"):
        score(pl.DataFrame(named).with_columns(item="other/" + pl.col("item")), VOTES)
