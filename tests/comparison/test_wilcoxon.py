"""Exact paired tests against scipy, statsmodels and a look at all patterns of signs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from votewise.comparison import agreement, holm, sign_flip, smallest_p, wilcoxon
from votewise.comparison.statistics import wilcoxon_p
from votewise.errors import VotewiseError

SIDES = ("two-sided", "greater", "less")
tied = st.lists(st.integers(-4, 4), min_size=1, max_size=9)  # hundredths, as accuracies have them
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=15)


def patterns(n: int) -> np.ndarray:
    return np.array(list(product((-1, 1), repeat=n)))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [1, 2, 5, 10, 25, 50])
def test_without_ties_p_is_that_of_scipy(n: int, side: str) -> None:
    rng = np.random.default_rng(n)
    for shift in (0.0, 0.4):
        d = rng.normal(shift, 1, n)
        assert wilcoxon(d, side) == pytest.approx(stats.wilcoxon(d, alternative=side, method="exact").pvalue, rel=1e-12)


@given(tied)
def test_with_ties_and_zeros_p_is_the_share_of_all_patterns_of_signs(hundredths: list[int]) -> None:
    d = np.array(hundredths) / 100
    left = np.array([h for h in hundredths if h])
    ranks = stats.rankdata(np.abs(left))
    sums = np.maximum(patterns(len(left)), 0) @ ranks
    observed = ranks[left > 0].sum()
    greater, less = (sums >= observed).mean(), (sums <= observed).mean()
    assert wilcoxon(d, "greater") == pytest.approx(greater, rel=1e-12)
    assert wilcoxon(d, "less") == pytest.approx(less, rel=1e-12)
    assert wilcoxon(d) == pytest.approx(min(1, 2 * min(greater, less)), rel=1e-12)


def test_differences_that_are_one_up_to_a_rounding_tie() -> None:
    d = np.diff([0.3, 0.2, 0.1, 0.4, 0.6, 0.7])  # 0.1 up or down, 0.3 and 0.2, but for roundings
    assert len(set(np.abs(d).tolist())) > 3
    assert wilcoxon(d, "greater") == wilcoxon([-1, -1, 3, 2, 1], "greater")
    assert wilcoxon(np.array([0.3]) - (0.1 + 0.2)) == 1.0  # no difference at all


@given(tied)
def test_the_other_sign_is_the_other_side_and_the_sides_share_the_observed_pattern(hundredths: list[int]) -> None:
    d = np.array(hundredths) / 100
    for test in (wilcoxon, sign_flip):
        assert test(d, "greater") == pytest.approx(test(-d, "less"))
        assert test(d) == pytest.approx(test(-d))
        assert test(d, "greater") + test(d, "less") > 1
        assert test(d, "greater") >= smallest_p(len(d)) - 1e-15


@pytest.mark.parametrize("side", SIDES)
def test_sign_flips_are_the_permutation_test_of_scipy(side: str) -> None:
    rng = np.random.default_rng(3)
    for n in (4, 9):
        d = rng.normal(0.5, 1, n)
        theirs = stats.permutation_test((d,), np.mean, permutation_type="samples", alternative=side, n_resamples=np.inf)
        assert sign_flip(d, side) == pytest.approx(theirs.pvalue, rel=1e-12)


@given(tied)
@example([10, 20, -30])
def test_sign_flips_of_decimals_are_those_of_whole_numbers(hundredths: list[int]) -> None:
    d = np.array(hundredths) / 100  # sums that are equal in hundredths differ by rounding
    sums = patterns(len(d)) @ np.abs(hundredths)
    assert sign_flip(d, "greater") == (sums >= sum(hundredths)).mean()
    assert sign_flip(d, "less") == (sums <= sum(hundredths)).mean()


def test_more_than_twenty_pairs_are_drawn_and_close_to_the_exact_answer() -> None:
    d = np.random.default_rng(4).normal(0.35, 1, 20)
    exact = sign_flip(d, "greater")
    drawn = sign_flip(np.append(d, 0.0), "greater")  # a zero changes no sum
    assert drawn == pytest.approx(exact, abs=5 * (exact / 100_000) ** 0.5)
    assert drawn != exact
    assert sign_flip(np.ones(40), "greater") == pytest.approx(1 / 100_001)


@pytest.mark.parametrize("m", [1, 4, 12])
def test_holm_is_that_of_statsmodels(m: int) -> None:
    p = np.random.default_rng(m).beta(0.3, 2, m)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12)
    assert holm([*p, *p]) == pytest.approx(multipletests([*p, *p], method="holm")[1], rel=1e-12)


@given(p_values)
def test_holm_only_raises_and_never_turns_the_order(p: list[float]) -> None:
    adjusted = holm(p)
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= np.minimum(len(p) * np.array(p), 1)).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= 0).all()


def test_five_pairs_reach_their_minimum_and_never_survive_holm_over_twelve_cells() -> None:
    best = wilcoxon([0.1, 0.2, 0.3, 0.4, 0.5], "greater")
    assert (best, wilcoxon([0.1, 0.2, 0.3, 0.4, 0.5])) == (0.03125, 0.0625)
    assert holm([best] * 12).min() == 0.375
    assert holm([wilcoxon(np.arange(1.0, 9), "greater")] * 12).max() < 0.05


def test_the_test_holds_its_level() -> None:
    d = np.random.default_rng(5).normal(size=(3000, 8))
    p = np.array([wilcoxon(row, "greater") for row in d])
    for level in (0.05, 0.2):
        assert (p <= level).mean() <= level + 4 * (level * (1 - level) / 3000) ** 0.5


def test_seeds_that_agree_are_counted() -> None:
    d = [0.2, 0.1, -0.3, 0.0, 0.4]
    assert [agreement(d, side) for side in ("greater", "less", "two-sided")] == [(3, 5), (1, 5), (3, 5)]


def test_nothing_to_compare_is_no_evidence() -> None:
    assert wilcoxon([]) == wilcoxon([0.0, 0.0]) == sign_flip([]) == sign_flip([0.0, 0.0]) == 1.0
    assert [wilcoxon_p(np.empty((3, 0)), side).tolist() for side in SIDES] == [[1.0] * 3] * 3


@pytest.mark.parametrize("wrong", [[0.1, float("nan")], [[0.1, 0.2]], [float("inf")]])
def test_what_cannot_be_compared_is_told(wrong: list) -> None:
    for test in (wilcoxon, sign_flip, agreement):
        with pytest.raises(VotewiseError, match="without missing values"):
            test(wrong)
    with pytest.raises(VotewiseError, match="must be between 0 and 1"):
        holm([0.1, 1.2])
