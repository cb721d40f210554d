"""Mechanical Turk: one row per assignment, answers in columns or as one JSON text."""

from __future__ import annotations

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import mturk


def test_each_answer_is_a_question_and_true_and_false_are_the_labels_of_one() -> None:
    reading = read("mturk.csv")
    assert reading.votes("sentiment").classes == ("negative", "neutral", "positive")
    assert {name: ballots(votes) for name, votes in reading.questions.items()} == {
        "sentiment": {"3AB": [("W2", "negative"), ("W1", "positive")], "3AC": [("W1", "negative")]},
        "category": {"3AB": [("W1", "review"), ("W2", "review")], "3AC": [("W1", "spam")]},
        "topics:food": {"3AB": [("W1", "1"), ("W2", "1")], "3AC": [("W1", "1")]},
        "topics:price": {"3AB": [("W2", "0"), ("W1", "1")], "3AC": [("W1", "0")]},
        "comment": {"3AB": [("W2", "I was not sure")], "3AC": [("W1", "good task")]},
    }
    assert reading.report.dropped == {"a rejected assignment": 1, "an assignment without an answer": 1}


def test_items_can_be_named_by_an_input() -> None:
    assert read("mturk.csv", item="Input.id").votes("category").items.tolist() == ["r2", "r10"]


def test_answers_as_one_json_text() -> None:
    reading = read("mturk-form.csv")
    assert {name: ballots(votes)["3AB"] for name, votes in reading.questions.items()} == {
        "label": [("W1", "cat"), ("W2", "dog")],
        "category": [("W1", "review"), ("W2", "spam")],
        "tags:a": [("W1", "1"), ("W2", "1")],
        "tags:b": [("W2", "0"), ("W1", "1")],
    }
    assert reading.report.dropped == {"an answer that is not a choice between classes": 1}


def test_a_single_button_is_a_question_with_the_answers_true_and_false(tmp_path) -> None:
    (tmp_path / "batch.csv").write_text(
        "HITId,WorkerId,AssignmentStatus,Answer.offensive.on,Approve,Reject\n1,W1,Approved,true\n1,W2,Approved,false\n"
    )
    reading = read(tmp_path / "batch.csv", mturk)
    assert ballots(reading.votes("offensive")) == {"1": [("W2", "false"), ("W1", "true")]}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"A2","W2"', '"A2","W1"', "line 3, question '.*': annotator 'W1' votes on item '3AB' again"),
        ('"A2","W2"', '"A2",""', "line 3: 'WorkerId' is missing or empty"),
        ('"WorkerId"', '"Worker"', "column 'WorkerId' is missing"),
        ('"Title"', '"HITId"', "column 'HITId' occurs twice"),
        ('"food|price","",,', '"food|price","",,,,', "line 2 has 27 fields"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, old, new, words) -> None:
    (tmp_path / "batch.csv").write_text((FOLDER / "mturk.csv").read_text().replace(old, new))
    with pytest.raises(VotewiseError, match=rf"batch\.csv: {words}.*; "):
        read(tmp_path / "batch.csv", mturk)


def test_a_text_that_is_no_json_is_named(tmp_path) -> None:
    (tmp_path / "batch.csv").write_text((FOLDER / "mturk-form.csv").read_text().replace("[{", "[", 1))
    with pytest.raises(VotewiseError, match=r"batch\.csv: line 2: 'Answer.taskAnswers' is not JSON; "):
        read(tmp_path / "batch.csv", mturk)
