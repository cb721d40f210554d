"""The claims of the paper: their rows hold together, and made-up results with known effects give the known verdicts."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from made_up import Change, changed, lost, made_up, noise
from votewise.errors import VotewiseError
from votewise.papers.basins import BASINS, printed, published
from votewise.papers.basins.claims.full import floor
from votewise.papers.claims import FIRST, Claim, Decision, View, by_outcome, counts, decide, evaluate
from votewise.papers.companion import COMPANION
from votewise.studies.needs import Needs
from votewise.studies.results import Curve, Results

HARD = ("sls", "multipass", "deterministic")
FLAT = ("lambda_max_full", "trace_full", "lambda_max_high", "trace_high")
FAR = tuple(f"auroc_far_{name}" for name in ("energy", "msp", "odin", "entropy", "margin", "knn"))
EVERY = [*BASINS, *COMPANION]
ROOT = Path(__file__).parents[2]


@cache
def decided(preset: str = "paper") -> dict[str, Decision]:
    return by_id(made_up(preset))


def by_id(given: Results, *only: str) -> dict[str, Decision]:
    return {
        decision.id: decision
        for decision in chain(decide(BASINS, given, only=only), decide(COMPANION, given, only=only))
    }


def outcome(given: Results, id: str) -> str:
    claims = COMPANION if id.startswith("K") else BASINS
    return evaluate(claims[id], View(given)).outcome


# --- the rows --------------------------------------------------------------------------------------------------------


def test_every_statement_of_the_two_papers_has_its_row() -> None:
    assert len(EVERY) == len({claim.id for claim in EVERY}) == 119
    assert Counter(claim.kind for claim in EVERY) == {
        "claim": 80, "arithmetic": 22, "guard": 7, "procedure": 5, "limitation": 5,
    }  # fmt: skip
    assert BASINS.sections == (
        "Mathematics and procedure", "Sparse votes", "Stale labels", "All votes: SLS, soft labels and the baselines",
        "All votes: the hard family and its controls", "Gradient noise", "Geometry", "Representations", "Dynamics",
        "Out-of-distribution detection", "Recommendations and interpretation", "Arithmetic on the published numbers",
        "Limitations of the paper",
    )  # fmt: skip
    assert BASINS["S4"].kind == "arithmetic"
    with pytest.raises(VotewiseError):
        BASINS["S99"]


@pytest.mark.parametrize("claim", EVERY, ids=lambda claim: claim.id)
def test_what_a_row_names_exists(claim: Claim) -> None:
    ids = {other.id for other in EVERY} - {claim.id}
    assert {*claim.beside, *claim.composed_of} <= ids
    assert claim.how or claim.kind == "arithmetic"
    assert claim.statement.endswith(".")
    assert claim.in_print or not claim.published


def test_what_is_proven_by_tests_names_tests_that_exist() -> None:
    proven = [claim for claim in BASINS if claim.section == "Mathematics and procedure"]
    assert len(proven) == 12
    for claim in proven:
        verdict = claim(View(made_up("demo")))
        assert verdict.outcome == "reproduced"
        for test in verdict.reason.removeprefix("proven by ").split(", "):
            path, _, name = test.partition("::")
            assert f"def {name}(" in (ROOT / path).read_text()


def test_claims_composed_of_others_are_counted_once() -> None:
    repeats = {claim.id: claim.composed_of for claim in EVERY if claim.composed_of and claim.kind == "claim"}
    assert set(repeats) == {"U3", "U5", "U6", "U7", "O7"}
    total = counts(list(decided().values()))[""]
    assert sum(total.values()) == 80 - 5


# --- known effects, known verdicts -----------------------------------------------------------------------------------

BASE = [
    "S1", "S5", "S9", "S10", "S11", "S12", "T1", "T2", "F1", "F2", "F3", "F4", "F5", "F7", "F8", "F10", "F12", "H1", "H2", "H3", "H5",
    "H6", "H7", "H8", "H9", "N1", "N2", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "R1", "R2", "R3",
    "R4", "D1", "D2", "D3", "O1", "O2", "O4", "O5", "O6", "O7", "U1", "U2", "U4", "U5", "U7", "K1", "K3", "K7", "K9", "K10", "K11",
]  # fmt: skip


@pytest.mark.parametrize("id", BASE)
def test_effects_as_the_papers_have_them_are_reproduced(id: str) -> None:
    assert decided()[id].outcome == "reproduced", decided()[id].verdict.reason


def both(*changes: Change) -> Change:
    def change(given: Results) -> Results:
        for each in changes:
            given = each(given)
        return given

    return change


def pairs(quantity: str, by: float) -> Change:
    """The similarity of two runs of SLS, moved by something."""

    def change(given: Results) -> Results:
        moved = tuple(
            replace(pair, value=pair.value + by)
            if pair.quantity == quantity and pair.methods == ("sls", "sls")
            else pair
            for pair in given.pairs
        )
        return replace(given, pairs=moved)

    return change


CASES: list[tuple[str, Change, str]] = [
    # a direction: turned around; averaged over deliveries and K; a contrast of K; of two quantities of one run
    ("G1", changed("sls", "lambda_max_full", 0, times=4), "contradicted"),
    ("D1", changed("sls", "epoch_95", 9), "contradicted"),
    ("R2", pairs("gradcam_correlation", -0.3), "contradicted"),
    ("S5", changed("soft", "soft_nll", -1, 5), "contradicted"),
    ("S12", changed(HARD, "js_highest_high", -1), "contradicted"),
    ("U4", changed("soft", "soft_nll", 2, None), "contradicted"),
    ("K11", changed("majority", "kl_high_third", -0.55), "contradicted"),
    ("K7", changed("majority", "kl_gain_agreed", -1), "contradicted"),
    # every cell: one cell the other way is undecided with five seeds, the average contradicts
    ("S1", changed("multipass", "soft_nll", 0.05, 5), "undecided"),
    ("S1", changed(HARD, "soft_nll", 0.5), "contradicted"),
    ("T2", changed("sls-every-50", "soft_nll", -2), "contradicted"),
    ("F9", changed("mixup", "accuracy", 0.5), "reproduced"),
    ("F9", changed("mixup", "accuracy", -0.5), "contradicted"),
    ("G9", changed("sls", FLAT, 0, times=9), "contradicted"),
    ("O2", changed(HARD, "auroc_far_knn", 0.3), "contradicted"),
    # calibration: the majority alone does not contradict
    ("F7", changed("soft", "ece_equal_mass", 1), "undecided"),
    ("F7", changed("soft", ("ece_equal_mass", "ece_equal_mass_votes"), 1), "contradicted"),
    ("F3", changed("sls", "ece_equal_mass", 1), "undecided"),
    ("F3", changed("sls", ("ece_equal_mass", "ece_equal_mass_votes"), 1), "contradicted"),
    ("F10", changed("mixup", "ece_equal_mass", -1), "undecided"),
    ("F11", changed("majority", "smooth_ece", -1), "undecided"),
    ("F12", changed(("sls", "soft"), "diagonal_distance", 0.2), "undecided"),
    ("F12", changed(("sls", "soft"), ("diagonal_distance", "smooth_ece_votes"), 0.2), "contradicted"),
    # each cell by itself
    ("S3", changed("sls", "soft_nll", 0.5, 10), "shown"),
    ("O5", changed("sls", "auroc_near_odin", -0.3), "contradicted"),
    # equivalence: each side of the margin; one side alone if that is the claim
    ("F1", changed("sls", "soft_nll", 0.1), "contradicted"),
    ("F1", changed("sls", "soft_nll", -0.1), "contradicted"),
    ("H4", changed("deterministic", "accuracy", 0.1, None), "contradicted"),
    ("H6", changed("shuffled-sls", "soft_nll", 1), "undecided"),  # even poorer than a constant prediction
    ("H6", changed("shuffled-sls", "soft_nll", -1), "contradicted"),
    ("G8", changed("deterministic", FLAT, 0, times=1.7), "contradicted"),
    ("G8", changed("deterministic", FLAT, 0, times=0.4), "undecided"),
    ("K5", changed("soft", "accuracy", -0.5), "contradicted"),
    ("K5", changed("soft", "accuracy", 0.1), "undecided"),
    ("K5", changed("soft", "accuracy", -0.21), "reproduced"),
    # bounds: above and below; a second bound; relative to the votes
    ("G10", changed("sls", "barrier", 0, times=0.01), "contradicted"),
    ("H5", changed("shuffled-sls", "accuracy", 0.3), "contradicted"),
    ("N1", changed("sls", "noise_correlation", -0.1), "undecided"),
    ("N1", changed("sls", "noise_correlation", -0.4), "contradicted"),
    ("N2", changed("sls", "noise_share_votes", 0.3), "contradicted"),
    # a trend: one step alone takes more seeds, the opposite trend does not
    ("T1", changed("sls-every-5", "soft_nll", 0.06), "undecided"),
    ("T1", both(changed("sls", "soft_nll", 2), changed("sls-every-5", "soft_nll", 1)), "contradicted"),
    ("S8", changed(HARD, "entropy_correlation", 0.5, 50), "undecided"),
    # seeds that agree
    ("S2", changed("soft", "soft_nll", 0.5), "reproduced"),
    ("S2", changed(HARD, "soft_nll", 0.5), "contradicted"),
    ("H7", changed("shuffled-sls", ("soft_nll", "ece_equal_mass"), -9), "reproduced"),
    # not worse
    ("U1", changed("multipass", "soft_nll", 0.2, None), "contradicted"),
    ("U2", changed("multipass", "soft_nll", -0.5, 5), "contradicted"),
    # rules of their own
    ("H9", changed("shuffled-sls", "soft_nll", -2.3 + 1.16), "contradicted"),
    ("O1", changed("sls", FAR, -0.3), "contradicted"),  # with the ten seeds of SLS
    ("O1", changed("multipass", FAR, -0.3), "undecided"),  # three parts, five seeds
    ("O1", changed(HARD, FAR[:2], -0.03), "undecided"),
    ("O3", changed("deterministic", FAR[:5], 0.1), "reproduced"),
    ("R4", pairs("gradcam_overlap", 9), "contradicted"),
    # claims that rest on claims
    ("U3", changed("sls", "accuracy", 0.2), "contradicted"),
    ("U6", changed(HARD, "soft_nll", 0.5), "contradicted"),
    ("U7", changed("soft", "soft_nll", 1, 50), "reproduced"),  # the trend over K is nobody's claim
    ("G7", changed("shuffled-sls", "accuracy", 0.5), "contradicted"),
    ("O7", changed("sls", tuple(score.replace("far", "near") for score in FAR), -0.5), "contradicted"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("id", "change", "expected"), CASES, ids=[f"{id}-{place}-{said}" for place, (id, _, said) in enumerate(CASES)]
)
def test_a_known_effect_gives_the_known_verdict(id: str, change: Change, expected: str) -> None:
    assert outcome(change(made_up("paper")), id) == expected


def test_all_votes_are_not_a_cell_of_a_nested_sweep() -> None:
    equal = changed(HARD, "soft_nll", 0.5, None)(made_up("demo"))  # worse than soft labels with all votes
    for id in ("S1", "S2", "S6"):
        assert outcome(equal, id) == outcome(made_up("demo"), id)
    found = by_id(equal, "S1")["S1"]
    assert (found.outcome, found.aside["all votes"].outcome) == ("reproduced", "contradicted")
    assert len(found.verdict.cells) == 6  # three hard deliveries at K = 3 and 10


def test_the_halves_of_a_sweep_are_halves_of_its_numbers() -> None:
    assert (View(made_up("paper")).lower_half, View(made_up("paper")).upper_half) == ((5, 10), (25, 50))
    assert (View(made_up("demo")).lower_half, View(made_up("demo")).upper_half) == ((3,), (10,))


def test_a_trace_below_zero_keeps_its_seed_where_values_are_compared() -> None:
    below = (pl.col("method") == "shuffled-sls") & (pl.col("quantity") == "trace_high") & (pl.col("seed") == 0)
    table = made_up("paper").table.with_columns(value=pl.when(below).then(-5.0).otherwise(pl.col("value")))
    found = by_id(replace(made_up("paper"), table=table), "G7")["G7"]
    assert (found.verdict.n, found.outcome) == (5, "reproduced")


def test_a_guard_never_turns_the_verdict_of_its_claim() -> None:
    found = by_id(changed(("sls", "soft"), "barrier_within", 9)(made_up("paper")), "G10", "G12")
    assert found["G12"].outcome == "contradicted"
    assert found["G10"].verdict == decided()["G10"].verdict


def test_what_stands_beside_does_not_count() -> None:
    found = by_id(pairs("cka_debiased", -0.5)(made_up("paper")), "R1")["R1"]
    assert (found.outcome, found.aside["debiased"].outcome) == ("reproduced", "contradicted")


def test_the_last_checkpoint_stands_beside_the_best() -> None:
    last = (pl.col("method") == "sls") & (pl.col("checkpoint") == "last") & (pl.col("quantity") == "lambda_max_full")
    table = made_up("paper").table.with_columns(value=pl.when(last).then(1e6).otherwise(pl.col("value")))
    found = by_id(replace(made_up("paper"), table=table), "G1")["G1"]
    assert (found.outcome, found.last and found.last.outcome) == ("reproduced", "contradicted")


def test_nested_sub_samples_are_a_guard_of_their_own() -> None:
    assert decided("demo")["S15"].outcome == "reproduced"
    assert (decided()["S15"].outcome, decided()["S15"].verdict.waits) == ("undecided", False)
    assert (decided("demo")["S14"].outcome, decided()["S14"].outcome) == ("shown", "reproduced")


def test_the_score_of_the_votes_is_shown_where_it_is_stored() -> None:
    view = View(made_up("paper"))
    assert floor(view, "ece_equal_mass").mean is None
    rows = made_up("paper").table.filter((pl.col("method") == "soft") & (pl.col("quantity") == "ece_equal_mass"))
    stored = rows.with_columns(quantity=pl.lit("ece_equal_mass_floor"), value=pl.lit(0.238))
    view = View(replace(made_up("paper"), table=pl.concat([made_up("paper").table, stored])))
    assert floor(view, "ece_equal_mass").mean == pytest.approx(0.238)


# --- seeds -----------------------------------------------------------------------------------------------------------


def test_brier_parts_are_decided_with_both_outcomes_where_both_are_stored() -> None:
    given = changed("sls", "brier_resolution", 0.05)(changed("sls", "brier_reliability", 0)(made_up("paper")))
    majority = evaluate(BASINS["F13"], View(given))
    parts = given.table.filter(pl.col("quantity").is_in(["brier_reliability", "brier_resolution"]))
    votes = parts.with_columns(quantity=pl.col("quantity") + "_votes")
    both = replace(given, table=pl.concat([given.table, votes]))
    assert evaluate(BASINS["F13"], View(both)).outcome == majority.outcome
    turned = changed("sls", "brier_resolution_votes", -0.1)(both)
    found = evaluate(BASINS["F13"], View(turned))
    assert {name: part.parts["(b)"].outcome for name, part in found.parts.items()} == {
        "majority": "reproduced",
        "vote share": "contradicted",
    }
    assert found.outcome == "undecided"


def test_methods_are_paired_on_the_seeds_they_share() -> None:
    found = decided()["H4"]
    assert found.verdict.n == 5
    sizes = {size.method: size.n for size in found.sizes}
    assert (sizes["soft"], sizes["multipass"]) == (10, 5)  # as published, beside the paired verdict
    assert decided()["F1"].verdict.n == 10


def test_four_seeds_decide_nothing() -> None:
    given = made_up("paper")
    few = replace(
        given,
        table=given.table.filter(pl.col("seed") < 4),
        pairs=tuple(pair for pair in given.pairs if max(pair.seeds) < 4),
        curves=tuple(curve for curve in given.curves if curve.seed < 4),
    )
    found = by_id(few)
    assert {d.outcome for d in found.values() if d.claim.kind in ("claim", "guard")} == {"undecided", "shown"}
    assert found["S1"].verdict.n == 4
    assert not found["S1"].verdict.waits


def test_names_of_seeds_and_order_of_rows_change_nothing() -> None:
    given = made_up("paper")
    order = np.argsort([noise("order", row) for row in range(0, len(given.table), 50)])
    table = given.table[np.concatenate([np.arange(50 * o, min(50 * o + 50, len(given.table))) for o in order]).tolist()]
    other = replace(
        given,
        table=table.with_columns(seed=1000 - pl.col("seed") * 7),
        pairs=tuple(replace(pair, seeds=tuple(1000 - 7 * s for s in pair.seeds)) for pair in given.pairs),
        curves=tuple(replace(curve, seed=1000 - curve.seed * 7) for curve in given.curves)[::-1],
    )
    found = by_id(other)
    assert {id: d.outcome for id, d in found.items()} == {id: d.outcome for id, d in decided().items()}
    assert found["S1"].verdict.mean == pytest.approx(decided()["S1"].verdict.mean)


def test_a_missing_run_takes_its_seed_out_and_is_named() -> None:
    found = by_id(lost("sls", 3)(made_up("paper")), "G1", "H1", "S3", "K1")
    assert (found["G1"].verdict.n, decided()["G1"].verdict.n) == (9, 10)
    ((run,),) = [found["G1"].left_out]
    assert (run.method, run.K, run.seeds) == ("sls", None, (3,))
    assert found["H1"].verdict.n == 4
    assert found["S3"].left_out == found["K1"].left_out == decided()["G1"].left_out == ()


def test_numbers_that_are_not_finite_leave_their_seed_out() -> None:
    for quantity, value, id in (("soft_nll", float("nan"), "F1"), ("trace_full", -1.0, "G2")):
        here = (pl.col("method") == "sls") & (pl.col("seed") == 0) & (pl.col("quantity") == quantity)
        table = made_up("paper").table.with_columns(value=pl.when(here).then(value).otherwise(pl.col("value")))
        assert by_id(replace(made_up("paper"), table=table), id)[id].verdict.n == 9


# --- what is missing -------------------------------------------------------------------------------------------------


def without(column: str, prefix: tuple[str, ...] | str) -> Results:
    given = made_up("paper")
    prefixes = (prefix,) if isinstance(prefix, str) else prefix
    gone = pl.any_horizontal([pl.col(column).str.starts_with(start) for start in prefixes])
    return replace(given, table=given.table.filter(~gone))


def test_without_runs_a_claim_says_which_it_needs() -> None:
    found = by_id(without("method", "majority"), "F7", "F9", "F1", "K1")
    for id in ("F7", "F9", "K1"):
        assert found[id].verdict.waits
        assert "majority" in {method for needs in found[id].verdict.needs for method in needs.methods}
    assert found["F1"].outcome == decided()["F1"].outcome


def test_without_a_sweep_its_claims_wait() -> None:
    given = made_up("paper")
    found = by_id(replace(given, table=given.table.filter(pl.col("K").is_null())))
    waiting = {id for id, d in found.items() if d.verdict.waits}
    assert {"S1", "S2", "S5", "S10", "S14", "G9", "U1", "U4", "U6", "H3"} <= waiting
    assert found["S1"].verdict.needs == (Needs(("soft", *HARD), study="sparse"),)  # in the order of the deliveries
    assert not {"F1", "G1", "T1", "H4", "O1", "S4"} & waiting


@pytest.mark.parametrize(
    ("prefix", "id", "needs"),
    [
        (("lambda_", "trace_"), "G1", [Needs(("sls", "soft"), probe="curvature")]),
        ("js_", "S10", [Needs(HARD, K=k, probe="diagnosis") for k in (5, 10, 25, 50)]),
        ("barrier", "G10", [Needs(("sls",), probe="barrier")]),
        ("largest_class", "H5", [Needs(("shuffled-sls",), probe="spread")]),
    ],
)
def test_without_a_probe_a_claim_says_on_which_runs_it_is_needed(
    prefix: tuple[str, ...] | str, id: str, needs: list[Needs]
) -> None:
    given = without("quantity", prefix)
    if prefix == "js_":  # the score js_distance is no number of the probe
        assert given.table.filter(pl.col("quantity") == "js_correlation").is_empty()
    verdict = by_id(given, id)[id].verdict
    assert (verdict.outcome, list(verdict.needs)) == ("undecided", needs)


def test_without_pairs_or_curves_their_claims_wait() -> None:
    found = by_id(replace(made_up("paper"), curves=(), pairs=()), "F12", "R1", "R4", "F11")
    assert [found[id].verdict.waits for id in ("F12", "R1", "R4", "F11")] == [True, True, True, False]
    assert found["R1"].verdict.needs == (Needs(("sls", "soft"), probe="representation"),)


def test_without_any_run_only_calculations_are_decided() -> None:
    given = made_up("paper")
    found = by_id(replace(given, table=given.table.clear(), curves=(), pairs=(), plans={}))
    for decision in found.values():
        if decision.claim.kind in ("claim", "guard"):
            assert decision.verdict.waits
        else:
            assert not decision.verdict.waits
    assert found["S4"].outcome == "reproduced"
    assert {id for id, d in found.items() if d.outcome == "contradicted"} == {"X7"}


def test_claims_on_one_dataset_refuse_several() -> None:
    given, demo = made_up("paper"), made_up("demo")
    two = replace(given, plans={**given.plans, **{f"{name}-2": plan for name, plan in demo.plans.items()}})
    with pytest.raises(VotewiseError, match="one dataset"):
        decide(BASINS, two)


# --- measures --------------------------------------------------------------------------------------------------------


def test_differences_are_positive_if_they_are_as_claimed() -> None:
    soft, sls = (made_up("paper").values(method, "lambda_max_full") for method in ("soft", "sls"))
    assert decided()["G1"].verdict.mean == pytest.approx(np.mean([np.log(soft[seed] / sls[seed]) for seed in soft]))


def test_a_contrast_is_the_mean_over_one_half_of_the_sweep_minus_the_other() -> None:
    means = {
        (method, k): np.mean(list(made_up("paper").values(method, "soft_nll", K=k).values()))
        for method in ("soft", *HARD)
        for k in (5, 10, 25, 50)
    }
    gain = {k: np.mean([means["soft", k] - means[method, k] for method in HARD]) for k in (5, 10, 25, 50)}
    assert decided()["S5"].verdict.mean == pytest.approx((gain[5] + gain[10] - gain[25] - gain[50]) / 2)


def test_similarities_are_compared_by_the_means_within_the_methods() -> None:
    within = [np.mean(list(made_up("paper").between("cka", method).values())) for method in ("sls", "soft")]
    verdict = decided()["R1"].verdict
    assert verdict.mean == pytest.approx(within[0] - within[1])
    assert "run-swap" in verdict.test
    assert verdict.low < verdict.mean < verdict.high


def test_reliability_curves_are_compared_where_confidence_occurs() -> None:
    def curve(method: str, seed: int, outcome: list[float], density: list[float]) -> Curve:
        data = {"confidence": [0.0, 0.5, 1.0], "outcome": outcome, "density": density}
        return Curve(frozenset(), "reliability", "smooth", method, None, None, seed, "best", data)

    nan = float("nan")
    two = [
        one
        for seed in range(6)
        for one in (curve("sls", seed, [0.0, 0.5, 1.0], [1, 3, 0]), curve("soft", seed, [0.4, 0.3, nan], [1, 1, 0]))
    ]
    gap = by_id(replace(made_up("paper"), curves=tuple(two)), "F12")["F12"].verdict.parts["majority"].parts["(a)"]
    assert gap.mean == pytest.approx((0.4 * 2 + 0.2 * 4) / 6)


def test_cells_are_named_by_what_sets_them_apart() -> None:
    names = [cell.name for cell in decided()["S3"].verdict.cells]
    assert names[:5] == ["SLS at K = 5", "SLS at K = 10", "SLS at K = 25", "SLS at K = 50", "Multipass at K = 5"]
    assert len(names) == 12
    assert decided()["F9"].verdict.cells[0].name == "against Soft labels"
    assert decided("demo")["T2"].verdict.cells[-1].name == "one single draw (22 epochs)"


# --- the paper's own numbers -----------------------------------------------------------------------------------------


def test_runs_with_the_published_means_go_the_published_way() -> None:
    rows = []
    for row in made_up("paper").table.iter_rows(named=True):
        known = printed(row["method"], row["K"], row["quantity"])
        value = (
            known[0] * (1 + 0.001 * noise(row["method"], row["K"], row["quantity"], row["seed"]))
            if known
            else row["value"]
        )
        rows.append({**row, "value": value})
    given = replace(made_up("paper"), table=pl.DataFrame(rows, schema=made_up("paper").table.schema))
    way = (
        "S1",
        "T1",
        "T2",
        "F1",
        "F3",
        "F7",
        "F8",
        "F9",
        "F10",
        "H5",
        "H6",
        "G1",
        "G2",
        "G3",
        "G4",
        "G5",
        "G6",
        "G7",
        "G8",
        "U4",
        "O1",
    )
    assert {id: outcome(given, id) for id in way} == dict.fromkeys(way, "reproduced")
    assert outcome(given, "S5") != "reproduced"  # X7


def test_sizes_are_compared_only_with_the_papers_data_under_its_recipe() -> None:
    assert all(decided()[claim.id].comparable for claim in BASINS)
    assert not any(decided("demo")[claim.id].comparable for claim in BASINS)
    given = made_up("paper")
    other = replace(given, plans={name: plan.changed(epochs=2) for name, plan in given.plans.items()})
    assert not by_id(other, "G1")["G1"].comparable
    assert next(size.published for size in decided()["G1"].sizes if size.method == "soft") == 242.2


@pytest.mark.parametrize(
    ("method", "K", "quantity", "mean", "sd"),
    [
        ("multipass", 25, "soft_nll", 0.5117, 0.0123),  # the SD with all votes
        ("soft", 10, "lambda_max_high", 849.7, 296.3),
        ("mixup", None, "soft_brier", 0.1500, 0.0049),
        ("sls", None, "trace_high", 3496.8, 360.3),
        ("shuffled-sls", None, "entropy_correlation", -0.0058, 0.0556),
        ("soft", None, "auroc_far_knn", 0.7974, 0.0284),
        ("deterministic", None, "auroc_near_msp", 0.8006, None),
        ("sls", None, "auroc_near_msp", 0.8029, None),
        ("sls-every-10", None, "soft_nll", 0.6054, 0.0263),
        ("soft", None, "cka", 0.887, None),
        ("soft", None, "ece_equal_mass_votes", 0.0185, 0.0040),
    ],
)
def test_the_published_mean_and_sd_are_found_where_they_are_printed(method, K, quantity, mean, sd) -> None:
    assert printed(method, K, quantity) == (mean, sd)


@pytest.mark.parametrize(
    ("method", "K", "quantity"), [("sls", 5, "accuracy"), ("sls", 3, "soft_nll"), ("majority", None, "lambda_max_full")]
)
def test_nothing_stands_for_what_is_not_printed(method: str, K: int | None, quantity: str) -> None:
    assert printed(method, K, quantity) is None


def test_published_numbers_are_quoted_as_in_print() -> None:
    assert (
        published().table(1).quote(["sls"], ["k5", "k50"])
        == "Table 1: SLS 0.5599 (p 0.031), 0.5291 (p 0.094) (K=5, K=50)"
    )
    assert published().quote("n-spearman") == "0.939 (0.919 to 0.953)"
    assert published().quote("t-resample-50") == "every 50 epochs 0.6689"
    assert BASINS["H8"].in_print == "Table 3: Shuffled SLS -0.0058 ± 0.0556"
    assert "2.56" in BASINS["G12"].in_print


# --- what comes out --------------------------------------------------------------------------------------------------


def test_decisions_are_json_and_complete() -> None:
    for decision in decided().values():
        data = json.loads(json.dumps(decision.as_dict(), allow_nan=False))
        assert data["id"] == decision.id
        assert data["outcome"] == decision.verdict.outcome in FIRST
        assert data["verdict"]["reason"] or decision.claim.kind == "limitation"


def test_what_contradicts_comes_first_and_what_waits_last() -> None:
    every = by_id(replace(made_up("paper"), pairs=())).values()
    ordered = by_outcome(every)
    speaking = [decision for decision in ordered if not decision.verdict.waits]
    places = [FIRST.index(decision.outcome) for decision in speaking]
    assert places == sorted(places)
    assert ordered[: len(speaking)] == speaking
    assert {decision.id for decision in ordered[len(speaking) :]} == {"R1", "R2", "R3", "R4"}
    assert counts(list(every))["Stale labels"]["reproduced"] == 2


def test_the_probability_of_a_verdict_is_beside_it() -> None:
    assert decided()["G1"].chance == 1
    assert decided()["H4"].chance < 0.05
    assert decided()["R1"].chance is decided()["X1"].chance is decided()["K1"].chance is None


def test_all_claims_are_decided_in_two_seconds() -> None:
    decided()
    start = time.process_time()
    decide(BASINS, made_up("paper"))
    decide(COMPANION, made_up("paper"))
    assert time.process_time() - start < 2
