"""The raw file of CIFAR-10H: one row per trial, attention checks among them."""

from __future__ import annotations

import numpy as np
import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes import Votes
from votewise.votes.readers import cifar10h

RAW = FOLDER / "cifar10h-raw.csv"


def changed(tmp_path, old: str, new: str):
    path = tmp_path / "raw.csv"
    path.write_text(RAW.read_text().replace(old, new))
    return path


def test_each_trial_is_a_vote_and_attention_checks_are_none() -> None:
    reading = read("cifar10h-raw.csv")
    assert ballots(reading.votes()) == {
        "0": [("7", "cat"), ("12", "cat"), ("0", "dog")],
        "1": [("0", "ship"), ("7", "ship")],
        "3": [("0", "airplane"), ("12", "ship")],
    }
    assert reading.report.rows == 10
    assert reading.report.dropped == {"an attention check": 3}
    assert reading.report.notes == ("people below 75 % on the attention checks: 1; their votes are kept",)


def test_the_reaction_times_come_along_missing_and_negative_ones_too() -> None:
    votes = read("cifar10h-raw.csv").votes()
    np.testing.assert_array_equal(votes.columns["reaction_time"], [-35, 1200, 2210, 1010, np.nan, 1650, 3105])


def test_rows_are_places_in_the_test_set_so_that_the_counts_have_the_same() -> None:
    votes = read("cifar10h-raw.csv").votes()
    assert votes.row.tolist() == [0, 1, 3]
    counts = np.zeros((10_000, 10), dtype=np.int64)
    counts[votes.row] = votes.counts()
    published = Votes.from_counts(counts, classes=cifar10h.CLASSES).select([0, 1, 3])
    nameless = Votes(votes.indptr, votes.label, classes=votes.classes, row=votes.row)
    assert nameless.fingerprint == published.fingerprint


def test_the_other_name_of_the_index_is_known_too(tmp_path) -> None:
    path = changed(tmp_path, "cifar10_test_test_idx", "cifar10_test_set_idx")
    assert read(path, cifar10h).votes().fingerprint == read("cifar10h-raw.csv").votes().fingerprint


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("0,2,0,cat,dog,3,5,0,0", "0,2,0,cat,dog,3,4,0,0", r"line 4: label 4 is 'deer', but the category is 'dog'"),
        ("ship,ship,8,8,1,1,hydro", "ship,ship,8,8,1,10000,hydro", r"line 5: image 10000 or label 8 does not exist"),
        ("airplane,airplane,0,0,1", "airplane,airplane,0,10,1", r"line 2: image 3 or label 10 does not exist"),
        ("7,0,0,cat,cat,3,3", "7,0,0,cat,cat,3,x", r"line 6: 'chosen_label' is 'x', not a whole number"),
        ("12,1,0,cat,cat,3,3,1,0", "12,1,0,cat,cat,3,3,1,3", r"annotator '12' votes on item '3' again"),
        ("chosen_label", "chosen", r"column 'chosen_label' is missing"),
    ],
)
def test_what_cannot_be_right_is_named_with_its_row(tmp_path, old, new, words) -> None:
    with pytest.raises(VotewiseError, match=rf"raw\.csv: {words}.*; "):
        read(changed(tmp_path, old, new), cifar10h)
