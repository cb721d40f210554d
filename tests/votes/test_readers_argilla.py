"""Argilla: responses by question, by person, in columns, and as a dataset of Hugging Face."""

from __future__ import annotations

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import argilla


def test_only_submitted_responses_are_votes() -> None:
    reading = read("argilla.json")
    assert {name: ballots(votes) for name, votes in reading.questions.items()} == {
        "label": {"rev-10": [("5f6e", "negative")], "rev-2": [("77aa", "negative"), ("5f6e", "positive")]},
        "topics:food": {"rev-10": [], "rev-2": [("77aa", "0"), ("5f6e", "1")]},
        "topics:price": {"rev-10": [], "rev-2": [("77aa", "0"), ("5f6e", "1")]},
        "quality": {"rev-10": [("77aa", "1")], "rev-2": [("5f6e", "4")]},
    }
    assert reading.report.dropped == {
        "a response with status draft": 1,
        "a response with status discarded": 1,
        "an answer to 'order' that is not a choice between classes": 1,
        "an item without votes": 1,
    }


def test_a_rating_is_ordinal_and_its_whole_scale_can_be_named() -> None:
    reading = read("argilla.json")
    assert reading.votes("quality").scale.position == (1, 4)
    assert reading.report.notes == (
        "'quality' is read as a scale with only the points that occur; if there are more, name all points with classes= (--classes)",
    )
    votes = read("argilla.json", classes=("1", "2", "3", "4", "5")).votes("quality")
    assert votes.scale.position == (1, 2, 3, 4, 5)


def test_responses_by_person_as_in_version_1() -> None:
    reading = read("argilla-people.json")
    assert ballots(reading.votes("label")) == {"3f0d": [("77aa", "negative")], "rev-2": [("5f6e", "positive")]}
    assert ballots(reading.votes("topics:price")) == {"3f0d": [("77aa", "1")], "rev-2": [("5f6e", "0")]}
    assert reading.report.dropped == {"a response with status discarded": 1, "a response with status draft": 1}


def test_responses_in_columns() -> None:
    reading = read("argilla-flat.jsonl")
    assert ballots(reading.votes()) == {"rev-2": [("77aa", "negative"), ("5f6e", "positive")]}
    assert reading.report.dropped == {"a response with status draft": 1, "an item without votes": 1}


def test_responses_in_a_dataset_of_hugging_face() -> None:
    assert ballots(read("argilla-hub.jsonl").votes()) == {
        "rev-2": [("77aa", "negative"), ("5f6e", "positive")],
        "rev-3": [("5f6e", "negative")],
    }


def test_an_export_without_status_says_that_drafts_may_be_among_the_votes(tmp_path) -> None:
    text = (FOLDER / "argilla.json").read_text()
    for status in ("submitted", "draft", "discarded"):
        text = text.replace(f', "status": "{status}"', "")
    (tmp_path / "old.json").write_text(text)
    reading = read(tmp_path / "old.json", argilla)
    assert len(ballots(reading.votes("label"))["rev-2"]) == 3
    assert "does not mark drafts" in reading.report.notes[0]


def test_one_person_answers_a_question_once(tmp_path) -> None:
    (tmp_path / "twice.json").write_text((FOLDER / "argilla.json").read_text().replace("77aa", "5f6e"))
    with pytest.raises(
        VotewiseError, match=r"record 1, question 'label': annotator '5f6e' votes on item 'rev-2' again"
    ):
        read(tmp_path / "twice.json", argilla)


def test_columns_of_different_length_are_refused(tmp_path) -> None:
    (tmp_path / "flat.jsonl").write_text((FOLDER / "argilla-flat.jsonl").read_text().replace(', "90bc"]', "]"))
    with pytest.raises(VotewiseError, match=r"line 1: 'label.responses', its users and its status differ in length"):
        read(tmp_path / "flat.jsonl", argilla)
