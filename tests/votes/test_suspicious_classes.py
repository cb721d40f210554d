"""Lookalikes: typos and missing values are pointed at, classes that differ are left in peace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.votes.readers.shared.suspicious_classes import doubts, suspicious_annotators


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("postive", "positive"),
        ("negitive", "negative"),
        ("nuetral", "neutral"),
        ("cats", "cat"),
        ("Positive", "positive"),
        ("not sure", "not_sure"),
        ("NOT-SURE", "not_sure"),
        ("Not.sure", "not_sure"),
        ("1.0", "1"),
        ("cafe\u0301", "café"),
    ],
)
def test_the_rarer_spelling_looks_like_the_other(wrong, right) -> None:
    (sentence,) = doubts({"quite different": 30, right: 20, wrong: 1})
    assert sentence.startswith(f"class {wrong!r} (1 vote) looks like {right!r}: ")


@pytest.mark.parametrize("name", ["NA", "nan", "null", "None", "-", "N/A", "?", "#REF!"])
def test_what_stands_for_nothing_looks_like_a_missing_value(name) -> None:
    (sentence,) = doubts({"yes": 3, "no": 3, name: 2})
    assert sentence.startswith(f"class {name!r} (2 votes) looks like a missing value")


@pytest.mark.parametrize("name", ["yes,no", "no; yes", '["yes"]', "['yes', 'maybe']"])
def test_several_labels_in_one_look_like_a_list(name) -> None:
    (sentence,) = doubts({"yes": 3, "no": 3, name: 2})
    assert sentence.startswith(f"class {name!r} (2 votes) looks like a list of labels: give one row per label")
    assert doubts({"yes": 3, "no": 3, name: 2}, mapping={name: name}) == []


@pytest.mark.parametrize(
    "count",
    [
        {"Yes, but": 5, "Yes": 500, "[other]": 5},
        {"relevant": 500, "irrelevant": 2},
        {"male": 500, "female": 2},
        {"positive": 500, "negative": 1},
        {"grade 1": 500, "grade 2": 1},
        {"10": 500, "100": 1},
        {"v1.2": 500, "v12": 1},
        {"A": 50, "A-": 1, "A+": 1, "B": 1},
        {"C": 50, "C++": 1, "C#": 1},
        {"likely": 50, "unlikely": 1},
        {"agreed": 50, "agrees": 40},  # as many people chose it
        {"none": 3, "other": 30},
        {"": 1} | {f"remark {letter * 5}": 1 for letter in "abcdef"},
    ],
)
def test_classes_that_differ_are_left_in_peace(count) -> None:
    assert doubts(count) == []


@given(st.dictionaries(st.text(max_size=12), st.integers(0, 50), max_size=20))
def test_at_most_one_sentence_for_each_class_and_never_about_all(count) -> None:
    found = doubts(count)
    assert len(found) <= len(count)
    if len(count) > 1 and not any("missing" in sentence for sentence in found):
        assert len(found) < len(count)


def test_many_classes_are_not_compared() -> None:
    assert doubts({f"{name}{end}": 1 for name in range(51) for end in "aA"}) == []


@pytest.mark.parametrize("other", ["anna schmidt", "Anna_Schmidt", "ANNA-SCHMIDT", "Anna. Schmidt", "Anna, Schmidt"])
def test_an_annotator_written_in_two_ways_is_found(other) -> None:
    assert suspicious_annotators({"Anna.Schmidt": 135, other: 37}) == {other: "Anna.Schmidt"}
    assert suspicious_annotators({other: 37, "Anna.Schmitt": 135, "a.1": 9, "a.2": 8}) == {}
