"""Intervals and effect sizes against scipy, and by how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from votewise.comparison import bootstrap_interval, effect_size, interval
from votewise.comparison.statistics import t_interval
from votewise.errors import VotewiseError


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("n", [2, 5, 10])
def test_the_t_interval_is_that_of_scipy(n: int, level: float) -> None:
    d = np.random.default_rng(n).normal(1, 2, n)
    theirs = stats.ttest_1samp(d, 0).confidence_interval(level)
    assert interval(d, level) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4)])
def test_many_t_intervals_at_once_are_those_of_each_study(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(4).normal(size=shape)
    low, high = t_interval(values, 0.9)
    assert low.shape == high.shape == shape[:-1]
    for place in np.ndindex(*shape[:-1]):
        assert (low[place], high[place]) == pytest.approx(interval(values[place], 0.9))


def test_the_t_interval_holds_the_truth_as_often_as_it_says() -> None:
    d = np.random.default_rng(0).normal(0.3, 1, size=(2000, 5))
    held = np.mean([low < 0.3 < high for low, high in map(interval, d)])
    assert held == pytest.approx(0.95, abs=4 * (0.05 * 0.95 / 2000) ** 0.5)


def test_the_bootstrap_is_a_little_wider_than_percentiles_and_holds_the_truth() -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(0.3, 1, 10)
    theirs = stats.bootstrap((d,), np.mean, method="percentile", rng=2).confidence_interval
    low, high = bootstrap_interval(d)
    assert theirs.low - 0.25 < low < theirs.low
    assert theirs.high < high < theirs.high + 0.25
    held = np.mean([low < 0.3 < high for low, high in map(bootstrap_interval, rng.normal(0.3, 1, size=(600, 10)))])
    assert 0.91 < held < 0.98


def test_the_bootstrap_moves_and_scales_with_its_data_and_is_drawn_by_its_seed() -> None:
    d = np.random.default_rng(2).normal(size=8)
    low, high = bootstrap_interval(d)
    assert bootstrap_interval(3 * d + 1) == pytest.approx((3 * low + 1, 3 * high + 1))
    assert bootstrap_interval(d) == (low, high) != bootstrap_interval(d, seed=1)


@pytest.mark.parametrize("n", [2, 5, 12])
def test_without_spread_an_interval_is_the_mean(n: int) -> None:
    drawn = [bootstrap_interval([0.25] * n, seed=seed) for seed in range(9)]
    for ends in (interval([0.25] * n), *drawn):
        assert ends == pytest.approx((0.25, 0.25), abs=1e-15)


def test_the_effect_size_is_the_t_statistic_per_root_n() -> None:
    d = np.random.default_rng(3).normal(0.5, 1, size=5)
    assert effect_size(d) == pytest.approx(stats.ttest_1samp(d, 0).statistic / math.sqrt(5))


def test_without_spread_an_effect_is_infinite_or_none() -> None:
    assert effect_size([0.5, 0.5, 0.5]) == math.inf
    assert effect_size([-0.5, -0.5]) == -math.inf
    assert effect_size([0.0, 0.0]) == 0


def test_one_seed_has_no_spread() -> None:
    for of in (interval, bootstrap_interval, effect_size):
        with pytest.raises(VotewiseError, match="at least two seeds"):
            of([0.1])
    with pytest.raises(VotewiseError, match="level must be"):
        interval([0.1, 0.2], 95)
