"""Label Studio: tasks, annotations, results; and the flat JSON-MIN."""

from __future__ import annotations

import json

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import label_studio

BO = "bo@example.org"


def test_each_control_is_a_question_and_all_questions_have_the_same_items() -> None:
    questions = read("label-studio.json").questions
    assert {name: ballots(votes) for name, votes in questions.items()} == {
        "sentiment": {"99": [(BO, "Positive")], "101": [("5", "Neutral"), (BO, "Positive")], "102": []},
        "quality": {"99": [], "101": [(BO, "4")], "102": []},
        "topics:food": {"99": [(BO, "1")], "101": [(BO, "1")], "102": []},
        "topics:price": {"99": [(BO, "0")], "101": [(BO, "1")], "102": []},
        "kind": {"99": [(BO, "Animal / Cat")], "101": [], "102": [("5", "Animal / Dog")]},
    }
    assert questions["quality"].scale.position == (1, 2, 3, 4, 5)


def test_what_is_no_vote_is_counted_by_reason() -> None:
    assert read("label-studio.json").report.dropped == {
        "a prediction of a model": 1,
        "a draft": 1,
        "a skipped task": 1,
        "a result of type textarea, which is not a choice between classes": 1,
        "a result of type labels about a part of the item": 1,
        "an earlier vote of the same annotator on the same item": 1,
        "an item without votes": 1,
    }


def test_the_later_annotation_of_a_person_counts_wherever_it_stands() -> None:
    votes = read("label-studio.json", duplicates="keep").votes("sentiment")
    assert ballots(votes)["101"] == [(BO, "Negative"), ("5", "Neutral"), (BO, "Positive")]
    assert "Negative" in read("label-studio.json").votes("sentiment").classes


def test_two_annotations_by_one_person_can_be_refused() -> None:
    with pytest.raises(
        VotewiseError,
        match=r"record 1, annotations 1, question 'sentiment': annotator 'bo@example.org' votes on item '101' again",
    ):
        read("label-studio.json", duplicates="error")


def test_given_classes_are_for_the_question_that_they_fit() -> None:
    classes = ("Positive", "Neutral", "Negative", "Mixed")
    questions = read("label-studio.json", classes=classes).questions
    assert questions["sentiment"].classes == classes
    assert questions["kind"].classes == ("Animal / Cat", "Animal / Dog")
    with pytest.raises(VotewiseError, match="does not fit any of the questions"):
        read("label-studio.json", classes=("yes", "no"))


def test_flat_records_hold_the_same_answers() -> None:
    questions = read("label-studio-min.json").questions
    assert {name: ballots(votes) for name, votes in questions.items()} == {
        "sentiment": {"1": [("5", "Negative"), ("2", "Positive")], "2": [("5", "Negative")]},
        "topics:food": {"1": [("2", "1"), ("5", "1")], "2": []},
        "topics:price": {"1": [("5", "0"), ("2", "1")], "2": []},
        "quality": {"1": [("5", "2"), ("2", "5")], "2": []},
    }


def test_an_input_among_the_answers_of_flat_records_is_no_question(tmp_path) -> None:
    flat = {"annotator": 1, "annotation_id": 1}
    records = [{"id": 1, "text": "Good", "mood": "up", **flat}, {"id": 2, "text": "Bad", "mood": "down", **flat}]
    (tmp_path / "flat.json").write_text(json.dumps(records))
    reading = read(tmp_path / "flat.json", label_studio)
    assert list(reading.questions) == ["mood"]
    assert reading.report.notes == ("'text' looks like an input and not like a question, so it is not read",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tasks: tasks[0].pop("id"), "record 1: 'id' is missing or empty"),
        (lambda tasks: tasks[1].update(annotations={}), r"record 2: 'annotations' is \{\}, not a list"),
        (lambda tasks: tasks[1].pop("annotations"), "record 2: this is not a task: 'annotations' is missing"),
        (lambda tasks: tasks.append("task"), "record 5 is 'task', not an object"),
        (lambda tasks: tasks[0]["annotations"][0]["result"][0].pop("from_name"), "record 1, annotations 1, result 1: "),
        (
            lambda tasks: tasks[0]["annotations"][0]["result"][2]["value"].update(rating=4.5),
            ".*rating 4.5 is not a number",
        ),
        (lambda tasks: [task.update(annotations=[]) for task in tasks], "the file has no votes"),
    ],
)
def test_a_broken_record_is_named(tmp_path, change, words) -> None:
    tasks = json.loads((FOLDER / "label-studio.json").read_text())
    change(tasks)
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    with pytest.raises(VotewiseError, match=rf"tasks\.json: {words}.*; "):
        read(tmp_path / "tasks.json", label_studio)
