"""Equivalence against statsmodels, and by what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import ttost_paired

from votewise.comparison import equivalence
from votewise.errors import VotewiseError


@pytest.mark.parametrize("n", [2, 5, 10])
@pytest.mark.parametrize("shift", [0.0, 0.015, -0.05])
def test_p_is_that_of_statsmodels(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    first = rng.normal(0.5, 0.02, n)
    second = first + rng.normal(shift, 0.02, n)
    theirs = ttost_paired(second, first, -0.025, 0.025)[0]
    assert equivalence(second - first, 0.025).p == pytest.approx(theirs, rel=1e-9)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=12), st.floats(0.01, 1))
def test_p_is_below_the_level_exactly_if_the_interval_lies_inside(d: list[float], margin: float) -> None:
    if np.std(d) > 1e-9:
        found = equivalence(d, margin)
        assert (found.p < 0.05) == (-margin < found.low and found.high < margin)


def test_at_the_margin_it_errs_in_one_of_twenty() -> None:
    d = np.random.default_rng(1).normal(0.025, 0.01, size=(2000, 10))
    wrong = np.mean([equivalence(row, 0.025).p < 0.05 for row in d])
    assert wrong == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 2000) ** 0.5)


def test_without_spread_the_mean_decides() -> None:
    assert equivalence([0.01] * 5, 0.025).p == 0
    assert equivalence([0.03] * 5, 0.025).p == 1


def test_nonsense_is_told() -> None:
    for d, margin in (([0.1], 0.1), ([0.1, 0.2], 0.0), ([0.1, 0.2], float("nan"))):
        with pytest.raises(VotewiseError):
            equivalence(d, margin)
