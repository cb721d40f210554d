"""The rules: what reproduces, what contradicts, what is left undecided, and what stands beside."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from votewise.comparison import sign_flip, wilcoxon
from votewise.errors import VotewiseError
from votewise.papers.claims import (
    Values,
    above,
    agreeing,
    all_of,
    below,
    both_outcomes,
    composed,
    each,
    equivalent,
    every,
    higher,
    lower,
    monotone,
    shown,
    unanimous,
)

UP5 = [0.03, 0.01, 0.02, 0.05, 0.04]
UP8 = [0.03, 0.01, 0.02, 0.05, 0.04, 0.06, 0.07, 0.08]
MIXED8 = [0.03, -0.01, 0.02, -0.05, 0.04, -0.06, 0.07, -0.03]
hundredths = st.integers(-9, 9).map(lambda value: value / 100)
OPPOSITE = {"reproduced": "contradicted", "contradicted": "reproduced", "undecided": "undecided"}


def of(numbers: Iterable[float]) -> Values:
    listed = np.asarray(list(numbers), dtype=np.float64)
    return Values(tuple(range(len(listed))), listed)


def cells(**rows: Iterable[float]) -> dict[str, Values]:
    return {name: of(row) for name, row in rows.items()}


def turned(row: Iterable[float]) -> np.ndarray:
    return np.negative(list(row))


# --- direction -------------------------------------------------------------------------------------------------------


def test_a_direction_takes_the_sign_and_the_exact_test() -> None:
    assert higher(of(UP5)).outcome == lower(of(turned(UP5))).outcome == "reproduced"
    assert higher(of(turned(UP5))).outcome == "contradicted"
    assert higher(of([*UP5[:4], -0.04])).outcome == higher(of([0.0] * 8)).outcome == "undecided"


def test_a_significant_rank_sum_does_not_help_a_mean_of_the_other_sign() -> None:
    many = [*[0.01 + 0.001 * i for i in range(12)], -0.9]
    assert stats.wilcoxon(many, alternative="greater").pvalue <= 0.05
    assert higher(of(many)).outcome == "undecided"


@given(st.lists(hundredths, max_size=10))
def test_the_opposite_data_have_the_opposite_verdict(d: list[float]) -> None:
    assert lower(of(d)).outcome == OPPOSITE[higher(of(d)).outcome]
    assert every(higher, {"only": of(d)}).outcome == higher(of(d)).outcome


@settings(max_examples=25)
@given(st.lists(hundredths, max_size=4), st.integers(0, 3))
def test_fewer_than_five_seeds_decide_nothing(d: list[float], lost: int) -> None:
    few = of([*d, *[float("nan")] * lost])
    two = {"a": few, "b": few}
    for verdict in (higher(few), equivalent(few, 9.0), above(few, -9.0), every(higher, two), each(higher, two), unanimous(higher, two, 0), monotone(two)):  # fmt: skip
        assert (verdict.outcome, verdict.n) == ("undecided", len(d))


def test_the_numbers_beside_a_verdict() -> None:
    verdict = higher(of(MIXED8))
    assert (verdict.n, verdict.agree, verdict.smallest_p) == (8, 4, 1 / 2**8)
    assert verdict.mean == pytest.approx(np.mean(MIXED8))
    assert (verdict.low, verdict.high) == pytest.approx(tuple(stats.ttest_1samp(MIXED8, 0).confidence_interval()))
    assert verdict.p == wilcoxon(MIXED8, "greater")
    assert verdict.flip_p == sign_flip(MIXED8, "greater")
    assert verdict.seeds > 8
    assert equivalent(of(MIXED8), 0.1).p == wilcoxon(MIXED8, "two-sided")


@given(st.lists(hundredths, max_size=10))
def test_a_verdict_is_plain_data(d: list[float]) -> None:
    for verdict in (higher(of(d)), equivalent(of(d), 0.1), below(of(d), 0.1), shown(of(d))):
        assert json.loads(json.dumps(verdict.as_dict(), allow_nan=False))["outcome"] == verdict.outcome


# --- several cells ---------------------------------------------------------------------------------------------------


def test_every_cell_needs_the_sign_and_the_average_the_test() -> None:
    assert every(higher, cells(a=UP5, b=UP5)).outcome == "reproduced"
    assert every(higher, cells(a=UP8, b=[0.01, -0.01, 0.02, -0.005, 0.0, 0.0, 0.0, 0.0])).outcome == "reproduced"
    assert every(higher, cells(a=UP8, b=[-0.01, 0.005, -0.02, 0.01, 0.0, 0.0, 0.0, 0.0])).outcome == "undecided"


def test_one_cell_the_other_way_contradicts_after_the_correction() -> None:
    ten = np.arange(1.0, 11)
    good = {f"c{k}": 10 * ten for k in range(11)}
    assert every(higher, cells(**good, bad=-ten)).outcome == "contradicted"  # 2 × 12 / 1024
    weaker = -ten.copy()
    weaker[2] *= -1
    assert every(higher, cells(**good, bad=weaker)).outcome == "undecided"


def test_where_n_is_too_small_for_one_cell_only_the_average_contradicts() -> None:
    assert every(higher, cells(a=10 * np.array(UP5), b=turned(UP5))).outcome == "undecided"
    assert every(higher, cells(a=turned(UP5), b=turned(UP5))).outcome == "contradicted"
    assert every(higher, cells(a=0.1 * np.array(UP5), b=turned(UP5))).outcome == "contradicted"


@settings(max_examples=25)
@given(st.lists(st.lists(hundredths, min_size=8, max_size=8), min_size=3, max_size=3))
def test_the_opposite_claim_is_never_reproduced_as_well(rows: list[list[float]]) -> None:
    given_cells = {str(place): of(row) for place, row in enumerate(rows)}
    one, other = every(higher, given_cells), every(lower, given_cells)
    assert (one.outcome, other.outcome) != ("reproduced", "reproduced")
    if one.outcome == "reproduced":
        assert other.against <= 0.1  # the average passes at the level, or at half of it


def test_cells_carry_their_own_numbers_raw_and_after_holm() -> None:
    found = every(higher, cells(a=UP8, b=UP8, c=MIXED8)).cells
    assert [cell.outcome for cell in found] == ["reproduced", "reproduced", "undecided"]
    assert [cell.p for cell in found[:2]] == [1 / 256] * 2
    assert [cell.holm for cell in found[:2]] == [3 / 256] * 2
    assert [cell.agree for cell in found] == [8, 8, 4]


def test_cells_are_compared_on_the_seeds_that_all_have() -> None:
    assert every(higher, cells(a=UP5, b=UP8)).n == 5
    verdict = every(higher, cells(a=[*UP8, np.nan, 0.1], b=[*UP8, 0.1, np.inf]))
    assert verdict.n == 8
    assert "2 seeds" in verdict.reason
    with pytest.raises(VotewiseError):
        every(higher, {})


def test_each_cell_by_itself_is_contradicted_after_holm_only() -> None:
    assert each(higher, cells(a=UP5, b=UP5)).outcome == "reproduced"
    assert each(higher, cells(a=UP5, b=[*UP5[:4], -0.04])).outcome == "undecided"
    assert each(higher, cells(a=UP5, b=turned(UP5))).outcome == "undecided"
    assert each(higher, cells(a=UP8, b=turned(UP8))).outcome == "contradicted"


def test_unanimity_is_counted_in_seeds() -> None:
    one_off = [*UP8[:7], -0.001]
    given_cells = cells(a=UP8, b=UP8, c=one_off)
    assert higher(of(one_off)).outcome == "reproduced"  # by the test, not by every seed
    assert unanimous(higher, given_cells, 2).outcome == "reproduced"
    verdict = unanimous(higher, given_cells, 3)
    assert (verdict.outcome, verdict.numbers["unanimous"]) == ("undecided", 2)
    assert unanimous(higher, cells(a=turned(UP5), b=turned(UP5)), 1).outcome == "contradicted"


# --- equivalence and bounds ------------------------------------------------------------------------------------------


def test_equivalence_is_the_place_of_the_90_percent_interval() -> None:
    small = np.array([0.004, -0.002, 0.001, -0.003, 0.002])
    assert equivalent(of(small), 0.025).outcome == "reproduced"
    assert equivalent(of(small + 0.05), 0.025).outcome == equivalent(of(small - 0.05), 0.025).outcome == "contradicted"
    assert equivalent(of(small + 0.025), 0.025).outcome == equivalent(of(20 * small), 0.025).outcome == "undecided"
    assert equivalent(of(small + 0.05), 0.025, contradicts="lower").outcome == "undecided"


def test_not_significant_is_not_equal() -> None:
    verdict = equivalent(of(MIXED8), 0.01)
    assert (verdict.p > 0.5, verdict.outcome, verdict.seeds > 8) == (True, "undecided", True)
    assert equivalent(of(np.array(MIXED8) + 0.5), 0.01).seeds is None


@given(st.lists(hundredths, min_size=5, max_size=10), st.sampled_from([0.01, 0.03, log(1.25)]))
def test_equivalence_does_not_depend_on_the_sign(d: list[float], margin: float) -> None:
    assert equivalent(of(d), margin).outcome == equivalent(of(turned(d)), margin).outcome


def test_equivalence_of_cells_has_a_margin_for_each_and_a_correction() -> None:
    small = np.array([0.004, -0.002, 0.001, -0.003, 0.002])
    assert equivalent(cells(a=small, b=10 * small), {"a": 0.01, "b": 0.1}).outcome == "reproduced"
    off = small + 0.0277  # alone outside by a p of about 0.04
    assert equivalent(of(off), 0.025).outcome == "contradicted"
    assert equivalent(cells(a=off, b=small), 0.025).outcome == "undecided"


def test_a_number_is_held_against_its_bound() -> None:
    values = np.array([0.94, 0.93, 0.95, 0.94, 0.92])
    assert above(of(values), 0.9).outcome == "reproduced"
    assert below(of(values), 0.9).outcome == above(of(values), 0.99).outcome == "contradicted"
    assert above(of(values), 0.935).outcome == "undecided"
    assert above(of(values), 0.99, contradicted_below=0.7).outcome == "undecided"
    assert above(of(values - 0.3), 0.9, contradicted_below=0.7).outcome == "contradicted"
    assert [above(of(values), 0.935).agree, below(of(values), 0.935).agree] == [3, 2]


@given(st.lists(hundredths, min_size=5, max_size=9), hundredths)
def test_below_is_the_mirror_of_above(values: list[float], bound: float) -> None:
    one, other = above(of(values), bound), below(of(turned(values)), -bound)
    assert (one.outcome, one.agree, one.seeds) == (other.outcome, other.agree, other.seeds)
    assert OPPOSITE[one.outcome] == below(of(values), bound).outcome


def test_a_one_sided_interval_is_asked_for_by_its_level() -> None:
    values = np.array([0.01, 0.012, 0.016, 0.02, 0.022])
    bound = stats.ttest_1samp(values, 0).confidence_interval(0.9).high
    assert below(of(values), bound + 1e-6, level=0.9).outcome == "reproduced"
    assert below(of(values), bound - 1e-6, level=0.9).outcome == below(of(values), bound + 1e-6).outcome == "undecided"


# --- trends ----------------------------------------------------------------------------------------------------------


def arms(*means: float, noise: float = 0.01, seeds: int = 5) -> dict[str, Values]:
    spread = noise * np.linspace(-1, 1, seeds)
    return {f"R={place}": of(mean + np.roll(spread, place)) for place, mean in enumerate(means)}


def test_a_trend_takes_the_order_of_all_means_and_the_test() -> None:
    assert monotone(arms(0.50, 0.55, 0.61, 0.67)).outcome == "reproduced"
    assert monotone(arms(0.67, 0.61, 0.55, 0.50), falling=True).outcome == "reproduced"
    assert monotone(arms(0.50, 0.55, 0.549, 0.67)).outcome == "undecided"
    assert monotone(arms(0.50, 0.501, 0.502, 0.503, noise=1.0)).outcome == "undecided"


def test_a_trend_is_contradicted_by_the_opposite_one_or_by_a_step() -> None:
    assert monotone(arms(0.67, 0.61, 0.55, 0.50)).outcome == "contradicted"
    assert monotone(arms(0.50, 0.55, 0.50, 0.67)).outcome == "undecided"  # five seeds are too few for one step
    with_more = monotone(arms(0.50, 0.55, 0.50, 0.67, seeds=8))
    assert with_more.outcome == "contradicted"
    assert [cell.name for cell in with_more.cells] == ["R=0 to R=1", "R=1 to R=2", "R=2 to R=3"]


def test_a_trend_has_the_p_of_page_and_the_way_from_first_to_last() -> None:
    values = arms(0.50, 0.55, 0.61, 0.67)
    verdict = monotone(values)
    table = np.stack([arm.numbers for arm in values.values()]).T
    assert verdict.p == pytest.approx(stats.page_trend_test(table, method="exact").pvalue)
    assert verdict.p == pytest.approx(verdict.smallest_p)
    assert verdict.mean == pytest.approx(0.17)
    with pytest.raises(VotewiseError):
        monotone({"R=1": of(UP5)})


# --- verdicts together -----------------------------------------------------------------------------------------------

GOOD, BAD, OPEN, SHOWN = higher(of(UP8)), higher(of(turned(UP8))), higher(of(MIXED8)), shown(of(UP8))


@pytest.mark.parametrize("together", [all_of, composed])
def test_several_parts(together) -> None:
    for parts, outcome in (
        ([GOOD, GOOD], "reproduced"), ([GOOD, OPEN], "undecided"), ([GOOD, BAD], "contradicted"),
        ([OPEN, BAD, SHOWN], "contradicted"), ([GOOD, SHOWN], "reproduced"), ([SHOWN, SHOWN], "shown"),
    ):  # fmt: skip
        assert together({str(place): part for place, part in enumerate(parts)}).outcome == outcome


def test_parts_are_corrected_and_claims_that_are_counted_elsewhere_are_not() -> None:
    bad = higher(of(turned(UP5)))  # p = 1/32
    assert bad.outcome == "contradicted"
    assert all_of({"a": GOOD, "b": bad}).outcome == "undecided"
    assert composed({"a": GOOD, "b": bad}).outcome == "contradicted"


def test_two_outcomes_decide_only_together() -> None:
    assert both_outcomes(GOOD, GOOD).outcome == "reproduced"
    assert both_outcomes(BAD, BAD).outcome == "contradicted"
    for other in (GOOD, OPEN):
        assert both_outcomes(BAD, other).outcome == "undecided"
    assert both_outcomes(BAD, GOOD).reason.startswith(
        "Contradicted against the majority, reproduced against the vote share."
    )


def test_claims_that_should_agree_are_contradicted_by_opposite_outcomes() -> None:
    assert agreeing({"a": GOOD, "b": GOOD}).outcome == "reproduced"
    assert agreeing({"a": GOOD, "b": BAD}).outcome == "contradicted"
    assert agreeing({"a": BAD, "b": BAD}).outcome == agreeing({"a": OPEN, "b": BAD}).outcome == "undecided"


def test_parts_wait_for_the_last_of_them() -> None:
    parts = {"(a)": GOOD, "(b)": OPEN, "(c)": equivalent(of(MIXED8), 0.01)}
    verdict = all_of(parts)
    assert verdict.seeds == max(parts["(b)"].seeds, parts["(c)"].seeds)
    assert (verdict.n, list(verdict.parts)) == (8, ["(a)", "(b)", "(c)"])


# --- many worlds -----------------------------------------------------------------------------------------------------


def test_many_worlds_are_decided_as_one_by_one() -> None:
    rng = np.random.default_rng(0)
    tables = np.round(rng.normal(0.3, 1, size=(40, 4, 8)), 1)  # with ties
    seeds = tuple(range(8))
    for rule in (
        lambda c: higher(c["0"]), lambda c: every(higher, c), lambda c: each(lower, c), lambda c: unanimous(higher, c, 1),
        lambda c: equivalent(c, 1.0), lambda c: monotone(c), lambda c: above(c["1"], 0.1), lambda c: below(c["1"], 0.1, level=0.9),
        lambda c: all_of({"a": higher(c["0"]), "b": lower(c["1"])}), lambda c: both_outcomes(higher(c["0"]), higher(c["1"])),
        lambda c: agreeing({"a": higher(c["0"]), "b": higher(c["1"])}),
    ):  # fmt: skip
        together = rule({str(arm): Values(seeds, tables[:, arm]) for arm in range(4)}).ruling
        for world, table in enumerate(tables):
            alone = rule({str(arm): Values(seeds, table[arm]) for arm in range(4)}).ruling
            assert bool(together.reproduced[world]) == bool(alone.reproduced)
            assert bool(together.contradicted[world]) == bool(alone.contradicted)
