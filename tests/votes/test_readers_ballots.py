"""Ballots: what was cast in a file, one question after the other, becomes votes on the same items."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import ballots as content
from votewise.errors import VotewiseError
from votewise.votes import SourceFile, Votes, VotesFile
from votewise.votes.readers.shared.ballots import Ballots

Cast = list[tuple[str, str | None, str, str]]  # item, annotator, labels separated by commas, question

VOTES = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["ann", "bo", "cy", None]), st.sampled_from("abc")),
    min_size=2,
    unique_by=lambda vote: (vote[0], vote[1] or object()),
).filter(lambda votes: len({label for _, _, label in votes}) > 1)


def read(cast: Cast, duplicates: Any = "error", **options: Any) -> VotesFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cast.json"
        path.write_text("[]")
        ballots = Ballots(SourceFile(path), options)
    for number, (item, person, labels, question) in enumerate(cast, start=1):
        ballots.vote(
            ballots.seen(item), person, [label for label in labels.split(",") if label], question, f"line {number}"
        )
    return ballots.votes_file(duplicates=duplicates)


@given(VOTES, st.randoms())
def test_votes_are_those_of_a_long_table_in_whatever_order_they_come(votes, random) -> None:
    item, person, label = zip(*votes, strict=True)
    table = Votes.from_long(item, label, person if any(person) else None)
    shuffled = random.sample(votes, len(votes))
    reading = read([(str(item), person, label, "label") for item, person, label in shuffled])
    assert reading.votes().fingerprint == table.fingerprint
    assert content(reading.votes()) == content(table)


def test_questions_share_their_items_and_each_has_its_own_people() -> None:
    reading = read([("2", "ann", "yes", "a"), ("10", "bo", "no", "a"), ("10", "cy", "x", "b"), ("3", "cy", "y", "b")])
    assert content(reading.votes("a")) == {"2": [("ann", "yes")], "3": [], "10": [("bo", "no")]}
    assert content(reading.votes("b")) == {"2": [], "3": [("cy", "y")], "10": [("cy", "x")]}
    assert reading.votes("a").row.tolist() == reading.votes("b").row.tolist() == [0, 1, 2]
    assert reading.votes("b").annotators == ("cy",)


def test_a_question_where_somebody_chose_several_becomes_one_for_each_label() -> None:
    one = read([("1", "ann", "x,y", "tags"), ("1", "bo", "", "tags"), ("2", "ann", "y", "tags")])
    assert {name: content(votes) for name, votes in one.questions.items()} == {
        "x": {"1": [("bo", "0"), ("ann", "1")], "2": [("ann", "0")]},
        "y": {"1": [("bo", "0"), ("ann", "1")], "2": [("ann", "1")]},
    }
    two = read([("1", "ann", "x,y", "tags"), ("1", "ann", "good", "mood"), ("1", "bo", "bad", "mood")])
    assert list(two.questions) == ["tags:x", "tags:y", "mood"]


def test_an_empty_answer_is_none_where_only_one_may_be_chosen() -> None:
    reading = read([("1", "ann", "x", "q"), ("2", "ann", "y", "q"), ("2", "bo", "", "q"), ("3", "bo", "", "q")])
    assert content(reading.votes()) == {"1": [("ann", "x")], "2": [("ann", "y")]}
    assert reading.report.dropped == {"an empty answer": 2, "an item without votes": 1}


TWICE: Cast = [("1", "ann", "x", "q"), ("1", None, "x", "q"), ("1", None, "y", "q"), ("1", "ann", "y", "q")]


def test_two_answers_of_one_person_are_refused_kept_or_the_last_counts() -> None:
    with pytest.raises(VotewiseError, match=r"cast\.json: line 4: annotator 'ann' votes on item '1' again \(1 second"):
        read(TWICE)
    last = read(TWICE, duplicates="last")
    assert content(last.votes()) == {"1": [(None, "x"), (None, "y"), ("ann", "y")]}
    assert last.report.dropped == {"an earlier vote of the same annotator on the same item": 1}
    kept = read(TWICE, duplicates="keep")
    assert content(kept.votes()) == {"1": [(None, "x"), ("ann", "x"), (None, "y"), ("ann", "y")]}
    assert kept.report.notes == ("second votes of an annotator on an item in 'q': 1, all kept",)


def test_the_majority_of_multi_label_answers_ignores_the_order_of_labels() -> None:
    cast = [("1", "ann", labels, "q") for labels in ("x,y", "y,x", "z")]
    assert read(cast, duplicates="majority").votes("x").label.tolist() == [1]
    assert read(cast, duplicates="majority").votes("z").label.tolist() == [0]


def test_a_person_has_the_last_word_on_classes_and_their_order() -> None:
    reading = read([("1", "ann", "x", "q"), ("1", "bo", "z", "q")], classes=("z", "y", "x"), ordinal=True)
    assert reading.votes().classes == ("z", "y", "x")
    assert reading.votes().scale.position == (0, 1, 2)
    with pytest.raises(VotewiseError, match=r"labels that are not among the given classes: 'x'; .*they are 'y', 'z'"):
        read([("1", "ann", "x", "q"), ("1", "bo", "z", "q")], classes=("y", "z"))


def test_a_question_with_one_answer_for_all_is_no_question() -> None:
    reading = read([("1", "ann", "Yes", "consent"), ("1", "ann", "x", "q"), ("1", "bo", "y", "q")])
    assert list(reading.questions) == ["q"]
    assert reading.report.dropped == {
        "an answer to 'consent': all answers are the same, so it looks like an input and not like a question": 1
    }
    with pytest.raises(VotewiseError, match=r"1 class given, at least 2 are needed; name all classes"):
        read([("1", "ann", "Yes", "consent")])


def test_a_label_that_looks_like_a_typo_is_told_with_its_question() -> None:
    cast = [(str(place), "ann", "good", "mood") for place in range(5)] + [("9", "ann", "godo", "mood")]
    assert read([*cast, ("9", "ann", "goood", "mood2"), ("9", "bo", "x", "mood2")]).report.doubts == ()
    cast = [(str(place), "ann", "positive", "mood") for place in range(5)] + [("9", "ann", "positiv", "mood")]
    assert read(cast).report.doubts[0].startswith("class 'positiv' (1 vote) looks like 'positive'")
    several = read([*cast, ("1", "bo", "x", "q"), ("1", "cy", "y", "q")])
    assert several.report.doubts[0].startswith("class 'positiv' of 'mood' (1 vote) looks like 'positive'")
    assert read(cast, classes=("positive", "positiv")).report.doubts == ()


def test_many_different_answers_are_said_to_look_like_text() -> None:
    reading = read([(str(place), "ann", f"remark {place}", "q") for place in range(30)])
    assert reading.report.notes == ("'q' has 30 classes for 30 votes and may be free text",)


def test_without_votes_the_reasons_are_told() -> None:
    with pytest.raises(VotewiseError, match="the file has no votes; dropped 2: an empty answer"):
        read([("1", "ann", "", "q"), ("2", "ann", "", "q")])
