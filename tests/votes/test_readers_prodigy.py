"""Prodigy: a choice among options, or accept and reject for one label at a time."""

from __future__ import annotations

import json

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import prodigy


def test_the_options_are_the_classes_even_those_that_nobody_chose() -> None:
    reading = read("prodigy.jsonl")
    assert reading.votes().classes == ("POS", "NEG", "MIX")
    assert ballots(reading.votes()) == {
        "-1530009927": [("reviews-ann", "POS"), ("reviews-bo", "POS")],
        "499043849": [("reviews-ann", "NEG")],
    }


def test_what_is_no_vote_is_counted_by_reason() -> None:
    assert read("prodigy.jsonl").report.dropped == {
        "an ignored task": 1,
        "a rejected task: none of its options was chosen": 1,
        "an earlier vote of the same annotator on the same item": 1,
        "an empty answer": 1,
    }


def test_accept_and_reject_answer_a_question_named_after_the_label() -> None:
    reading = read("prodigy-binary.jsonl")
    assert {name: ballots(votes) for name, votes in reading.questions.items()} == {
        "housing": {"1": [("d-ann", "1")], "2": []},
        "economy": {"1": [("d-ann", "0"), ("d-bo", "1")], "2": [("d-bo", "0")]},
    }
    assert reading.report.dropped == {"a task without label or options, for example about spans": 1}


def test_where_several_may_be_chosen_none_is_an_answer_too(tmp_path) -> None:
    text = (FOLDER / "prodigy.jsonl").read_text().replace('"single"', '"multiple"')
    (tmp_path / "several.jsonl").write_text(text)
    questions = read(tmp_path / "several.jsonl", prodigy).questions
    assert list(questions) == ["POS", "NEG", "MIX"]
    assert ballots(questions["NEG"])["499043849"] == [("reviews-di", "0"), ("reviews-ann", "1")]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("answer", "maybe", "line 1: answer 'maybe' is not one of accept, reject, ignore"),
        ("options", [{"text": "no id"}], "line 1, options 1: 'id' is missing or empty"),
        ("accept", ["other"], "line 1: 'other' is not a class of 'label'"),
        ("accept", [["POS"]], r"line 1: 'accept' is \[\['POS'\]\], not a list of names"),
    ],
)
def test_a_broken_record_is_named(tmp_path, field, value, words) -> None:
    record = json.loads((FOLDER / "prodigy.jsonl").read_text().split("\n")[0])
    (tmp_path / "one.jsonl").write_text(json.dumps(record | {field: value}))
    with pytest.raises(VotewiseError, match=rf"one\.jsonl: {words}.*; "):
        read(tmp_path / "one.jsonl", prodigy)
