"""What n seeds can decide, against the exact test itself."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t, wilcoxon

from votewise.comparison import seeds_for_direction, seeds_for_equivalence, seeds_needed, smallest_p
from votewise.comparison.statistics.power import detectable_effect
from votewise.errors import VotewiseError


@pytest.mark.parametrize("seeds", range(1, 13))
def test_the_smallest_p_is_that_of_differences_of_one_sign(seeds: int) -> None:
    differences = np.arange(1.0, seeds + 1)
    assert smallest_p(seeds) == wilcoxon(differences, alternative="greater", method="exact").pvalue
    assert smallest_p(seeds, 2) == wilcoxon(differences, method="exact").pvalue


def test_five_seeds_never_survive_holm_over_twelve_cells() -> None:
    assert smallest_p(5) == 0.03125
    assert (seeds_needed(12), seeds_needed(12, 2)) == (8, 9)
    assert (seeds_needed(), seeds_needed(sides=2)) == (5, 6)
    assert (seeds_needed(level=0.5), seeds_needed(sides=2, level=0.5)) == (1, 2)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("cells", [1, 4, 9, 12, 50])
def test_one_seed_fewer_is_too_few(cells: int, sides: int) -> None:
    needed = seeds_needed(cells, sides)
    assert smallest_p(needed, sides) * cells <= 0.05 < smallest_p(needed - 1, sides) * cells


def test_nonsense_is_told() -> None:
    for wrong in (lambda: smallest_p(0), lambda: seeds_needed(0), lambda: seeds_needed(3, level=0)):
        with pytest.raises(VotewiseError):
            wrong()


def normal_pairs(effect: float, seeds: int, studies: int = 4000) -> np.ndarray:
    return np.random.default_rng(seeds).normal(effect, 1, size=(studies, seeds))


@pytest.mark.parametrize("seeds", [5, 8, 15, 40])
def test_the_detectable_effect_is_found_four_times_in_five(seeds: int) -> None:
    d = normal_pairs(detectable_effect(seeds), seeds)
    p = wilcoxon(d, alternative="greater", axis=1, method="exact" if seeds < 40 else "asymptotic").pvalue
    assert (p <= 0.05).mean() == pytest.approx(0.8, abs=0.03)


def test_five_seeds_find_what_puts_all_of_them_on_one_side() -> None:
    assert detectable_effect(5) == pytest.approx(norm.ppf(0.8**0.2), abs=0.04)
    assert detectable_effect(4) == np.inf


@pytest.mark.parametrize("effect", [0.9, 0.5, 0.45, 0.4, 0.2])
def test_the_seeds_for_a_direction_have_the_power_and_one_fewer_has_not(effect: float) -> None:
    d = np.array([-1.0, 0.0, 1.0, 2.0, 1.5, 0.5])
    d = (d - d.mean()) / d.std(ddof=1) + effect
    needed = seeds_for_direction(d)
    assert detectable_effect(needed) <= effect < detectable_effect(needed - 1)
    assert seeds_for_direction(-d) == needed


@pytest.mark.parametrize(("cells", "fewest"), [(1, 5), (12, 8)])
def test_never_fewer_seeds_than_the_test_needs_to_reject_at_all(cells: int, fewest: int) -> None:
    assert seeds_for_direction([0.1, 0.1001, 0.1002], cells) == fewest == seeds_needed(cells)


def test_smaller_effects_take_more_seeds_up_to_none() -> None:
    spread = np.array([-1.0, 1.0, -1.0, 1.0, 0.0])
    needed = [seeds_for_direction(spread + shift) for shift in (2.0, 1.0, 0.5, 0.25, 0.1, 0.01)]
    assert needed == sorted(needed)
    assert needed[-1] == pytest.approx(np.pi / 3 * ((norm.ppf(0.95) + norm.ppf(0.8)) / 0.01) ** 2, rel=0.01)
    assert seeds_for_direction(spread) is None
    assert seeds_for_direction(spread + 1e-4) is None  # more than a million
    assert seeds_for_direction([0.3]) is None


def test_the_seeds_for_equivalence_fit_the_interval_inside_the_margin() -> None:
    d = np.random.default_rng(6).normal(0.005, 0.04, 6)
    needed = seeds_for_equivalence(d, 0.025)
    half = [t.ppf(0.95, n - 1) * d.std(ddof=1) / np.sqrt(n) for n in (needed - 1, needed)]
    assert half[1] < 0.025 - abs(d.mean()) <= half[0]
    assert seeds_for_equivalence(d + 0.03, 0.025) is None
    assert seeds_for_equivalence([0.001, 0.0011, 0.0012], 0.025) == 5
    assert seeds_for_equivalence([], 0.025) is None
