"""Potato: one file per person, one table for all, and the exports of version 2."""

from __future__ import annotations

import shutil

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import potato

KIM = "potato/kim@example.org/annotated_instances.jsonl"


def test_the_folder_of_the_file_is_named_after_the_person() -> None:
    reading = read(KIM)
    assert ballots(reading.votes("sentiment")) == {
        "item_10": [("kim@example.org", "positive")],
        "item_2": [("kim@example.org", "neutral")],
    }
    assert reading.report.dropped == {
        "a text or a number, which is not a choice between classes": 1,
        "a span": 1,
        "a page of the survey before or after the task": 1,
        "another label of a changed answer": 1,
    }


def test_of_two_points_of_a_scale_one_person_means_one() -> None:
    votes = read(KIM, classes=("1", "2", "3", "4", "5")).votes("offensiveness")
    assert ballots(votes) == {"item_10": [("kim@example.org", "1")], "item_2": [("kim@example.org", "5")]}
    assert votes.scale.kind == "ordinal"
    with pytest.raises(VotewiseError, match=r"line 1: 2 answers to 'offensiveness'"):
        read(KIM, duplicates="error")


def test_a_file_elsewhere_does_not_say_whose_it_is(tmp_path) -> None:
    shutil.copy(FOLDER / KIM, tmp_path / "copy.jsonl")
    reading = read(tmp_path / "copy.jsonl", potato)
    assert reading.votes("sentiment").annotator is None
    assert any("do not name their annotator" in note for note in reading.report.notes)


def test_the_table_of_all_people() -> None:
    reading = read("potato.tsv")
    assert {name: ballots(votes) for name, votes in reading.questions.items()} == {
        "sentiment": {"2": [("lee", "negative"), ("kim", "positive")], "10": [("kim", "negative")]},
        "topics:food": {"2": [("kim", "1"), ("lee", "1")], "10": [("kim", "0")]},
        "topics:price": {"2": [("lee", "0"), ("kim", "1")], "10": [("kim", "1")]},
    }


def test_whether_two_names_are_a_choice_of_several_or_a_changed_mind_a_person_can_say() -> None:
    assert ballots(read("potato.tsv", duplicates="last").votes("topics"))["2"] == [("lee", "food"), ("kim", "price")]
    first = read("potato.tsv", duplicates="first")
    assert ballots(first.votes("topics"))["2"] == [("kim", "food"), ("lee", "food")]
    assert first.report.dropped == read("potato.tsv", duplicates="majority").report.dropped
    kept = read("potato.tsv", duplicates="keep").votes("topics")
    assert ballots(kept)["2"] == [("kim", "food"), ("lee", "food"), ("kim", "price")]


def test_the_table_of_version_2_says_which_of_two_answers_was_meant() -> None:
    reading = read("potato-2.csv")
    assert ballots(reading.votes("confidence")) == {"b1_035": [("u1", "4"), ("u2", "5")], "b1_036": [("u1", "4")]}
    assert ballots(reading.votes("veracity")) == {
        "b1_035": [("u2", "false"), ("u1", "true")],
        "b1_036": [("u1", "false")],
    }
    assert reading.report.dropped == {"a span": 1}


def test_the_records_of_version_2() -> None:
    questions = read("potato-2.jsonl").questions
    assert ballots(questions["sentiment"]) == {
        "b1_035": [("u2", "negative"), ("u1", "positive")],
        "b1_036": [("u1", "negative")],
    }
    assert ballots(questions["topics:price"]) == {"b1_035": [("u2", "0"), ("u1", "1")], "b1_036": []}
