"""The rules as their table has them: what reproduces, what contradicts, what is left undecided, and what stands beside."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from votewise.comparison import sign_flip, wilcoxon
from votewise.comparison.statistics.power import detectable_effect
from votewise.errors import VotewiseError
from votewise.evidence.claims.rules import (
    all_cells,
    combine,
    count,
    direction,
    equivalent,
    monotone,
    number,
    shown,
    undecided,
)

UP5 = [0.03, 0.01, 0.02, 0.05, 0.04]
UP8 = [0.03, 0.01, 0.02, 0.05, 0.04, 0.06, 0.07, 0.08]
MIXED8 = [0.03, -0.01, 0.02, -0.05, 0.04, -0.06, 0.07, -0.03]
hundredths = st.integers(-9, 9).map(lambda value: value / 100)
differences = st.lists(hundredths, max_size=10)
OPPOSITE = {"reproduced": "contradicted", "contradicted": "reproduced", "undecided": "undecided"}


def named(rows) -> dict[str, np.ndarray]:
    return {f"c{place}": np.array(row) for place, row in enumerate(rows)}


# --- direction -------------------------------------------------------------------------------------------------------


def test_a_direction_takes_the_sign_and_the_exact_test() -> None:
    assert direction(UP5).outcome == "reproduced"
    assert direction(np.negative(UP5)).outcome == "contradicted"
    assert direction([*UP5[:4], -0.04]).outcome == "undecided"
    assert direction([0.0] * 8).outcome == "undecided"


def test_a_significant_rank_sum_does_not_help_a_mean_of_the_other_sign() -> None:
    d = [0.01, 0.011, 0.012, 0.013, 0.014, 0.015, 0.016, -0.9]
    assert stats.wilcoxon(d, alternative="greater").pvalue <= 0.2
    assert direction(d).outcome == "undecided"
    many = [*[0.01 + 0.001 * i for i in range(12)], -0.9]
    assert stats.wilcoxon(many, alternative="greater").pvalue <= 0.05
    assert direction(many).outcome == "undecided"


def test_zeros_are_dropped_and_may_leave_too_few_pairs() -> None:
    assert direction([*UP5, 0.0]).outcome == "reproduced"
    assert direction([*UP5[:4], 0.0]).outcome == "undecided"


@given(differences)
def test_the_negated_data_contradict_what_the_data_reproduced(d: list[float]) -> None:
    assert direction(np.negative(d)).outcome == OPPOSITE[direction(d).outcome]
    assert direction(np.negative(d), claimed="less").outcome == direction(d).outcome
    assert all_cells({"only": d}).outcome == direction(d).outcome


@settings(max_examples=25)
@given(st.lists(hundredths, max_size=4), st.integers(0, 3))
def test_fewer_than_five_seeds_decide_nothing(d: list[float], lost: int) -> None:
    given_up = [*d, *[float("nan")] * lost]
    cells = {"a": given_up, "b": given_up}
    for verdict in (
        direction(given_up), equivalent(given_up, 9.0), number(given_up, above=-9.0), all_cells(cells), count(cells, 0), monotone(cells),
    ):  # fmt: skip
        assert verdict.outcome == "undecided"
        assert verdict.n == len(d)
        assert "a verdict takes at least 5" in verdict.why
        assert (f"{lost} seed" in verdict.why) == (lost > 0)


def test_what_stands_beside_a_verdict() -> None:
    verdict = direction(MIXED8, side="two-sided", family=12)
    low, high = stats.ttest_1samp(MIXED8, 0).confidence_interval()
    assert (verdict.n, verdict.agree, verdict.smallest_p) == (8, 4, 2 / 2**8)
    assert verdict.mean == pytest.approx(np.mean(MIXED8))
    assert (verdict.low, verdict.high) == pytest.approx((low, high))
    assert verdict.p == wilcoxon(MIXED8, "two-sided")
    assert verdict.flip_p == sign_flip(MIXED8, "two-sided")
    assert "two-sided" in verdict.test
    assert verdict.seeds > direction(MIXED8).seeds > 8
    assert [direction(0.5 + np.array(UP8), family=family).seeds for family in (1, 12)] == [5, 8]


@given(differences)
def test_a_verdict_is_plain_data(d: list[float]) -> None:
    for verdict in (direction(d), equivalent(d, 0.1), number(d, below=0.1), shown(d, "so"), undecided("no runs")):
        assert json.loads(json.dumps(asdict(verdict), allow_nan=False))["outcome"] == verdict.outcome


# --- all cells -------------------------------------------------------------------------------------------------------


def test_all_cells_need_the_sign_everywhere_and_the_average() -> None:
    assert all_cells({"a": UP5, "b": UP5}).outcome == "reproduced"
    assert all_cells({"a": UP8, "b": [0.01, -0.01, 0.02, -0.005, 0.0, 0.0, 0.0, 0.0]}).outcome == "reproduced"
    wrong = all_cells({"a": UP8, "b": [-0.01, 0.005, -0.02, 0.01, 0.0, 0.0, 0.0, 0.0]})
    assert wrong.outcome == "undecided"
    assert "1 of 2 means have the claimed sign, not b" in wrong.why


def test_one_cell_the_other_way_contradicts_after_holm() -> None:
    cells = {f"c{k}": 10 * np.array(UP8) for k in range(11)} | {"bad": -np.array(UP8)}
    verdict = all_cells(cells)
    assert (verdict.outcome, verdict.uncorrected) == ("contradicted", False)
    assert "bad" in verdict.why
    weaker = cells | {"bad": -np.array([*UP8[:7], -0.01])}  # p = 2/256, times 12 above 0.05
    assert all_cells(weaker).outcome == "undecided"


def test_with_five_seeds_a_unanimous_cell_contradicts_and_is_marked_uncorrected() -> None:
    cells = {"a": 10 * np.array(UP5), "b": -np.array(UP5)}
    verdict = all_cells(cells)
    assert (verdict.outcome, verdict.uncorrected) == ("contradicted", True)
    assert "uncorrected" in verdict.why
    assert all_cells(cells | {"b": -np.array([*UP5[:4], -0.01])}).outcome == "undecided"
    everywhere = all_cells({"a": -np.array(UP5), "b": -np.array(UP5)})
    assert (everywhere.outcome, everywhere.uncorrected) == ("contradicted", False)  # the average needs no correction


@settings(max_examples=25)
@given(st.lists(st.lists(hundredths, min_size=8, max_size=8), min_size=3, max_size=3))
def test_the_opposite_claim_on_all_cells_has_the_opposite_verdict(rows) -> None:
    found, opposite = all_cells(named(rows)), all_cells(named(rows), claimed="less")
    if found.outcome == "reproduced":
        assert opposite.outcome == "contradicted"
    assert all_cells({name: -row for name, row in named(rows).items()}).outcome == opposite.outcome


def test_cells_carry_their_own_numbers_raw_and_after_holm() -> None:
    cells = all_cells({"a": UP8, "b": UP8, "c": MIXED8}).cells
    assert [cell.name for cell in cells] == ["a", "b", "c"]
    assert [cell.outcome for cell in cells] == ["reproduced", "reproduced", "undecided"]
    assert [cell.p for cell in cells[:2]] == [1 / 256] * 2
    assert [cell.holm for cell in cells[:2]] == [3 / 256] * 2
    assert [cell.agree for cell in cells] == [8, 8, 4]


def test_cells_must_share_their_seeds_and_lose_them_together() -> None:
    with pytest.raises(VotewiseError, match="5, 8 seeds cannot be compared"):
        all_cells({"a": UP5, "b": UP8})
    with pytest.raises(VotewiseError, match="give one cell or more"):
        all_cells({})
    verdict = all_cells({"a": [*UP8, np.nan, 0.1], "b": [*UP8, 0.1, np.inf]})
    assert verdict.n == 8
    assert verdict.why.endswith("2 seeds without a finite value left out")


# --- equivalence and numbers -----------------------------------------------------------------------------------------


def test_equivalence_is_the_place_of_the_90_percent_interval() -> None:
    small = np.array([0.004, -0.002, 0.001, -0.003, 0.002])
    assert equivalent(small, 0.025).outcome == "reproduced"
    assert equivalent(small + 0.05, 0.025).outcome == "contradicted"
    assert equivalent(small - 0.05, 0.025).outcome == "contradicted"
    assert equivalent(small + 0.025, 0.025).outcome == "undecided"
    assert equivalent(20 * small, 0.025).outcome == "undecided"


def test_not_significant_is_not_equal() -> None:
    noisy = np.array(MIXED8)
    verdict = equivalent(noisy, 0.01)
    assert verdict.p > 0.5
    assert verdict.outcome == "undecided"
    assert verdict.seeds > 8
    assert equivalent(noisy + 0.5, 0.01).seeds is None


@given(st.lists(hundredths, min_size=5, max_size=10), st.sampled_from([0.01, 0.03, log(1.25)]))
def test_equivalence_does_not_care_about_the_sign(d: list[float], margin: float) -> None:
    assert equivalent(d, margin).outcome == equivalent(np.negative(d), margin).outcome


def test_a_number_is_held_against_its_bound() -> None:
    values = np.array([0.94, 0.93, 0.95, 0.94, 0.92])
    assert number(values, above=0.9).outcome == "reproduced"
    assert number(values, below=0.9).outcome == "contradicted"
    assert number(values, above=0.935).outcome == "undecided"
    assert number(values, above=0.99).outcome == "contradicted"
    assert number(values, above=0.99, against=0.7).outcome == "undecided"
    assert number(values - 0.3, above=0.9, against=0.7).outcome == "contradicted"
    assert [number(values, above=0.935).agree, number(values, below=0.935).agree] == [3, 2]
    for wrong in ({}, {"above": 1.0, "below": 2.0}):
        with pytest.raises(VotewiseError, match="one bound"):
            number(values, **wrong)


@given(st.lists(hundredths, min_size=5, max_size=9), hundredths)
def test_below_is_the_mirror_of_above(values: list[float], bound: float) -> None:
    above, below = number(values, above=bound), number(np.negative(values), below=-bound)
    assert (above.outcome, above.agree, above.seeds) == (below.outcome, below.agree, below.seeds)
    assert OPPOSITE[above.outcome] == number(values, below=bound).outcome


def test_a_one_sided_interval_is_asked_for_by_its_level() -> None:
    values = np.array([0.01, 0.012, 0.016, 0.02, 0.022])
    bound = stats.ttest_1samp(values, 0).confidence_interval(0.9).high
    assert number(values, below=bound + 1e-6, level=0.9).outcome == "reproduced"
    assert number(values, below=bound - 1e-6, level=0.9).outcome == "undecided"
    assert number(values, below=bound + 1e-6).outcome == "undecided"


# --- trends and counts -----------------------------------------------------------------------------------------------


def arms(*means: float, noise: float = 0.01, seeds: int = 5) -> dict[str, np.ndarray]:
    spread = noise * np.linspace(-1, 1, seeds)
    return {f"R={place}": mean + np.roll(spread, place) for place, mean in enumerate(means)}


def test_a_trend_takes_the_order_of_all_means_and_the_test() -> None:
    assert monotone(arms(0.50, 0.55, 0.61, 0.67)).outcome == "reproduced"
    assert monotone(arms(0.67, 0.61, 0.55, 0.50), falling=True).outcome == "reproduced"
    assert monotone(arms(0.50, 0.55, 0.549, 0.67)).outcome == "undecided"
    assert monotone(arms(0.50, 0.501, 0.502, 0.503, noise=1.0)).outcome == "undecided"


def test_a_trend_is_contradicted_by_a_step_the_other_way() -> None:
    falls = monotone(arms(0.50, 0.55, 0.50, 0.67))
    assert (falls.outcome, falls.uncorrected) == ("contradicted", True)
    assert "R=1 to R=2" in falls.why
    with_more = monotone(arms(0.50, 0.55, 0.50, 0.67, seeds=8))
    assert (with_more.outcome, with_more.uncorrected) == ("contradicted", False)
    assert [cell.name for cell in with_more.cells] == ["R=0 to R=1", "R=1 to R=2", "R=2 to R=3"]


def test_a_trend_has_the_p_of_page_and_the_way_from_first_to_last() -> None:
    values = arms(0.50, 0.55, 0.61, 0.67)
    verdict = monotone(values)
    assert verdict.p == pytest.approx(stats.page_trend_test(np.stack(list(values.values())).T, method="exact").pvalue)
    assert verdict.p == pytest.approx(verdict.smallest_p)
    assert verdict.mean == pytest.approx(0.17)
    with pytest.raises(VotewiseError, match="one arm"):
        monotone({"R=1": UP5})


def test_a_count_takes_so_many_cells_that_pass() -> None:
    cells = {f"c{k}": UP8 for k in range(9)} | {f"d{k}": MIXED8 for k in range(3)}
    assert count(cells, 9).outcome == "reproduced"
    assert count(cells, 10).outcome == "undecided"
    assert "9 of 12 cells pass, 10 are claimed" in count(cells, 10).why


def test_a_count_that_falls_short_contradicts_only_with_the_power_to_see_what_is_published() -> None:
    cells = {"a": UP8, "b": MIXED8}
    enough = {name: 1.01 * detectable_effect(8) * np.std(d, ddof=1) for name, d in cells.items()}
    assert count(cells, 2, published=enough).outcome == "contradicted"
    assert count(cells, 2, published=enough | {"b": 0.98 * enough["b"]}).outcome == "undecided"
    assert count(cells, 2, published={"a": enough["a"]}).outcome == "undecided"
    assert count(cells, 1, published=enough).outcome == "reproduced"
    turned = {name: -value for name, value in enough.items()}
    assert (
        count({name: np.negative(d) for name, d in cells.items()}, 2, claimed="less", published=turned).outcome
        == "contradicted"
    )


def test_a_cell_the_other_way_contradicts_a_count() -> None:
    eight = {f"c{k}": UP8 for k in range(9)} | {"bad": np.negative(UP8)}
    assert (count(eight, 9).outcome, count(eight, 9).uncorrected) == ("contradicted", False)
    five = {f"c{k}": UP5 for k in range(9)} | {"bad": np.negative(UP5)}
    assert (count(five, 9).outcome, count(five, 9).uncorrected) == ("contradicted", True)


def test_the_seeds_that_would_decide_a_count_are_those_of_its_kth_cell() -> None:
    cells = {"easy": UP5, "hard": [0.03, -0.01, 0.02, -0.02, 0.04], "wrong": [-0.01, 0.005, -0.02, 0.01, 0.0]}
    assert count(cells, 1).seeds == direction(cells["easy"]).seeds
    assert count(cells, 2).seeds == direction(cells["hard"]).seeds
    assert count(cells, 3).seeds is None


# --- several parts ---------------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["reproduced", "contradicted", "undecided", "shown"]), min_size=1, max_size=6))
def test_several_parts(outcomes: list[str]) -> None:
    made = {"reproduced": direction(UP5), "contradicted": direction(np.negative(UP5)), "undecided": direction(MIXED8), "shown": shown(UP5, "so")}  # fmt: skip
    verdict = combine({f"({place})": made[outcome] for place, outcome in enumerate(outcomes)})
    voting = {outcome for outcome in outcomes if outcome != "shown"}
    if not voting:
        assert verdict.outcome == "shown"
    elif "contradicted" in voting:
        assert verdict.outcome == "contradicted"
    else:
        assert verdict.outcome == ("reproduced" if voting == {"reproduced"} else "undecided")
    assert [cell.outcome for cell in verdict.cells] == outcomes


def test_a_combined_verdict_waits_for_the_last_of_its_parts() -> None:
    parts = {"(a)": direction(UP8), "(b)": direction(MIXED8), "(c)": equivalent(MIXED8, 0.01)}
    verdict = combine(parts)
    assert verdict.seeds == max(parts["(b)"].seeds, parts["(c)"].seeds)
    assert verdict.n == 8
    assert combine(parts | {"(d)": undecided("no runs")}).seeds is None
    uncorrected = all_cells({"a": 10 * np.array(UP5), "b": np.negative(UP5)})
    assert combine({"(a)": uncorrected, "(b)": direction(UP5)}).uncorrected
    assert not combine({"(a)": uncorrected, "(b)": direction(np.negative(UP5))}).uncorrected
