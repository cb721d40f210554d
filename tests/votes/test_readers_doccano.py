"""doccano: lists of labels that do not say whose they are."""

from __future__ import annotations

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import doccano


def test_two_labels_of_one_record_are_a_choice_of_several_not_two_votes() -> None:
    reading = read("doccano.jsonl")
    assert {name: ballots(votes) for name, votes in reading.questions.items()} == {
        "negative": {"2": [(None, "0")], "4": [(None, "1")], "10": [(None, "1")]},
        "positive": {"2": [(None, "1")], "4": [(None, "0")], "10": [(None, "1")]},
    }
    assert reading.report.dropped == {"a record without a label": 1}


def test_a_list_with_a_label_twice_must_be_the_votes_of_several_people() -> None:
    votes = read("doccano-shared.jsonl").votes()
    assert votes.classes == ("negative", "positive")
    assert votes.counts().tolist() == [[0, 2], [1, 1]]


def test_old_versions_name_the_user_of_each_label() -> None:
    reading = read("doccano-users.jsonl")
    assert ballots(reading.votes()) == {"2": [("1", "1"), ("4", "2")], "10": [("4", "2")]}
    assert reading.report.notes == ()


def test_the_files_of_several_people_in_one_are_one_vote_each(tmp_path) -> None:
    line = '{{"id": {}, "text": "x", "label": ["{}"]}}\n'
    (tmp_path / "all.jsonl").write_text(line.format(1, "a") + line.format(2, "b") + line.format(1, "b"))
    votes = read(tmp_path / "all.jsonl", doccano).votes()
    assert votes.counts().tolist() == [[1, 1], [0, 1]]


def test_spans_are_no_votes(tmp_path) -> None:
    (tmp_path / "spans.jsonl").write_text('{"id": 1, "text": "Ann left", "label": [[0, 3, "PER"]]}')
    with pytest.raises(VotewiseError, match=r"spans\.jsonl: line 1: 'label' holds spans, not classes; "):
        read(tmp_path / "spans.jsonl", doccano)


def test_a_line_break_inside_a_text_is_no_end_of_the_record() -> None:
    assert "\u2028" in (FOLDER / "doccano.jsonl").read_text()
    assert read("doccano.jsonl").report.rows == 4
