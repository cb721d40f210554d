"""The run-swap test: exact for quantities of pairs of runs, where tests on means over partners are not."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest

from votewise.comparison import run_swap, sign_flip, wilcoxon
from votewise.comparison.statistics.permutation import swap_interval
from votewise.errors import VotewiseError


def similarities(rng: np.random.Generator, n: int, run: float = 0.5, shift: float = 0.0):
    """Pairs of 2n runs: noise of the pair, an effect of each run and one of each seed; `shift` is added within the first method."""
    effect = run * rng.normal(size=(2, n)) + rng.normal(size=n)
    noise = rng.normal(size=(2, 2, n, n))

    def value(a: int, b: int, s: int, t: int) -> float:
        (a, s), (b, t) = sorted(((a, s), (b, t)))
        return effect[a, s] + effect[b, t] + noise[a, b, s, t] + shift * (a == b == 0)

    within = [{(s, t): value(m, m, s, t) for s, t in combinations(range(n), 2)} for m in (0, 1)]
    return *within, {(s, t): value(0, 1, s, t) for s, t in permutations(range(n), 2)}


def brute_force(first, second, between, n: int) -> tuple[float, float]:
    """The observed statistic and the one-sided p over all ways to say which run of a seed is which."""
    runs = {(0, 0): first, (1, 1): second}

    def value(a: int, b: int, s: int, t: int) -> float:
        return runs[a, b][s, t] if a == b else between[(s, t) if a == 0 else (t, s)]

    found = []
    for swap in product((0, 1), repeat=n):
        one = np.mean([value(swap[s], swap[t], s, t) for s, t in combinations(range(n), 2)])
        two = np.mean([value(1 - swap[s], 1 - swap[t], s, t) for s, t in combinations(range(n), 2)])
        found.append(one - two)
    return found[0], float(np.mean(np.array(found) >= found[0] - 1e-12))


@pytest.mark.parametrize("n", [3, 5, 7])
def test_the_p_is_the_share_of_all_swaps(n: int) -> None:
    pairs = similarities(np.random.default_rng(n), n)
    observed, p = brute_force(*pairs, n)
    comparison = run_swap(*pairs)
    assert comparison.difference.mean() == pytest.approx(observed)
    assert sign_flip(comparison.difference, "greater") == pytest.approx(p)


@pytest.mark.parametrize("run", [0.0, 0.5, 1.0])
def test_it_holds_its_level_where_means_over_partners_do_not(run: float) -> None:
    rng, worlds, n = np.random.default_rng(int(10 * run)), 1500, 6
    swapped, averaged = 0, 0
    for _ in range(worlds):
        first, second, between = similarities(rng, n, run)
        swapped += sign_flip(run_swap(first, second, between).difference, "greater") <= 0.05
        means = [
            [np.mean([v for pair, v in within.items() if s in pair]) for s in range(n)] for within in (first, second)
        ]
        averaged += wilcoxon(np.subtract(*means), "greater") <= 0.05
    assert swapped / worlds <= 0.05 + 3 * (0.05 * 0.95 / worlds) ** 0.5
    assert averaged / worlds > 0.09


def test_it_finds_a_difference_and_its_interval_covers_the_truth() -> None:
    rng = np.random.default_rng(9)
    differences = [run_swap(*similarities(rng, 8, shift=2.0)).difference for _ in range(400)]
    assert np.mean([sign_flip(difference, "greater") <= 0.05 for difference in differences]) > 0.6
    covered = [low <= 2.0 <= high for low, high in map(swap_interval, differences)]
    assert np.mean(covered) >= 0.95 - 3 * (0.05 * 0.95 / 400) ** 0.5


@pytest.mark.parametrize("n", [8, 14])
def test_the_interval_is_where_the_test_stops_rejecting(n: int) -> None:
    d = np.random.default_rng(n).normal(0.5, 1, n)
    low, high = swap_interval(d)
    slack = 1e-6 if n <= 12 else 0.02
    for inside, outside in ((low + slack, low - slack), (high - slack, high + slack)):
        assert sign_flip(d - inside) > 0.05 - (n > 12) * 0.01
        assert sign_flip(d - outside) <= 0.05 + (n > 12) * 0.01


def test_a_seed_with_a_missing_pair_is_left_out() -> None:
    first, second, between = similarities(np.random.default_rng(1), 6)
    del between[4, 2]
    assert set(run_swap(first, second, between).seeds) in ({0, 1, 2, 3, 5}, {0, 1, 3, 4, 5})
    with pytest.raises(VotewiseError):
        run_swap({(0, 1): 0.5}, {}, {})
