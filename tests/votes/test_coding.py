"""Coding: names to codes and rows into order, whatever the column is made of."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.errors import VotewiseError
from votewise.votes.coding import codes, codes_for, in_order, only_used, row_order, sorted_rows

NAMES = st.one_of(
    st.text(max_size=6), st.sampled_from(["7", "07", " 7", "7 ", "-0", "+7", "1.5", "-1.5", "10", "9", "\u00a07"])
)


@given(st.lists(st.none() | NAMES.filter(lambda name: name.isprintable()), max_size=40))
def test_codes_give_every_name_back_without_the_spaces_around_it(values) -> None:
    code, names = codes(pl.Series(values, dtype=pl.String), missing=True)
    assert [names[place] if place >= 0 else "" for place in code] == [(value or "").strip() for value in values]
    assert names == in_order(names)
    assert len(set(names)) == len(names)


@given(
    st.sets(st.integers(0, 10**6), min_size=1),
    st.sampled_from(["t", "img_", "a-1-", "page (", "", "7x"]),
    st.sampled_from(["", ".png", ")", " of 10", "-1"]),
    st.randoms(use_true_random=False),
)
def test_numbers_between_one_prefix_and_one_suffix_stand_by_value(numbers, prefix, suffix, random) -> None:
    expected = [f"{prefix}{number}{suffix}" for number in sorted(numbers)]
    assert in_order(random.sample(expected, len(expected))) == expected


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["t007", "t7", "t08", "t10"], "of equal numbers the text tells"),
        (["a1_10", "a1_9", "a2_1"], "two numbers differ, so none is the number"),
        (["t1", "t10", "t2", "total"], "one has no number"),
        (["t1.png", "t10.jpg", "t2.png"], "two suffixes"),
        (["v0.25", "v0.5", "v0.75"], "these are fractions"),
        (["t²", "t10", "t2"], "a superscript is no digit"),
    ],
)
def test_what_is_ambiguous_stands_by_code_point(names, why) -> None:
    expected = names if "equal" in why or "fraction" in why else sorted(names)
    assert in_order(reversed(names)) == in_order(names) == expected, why


@given(st.lists(st.from_regex(r"[ab]?[-.]?[0-9]{1,3}[.]?[0-9]?[ab]?", fullmatch=True), unique=True), st.randoms())
def test_order_depends_on_the_names_alone(names, random) -> None:
    assert in_order(random.sample(names, len(names))) == in_order(names)
    assert sorted(in_order(names)) == sorted(names)


def test_numbers_longer_than_python_reads_are_names_like_others() -> None:
    long = "9" * 5000
    assert in_order([long, "10"]) == ["10", long]
    assert in_order([f"t{long}", "t010", "t9"]) == ["t9", "t010", f"t{long}"]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3) | st.sampled_from([10**9, -(10**18)]), min_size=1),
    st.sampled_from([pl.Int32, pl.Int64, pl.String]),
)
def test_integers_are_the_same_names_as_their_digits_and_stand_by_value(values, kind) -> None:
    values = [value // 2**32 if kind == pl.Int32 else value for value in values]
    code, names = codes(pl.Series(values, dtype=pl.Int64).cast(kind))
    assert [int(names[place]) for place in code] == values
    assert [int(name) for name in names] == sorted(set(values))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.uint64, np.float32])
def test_every_type_of_number_is_read_by_value(kind) -> None:
    values = np.array([100, 0, 7, 100], kind)
    code, names = codes(values)
    assert (names, code.tolist()) == (["0", "7", "100"], [2, 0, 1, 2])


def test_floats_lose_a_point_with_nothing_behind_it() -> None:
    code, names = codes([1.0, 2.5, float("nan"), 10.0], missing=True)
    assert (names, code.tolist()) == (["1", "2.5", "10"], [0, 1, -1, 2])


def test_a_missing_value_is_an_error_that_names_its_row() -> None:
    for values in (["a", None], ["a", " "], [1, None]):
        with pytest.raises(VotewiseError, match="row 1"):
            codes(values)


def test_labels_that_are_no_classes_are_named() -> None:
    assert codes_for(["b", "a"], ["a", "b", "c"])[0].tolist() == [1, 0]
    with pytest.raises(VotewiseError, match="'x'"):
        codes_for(["a", "x"], ["a", "b"])


def test_names_that_go_leave_no_trace_in_the_order_of_the_others() -> None:
    code, names = codes(["t10", "t9", "x"])
    assert names == ["t10", "t9", "x"]
    assert only_used(code[:2], names)[1] == ["t9", "t10"]


@given(st.lists(st.integers(-1, 9), max_size=20))
def test_names_that_are_not_used_go_and_the_others_stay(values) -> None:
    code, names = only_used(np.array(values, np.int32), "abcdefghij")
    assert [names[place] if place >= 0 else None for place in code] == [
        "abcdefghij"[value] if value >= 0 else None for value in values
    ]
    assert set(names) == {"abcdefghij"[value] for value in values if value >= 0}


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=50),
    st.sampled_from([(7, 3, 5), (2**20, 2**6, 2**6), (2**20, 2**7, 2**6), (2**31, 2**3, 2**30), (2**31, 2**31, 2**31)]),
)
def test_rows_are_sorted_as_tuples_are_at_every_width(rows, sizes) -> None:
    columns = [np.array(column, np.int32) for column in zip(*rows, strict=True)]
    assert list(zip(*(column.tolist() for column in sorted_rows(columns, sizes)), strict=True)) == sorted(rows)
    assert row_order(columns, sizes).tolist() == sorted(range(len(rows)), key=lambda row: rows[row])
