"""Equivalence against statsmodels, and by what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import ttost_paired

from votewise.papers.claims import Values, Verdict, equivalent


def verdict(d: np.ndarray | list[float], margin: float) -> Verdict:
    """On differences [..., n]."""
    numbers = np.asarray(d, dtype=np.float64)
    return equivalent(Values(tuple(range(numbers.shape[-1])), numbers), margin)


@pytest.mark.parametrize("n", [5, 10])
@pytest.mark.parametrize("shift", [0.0, 0.015, -0.05])
def test_p_is_that_of_statsmodels(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    first = rng.normal(0.5, 0.02, n)
    second = first + rng.normal(shift, 0.02, n)
    theirs = ttost_paired(second, first, -0.025, 0.025)[0]
    found = verdict(second - first, 0.025)
    assert found.against == pytest.approx(1 - theirs, rel=1e-9)
    assert bool(found.ruling.holds) == (theirs < 0.05)


@given(st.lists(st.floats(-1, 1), min_size=5, max_size=12), st.floats(0.01, 1))
def test_the_interval_lies_inside_exactly_if_p_is_below_the_level(d: list[float], margin: float) -> None:
    if np.std(d) > 1e-9:
        found = verdict(d, margin)
        assert bool(found.ruling.holds) == (1 - found.against < 0.05)


def test_at_the_margin_it_errs_in_one_of_twenty() -> None:
    d = np.random.default_rng(1).normal(0.025, 0.01, size=(2000, 10))
    wrong = verdict(d, 0.025).ruling.holds.mean()
    assert wrong == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 2000) ** 0.5)


def test_without_spread_the_mean_decides() -> None:
    assert verdict([0.01] * 5, 0.025).outcome == "reproduced"
    assert verdict([0.03] * 5, 0.025).outcome == "contradicted"
