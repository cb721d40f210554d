"""Page's trend test against scipy, and against every order of every seed's ranks."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from votewise.comparison.statistics import page_trend_p
from votewise.errors import VotewiseError


@pytest.mark.parametrize(("n", "arms"), [(3, 3), (5, 4), (10, 4), (6, 5), (4, 6)])
def test_without_ties_p_is_that_of_scipy(n: int, arms: int) -> None:
    rng = np.random.default_rng(n * arms)
    for slope in (0.0, 0.3):
        values = rng.normal(size=(n, arms)) + slope * np.arange(arms)
        theirs = stats.page_trend_test(values, method="exact").pvalue
        assert page_trend_p(values) == pytest.approx(theirs, rel=1e-9)


@settings(max_examples=25)
@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=3))
def test_with_ties_p_is_the_share_of_all_orders_of_the_ranks_there_are(rows: list[list[int]]) -> None:
    ranks = [stats.rankdata(row) for row in rows]
    place = np.arange(1, 4)
    observed = sum(place @ row for row in ranks)
    every = [sum(place @ np.array(row) for row in chosen) for chosen in product(*(permutations(row) for row in ranks))]
    assert page_trend_p(np.array(rows) / 100) == pytest.approx(np.mean(np.array(every) >= observed - 1e-9))


def test_a_perfect_order_has_the_smallest_p_and_the_opposite_order_p_one() -> None:
    values = np.tile(np.arange(4.0), (5, 1))
    assert page_trend_p(values) == pytest.approx(factorial(4) ** -5.0)
    assert page_trend_p(-values) == pytest.approx(1.0)
    assert page_trend_p(np.zeros((5, 4))) == pytest.approx(1.0)


def test_two_arms_are_a_sign_test() -> None:
    values = np.array([[0, 1], [0, 1], [0, 1], [1, 0], [0, 1]])
    assert page_trend_p(values) == pytest.approx(stats.binomtest(4, 5, alternative="greater").pvalue)


@pytest.mark.parametrize("wrong", [np.ones((3, 1)), np.ones((3, 13)), np.ones(3), np.array([[1, np.nan]])])
def test_what_has_no_trend_is_told(wrong: np.ndarray) -> None:
    with pytest.raises(VotewiseError, match="one row per seed"):
        page_trend_p(wrong)
