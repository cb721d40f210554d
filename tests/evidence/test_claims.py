"""The claims: their rows hold together, and made-up results with known effects give the known verdicts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl
import pytest
from made_up import made_up, noise

from votewise.evidence.claims.applying import RULES
from votewise.evidence.claims.deciding import FIRST, by_outcome, calculated, counts, decide
from votewise.evidence.claims.lacking import PROBES, probe_of
from votewise.evidence.claims.measures import votes
from votewise.evidence.claims.quoting import printed, quote
from votewise.evidence.claims.rows import Claim, Decision, Rule, claim, claims, margins, sections
from votewise.evidence.claims.special import SPECIAL
from votewise.evidence.claims.verdict import Finding
from votewise.evidence.published import published
from votewise.evidence.results import Curve, Results
from votewise.evidence.runs import DERIVED, Arm, Runs
from votewise.scoring import SCORES
from votewise.studies import STUDIES, Missing
from votewise.training import METHODS, Config, Run, method

HARD = ("sls", "multipass", "deterministic")
FLAT = ("lambda_max_full", "trace_full", "lambda_max_high", "trace_high")
FAR = tuple(f"auroc_far_{name}" for name in ("energy", "msp", "odin", "entropy", "margin", "knn"))
NO_FINDINGS: dict[str, Finding] = {}
Change = Callable[[Results], Results]


# --- results to decide on --------------------------------------------------------------------------------------------


@cache
def results(preset: str = "paper") -> Results:
    """Made-up results, with what the companion's claims read: soft labels follow the votes, majority vote does not."""
    given = made_up(preset)
    soft = pl.col("method") != "majority"
    spread = pl.Series([noise("companion", *row) for row in given.table.select("id", "checkpoint").iter_rows()]) / 1000
    numbers = {
        "largest_class": pl.lit(0.1), "constant_loss": pl.lit(2.3),
        "entropy_pearson": pl.when(soft).then(0.5).otherwise(0.3),
        "entropy_gap_high": pl.when(soft).then(0.1).otherwise(0.4),
        "peak_gap_high": pl.when(soft).then(0.05).otherwise(0.3),
        "kl_low_third": pl.when(soft).then(0.1).otherwise(0.2), "kl_high_third": pl.when(soft).then(0.2).otherwise(0.7),
        "vote_entropy_first_decile": pl.lit(0.0), "vote_entropy_median": pl.lit(0.2),
        "vote_entropy_last_decile": pl.lit(0.7),
        "own_best_epoch": pl.when(soft).then(15.0).otherwise(9.0), "own_rise": pl.when(soft).then(0.1).otherwise(0.6),
        "kl_gain_agreed": pl.when(soft).then(None).otherwise(0.07),
    }  # fmt: skip
    table = given.table.with_columns(**{name: value + spread for name, value in numbers.items()})
    return replace(given, table=table)


@cache
def decided(preset: str = "paper") -> dict[str, Decision]:
    return by_id(results(preset))


def by_id(given: Results, *only: str) -> dict[str, Decision]:
    return {decision.id: decision for decision in decide(given, only=only, findings=NO_FINDINGS)}


def shifted(
    methods: tuple[str, ...] | str, scores: tuple[str, ...] | str, by: float, k: object = "any", times: float = 1
) -> Change:
    """Every number of these methods and scores, at one K or at any, times something and moved by something."""
    methods, scores = ((each,) if isinstance(each, str) else each for each in (methods, scores))
    here = pl.col("method").is_in(methods)
    if k != "any":
        here &= pl.col("K").is_null() if k is None else pl.col("K") == k

    def change(given: Results) -> Results:
        new = [pl.when(here).then(pl.col(score) * times + by).otherwise(pl.col(score)).alias(score) for score in scores]
        return replace(given, table=given.table.with_columns(new))

    return change


def without(study: str) -> Change:
    def change(given: Results) -> Results:
        plans, members = ({k: v for k, v in each.items() if k != study} for each in (given.plans, given.members))
        return replace(given, plans=plans, members=members)

    return change


# --- the rows --------------------------------------------------------------------------------------------------------


def test_every_statement_of_the_two_papers_has_its_row() -> None:
    assert Counter(row.kind for row in claims()) == {
        "claim": 88, "arithmetic": 14, "guard": 7, "procedure": 5, "limitation": 5,
    }  # fmt: skip
    assert Counter(row.paper for row in claims() if row.kind == "claim") == {"basins": 77, "companion": 11}
    assert len({row.id for row in claims()}) == len(claims())
    assert {row.section for row in claims()} == set(sections()) == set(range(1, 15))
    letters = Counter(re.sub(r"\d", "", row.id) for row in claims())
    assert "".join(f"{letter}{number} " for letter, number in letters.items()) == (
        "M7 P5 S15 T2 F14 H10 N3 G13 R4 D3 O7 U7 X13 K11 L5 "
    )
    assert claim("G10").section == 7


@pytest.mark.parametrize("row", claims(), ids=lambda row: row.id)
def test_what_a_row_names_exists(row: Claim) -> None:
    ids = {each.id for each in claims()}
    assert {*row.beside, *(id for part in row.parts for id in part.claims)} <= ids - {row.id}
    assert row.kind == "limitation" or row.parts
    assert row.kind == "arithmetic" or row.how
    for reference in row.published:
        assert quote(reference)
    for part in row.parts:
        for arm in (*part.arms, *part.against):
            study, _, method = arm.rpartition("/")
            assert method in {*METHODS, "intervals", "stale"}
            assert (study or part.study) in STUDIES
        for score in filter(None, (*part.scores, part.minus_score)):
            assert score in SCORES or score in DERIVED or probe_of(score) or score == "epoch"
        if part.rule in ("EQ", "NOT-WORSE") and part.margin is None:
            assert set(part.scores) <= set(margins())
        if part.claim in ("better", "worse"):
            assert all(score.startswith("auroc_") or SCORES[score].better for score in part.scores)
    names = [part.name or part.rule for part in row.parts]
    assert len(set(names)) == len(names)


def test_what_a_claim_reads_is_among_the_columns_of_results() -> None:
    known = {*results().table.columns, *DERIVED, "barrier_reestimated_within"}
    assert {score for row in claims() for part in row.parts for score in (*part.scores, part.minus_score)} - {
        ""
    } <= known


def test_every_rule_has_its_function_and_is_used() -> None:
    outside = {"MATH", "ARITH", "CLAIMS", "nested"}
    assert set(get_args(Rule)) == {*RULES, *SPECIAL, *outside} == {part.rule for row in claims() for part in row.parts}


def test_what_needs_no_run_is_calculated_for_every_such_row() -> None:
    rows = {row.id: row for row in claims() for part in row.parts if part.rule in ("MATH", "ARITH")}
    assert rows.keys() == calculated().keys()
    found = {d.id: d for d in decide(results()) if d.id in rows}
    assert found["X7"].outcome == "contradicted"
    assert {id: d.outcome for id, d in found.items() if d.outcome == "contradicted"} == {"X7": "contradicted"}
    assert all(found[id].outcome == "reproduced" for id, row in rows.items() if row.section == 1)
    assert all(d.last is None for d in found.values())


def test_published_numbers_are_quoted_as_in_print() -> None:
    assert quote("table1/sls/k5,k50") == "Table 1: SLS 0.5599 (p 0.031), 0.5291 (p 0.094) (K=5, K=50)"
    assert quote("n-spearman") == "0.939 (0.919 to 0.953)"
    assert quote("t-resample-50") == "every 50 epochs 0.6689"
    assert decided()["H8"].published == "Table 3: Shuffled SLS -0.0058 ± 0.0556"


@pytest.mark.parametrize(
    ("arm", "score", "mean"),
    [
        (Arm("sparse", "multipass", 25), "soft_nll", 0.5117),
        (Arm("sparse", "soft", 10), "lambda_max_high", 849.7),
        (Arm("main", "mixup"), "soft_brier", 0.1500),
        (Arm("main", "sls"), "trace_high", 3496.8),
        (Arm("ablation", "sls"), "trace_high", 3480.4),
        (Arm("ablation", "shuffled-sls"), "entropy_correlation", -0.0058),
        (Arm("main", "soft"), "auroc_far_knn", 0.7974),
        (Arm("ablation", "deterministic"), "auroc_near_msp", 0.8006),
        (Arm("main", "sls"), "auroc_near_msp", 0.8029),
        (Arm("resampling", "sls-every-10"), "soft_nll", 0.6054),
        (Arm("main", "soft"), "cka", 0.887),
    ],
    ids=str,
)
def test_the_published_mean_of_an_arm_is_found_where_it_is_printed(arm: Arm, score: str, mean: float) -> None:
    found = printed(arm, score)
    assert found is not None
    assert found.mean == mean


def test_nothing_in_print_stands_for_what_is_not_printed() -> None:
    assert printed(Arm("sparse", "sls", 5), "accuracy") is None
    assert printed(Arm("sparse", "sls", 3), "soft_nll") is None
    assert printed(Arm("main", "majority"), "lambda_max_full") is None


# --- known effects, known verdicts -----------------------------------------------------------------------------------

BASE = [
    "S1", "S2", "S4", "S5", "S9", "S10", "S11", "S12", "T1", "T2", "F1", "F2", "F4", "F5", "F7", "F8",
    "F10", "F12", "H6", "H7", "H8", "H9", "N1", "G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9",
    "G10", "G11", "R1", "R2", "R3", "D1", "D2", "D3", "O1", "O2", "O4", "O5", "O6", "O7", "U1", "U2",
    "U4", "U5", "U7", "K1", "K3", "K7", "K9", "K10", "K11",
]  # fmt: skip


@pytest.mark.parametrize("id", BASE)
def test_effects_as_the_papers_have_them_are_reproduced(id: str) -> None:
    assert decided()[id].outcome == "reproduced", decided()[id].verdict.why


CASES: list[tuple[str, Change, str]] = [
    # DIR: turned around; averaged over deliveries and K; a contrast of K; of two columns of one run
    ("G1", shifted("sls", "lambda_max_full", 0, times=4), "contradicted"),
    ("D1", shifted("sls", "epoch_95", 9), "contradicted"),
    ("R2", shifted("sls", "gradcam_correlation", -0.3), "contradicted"),
    ("S5", shifted("soft", "soft_nll", -1, 5), "contradicted"),
    ("S12", shifted(HARD, "js_highest_high", -1), "contradicted"),
    ("U4", shifted("soft", "soft_nll", 2, None), "contradicted"),
    ("K11", shifted("majority", "kl_high_third", -0.55), "contradicted"),
    ("K7", shifted("majority", "kl_gain_agreed", -1), "contradicted"),
    # ALL: one cell the other way
    ("S1", shifted("multipass", "soft_nll", 0.5, 5), "contradicted"),
    ("T2", shifted("sls-every-50", "soft_nll", -2), "contradicted"),
    ("F7", shifted("soft", "ece_equal_mass", 1), "contradicted"),
    ("F9", shifted("mixup", "accuracy", 0.5), "reproduced"),
    ("F9", shifted("mixup", "accuracy", -0.5), "contradicted"),
    ("G9", shifted("sls", "lambda_max_high", 0, 25, times=9), "contradicted"),
    ("O2", shifted("sls", "auroc_far_knn", 0.3), "contradicted"),
    # EACH
    ("S3", shifted("soft", "soft_nll", 0.5), "reproduced"),
    ("S3", shifted("sls", "soft_nll", 0.5, 10), "contradicted"),
    ("O5", shifted("sls", "auroc_near_odin", -0.3), "contradicted"),
    # EQ: each side of the margin; one side alone where that is the claim
    ("F1", shifted("sls", "soft_nll", 0.1), "contradicted"),
    ("F1", shifted("sls", "soft_nll", -0.1), "contradicted"),
    ("H4", shifted("deterministic", "accuracy", 0.1, None), "contradicted"),
    ("H6", shifted("shuffled-sls", "soft_nll", 1), "contradicted"),
    ("G8", shifted("deterministic", FLAT, 0, times=1.7), "contradicted"),
    ("G8", shifted("deterministic", FLAT, 0, times=0.4), "undecided"),
    ("K5", shifted("soft", "accuracy", -0.5), "contradicted"),
    ("K5", shifted("soft", "accuracy", 0.1), "undecided"),
    ("K5", shifted("soft", "accuracy", -0.21), "reproduced"),
    # NUM: above and below; a second bound
    ("G10", shifted("sls", "barrier", 0, times=0.01), "contradicted"),
    ("H5", shifted("shuffled-sls", "accuracy", 0.3), "contradicted"),
    ("N1", shifted("sls", "noise_correlation", -0.1), "undecided"),
    ("N1", shifted("sls", "noise_correlation", -0.4), "contradicted"),
    ("N2", shifted("sls", "noise_share_high", 0.2), "reproduced"),
    # MONO: rising, falling, of differences
    ("T1", shifted("sls-every-5", "soft_nll", 1), "contradicted"),
    ("S8", shifted(HARD, "entropy_correlation", 0.5, 50), "contradicted"),
    ("U7", shifted("soft", "soft_nll", 1, 50), "contradicted"),
    # COUNT
    ("S2", shifted("sls", "soft_nll", 0.5, 5), "contradicted"),
    # not worse
    ("U1", shifted("multipass", "soft_nll", 0.2, None), "contradicted"),
    ("U2", shifted("multipass", "soft_nll", -0.5, 5), "contradicted"),
    # rules of their own
    ("H7", shifted("shuffled-sls", ("soft_nll", "ece_equal_mass"), -9), "reproduced"),
    ("H7", lambda r: shifted("shuffled-sls", ("accuracy", "entropy_correlation"), 9)(
        shifted("shuffled-sls", ("soft_nll", "ece_equal_mass"), -9)(r)), "contradicted"),
    ("H9", shifted("shuffled-sls", "soft_nll", -2.3 + 1.16), "contradicted"),
    ("O1", shifted("sls", FAR, -0.3), "contradicted"),
    ("O1", shifted(HARD, FAR[:2], -0.03), "undecided"),
    ("O3", shifted("deterministic", FAR[:5], 0.1), "reproduced"),
    ("O3", shifted("sls", FAR, 0.1), "contradicted"),
    ("R4", shifted("sls", "gradcam_correlation", -0.3), "shown"),
    ("K2", shifted("soft", "kl", 0, times=0.5), "undecided"),
    ("K4", shifted("majority", "entropy_correlation", -1), "undecided"),
    # claims that rest on claims
    ("U3", shifted("sls", "accuracy", 0.2), "contradicted"),
    ("U5", shifted("sls-every-5", "soft_nll", 1), "contradicted"),
    ("U6", shifted("sls", "soft_nll", 0.5, 5), "contradicted"),
    ("G7", shifted("shuffled-sls", "accuracy", 0.5), "contradicted"),
    ("O7", shifted("sls", tuple(score.replace("far", "near") for score in FAR), -0.5), "contradicted"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("id", "change", "outcome"), CASES, ids=[f"{id}-{place}-{outcome}" for place, (id, _, outcome) in enumerate(CASES)]
)
def test_a_known_effect_gives_the_known_verdict(id: str, change: Change, outcome: str) -> None:
    assert by_id(change(results()), id)[id].outcome == outcome


def test_every_rule_can_reproduce_and_can_contradict() -> None:
    both = {part.rule for row in claims() for part in row.parts} - {
        "SHOW", "order", "MATH", "ARITH", "survivors", "nested", "reduction", "gain",
    }  # fmt: skip
    for outcome in ("reproduced", "contradicted"):
        ids = {id for id, _, said in CASES if said == outcome} | ({*BASE} if outcome == "reproduced" else set())
        assert both <= {part.rule for id in ids for part in claim(id).parts if not part.shown}


def test_a_guard_never_turns_the_verdict_of_its_claim() -> None:
    changed = by_id(shifted("sls", "barrier_within", 9)(results()), "G10", "G12")
    assert changed["G12"].outcome == "contradicted"
    assert changed["G10"].verdict == decided()["G10"].verdict


def test_what_stands_beside_does_not_count() -> None:
    changed = by_id(shifted("sls", "cka_debiased", -0.5)(results()), "R1")["R1"]
    assert changed.outcome == "reproduced"
    assert changed.aside["debiased"].outcome == "contradicted"


def test_the_verdict_is_that_of_the_best_checkpoint_and_the_last_stands_beside_it() -> None:
    last = (pl.col("method") == "sls") & (pl.col("checkpoint") == "last")
    sharper = pl.when(last).then(1e6).otherwise(pl.col("lambda_max_full"))
    found = by_id(replace(results(), table=results().table.with_columns(lambda_max_full=sharper)), "G1")["G1"]
    assert (found.outcome, found.last and found.last.outcome) == ("reproduced", "contradicted")


def test_nested_sub_samples_are_a_guard_of_their_own() -> None:
    assert decided("demo")["S15"].outcome == "reproduced"
    assert decided()["S15"].outcome == "undecided"
    assert "nested" in decided()["S15"].verdict.why
    assert (decided("demo")["S14"].outcome, decided()["S14"].outcome != "shown") == ("shown", True)


# --- seeds -----------------------------------------------------------------------------------------------------------


def test_arms_of_two_studies_are_paired_on_the_seeds_they_share() -> None:
    found = decided()["H4"]
    assert found.verdict.n == 5
    sizes = {(size.arm.study, size.arm.method): size.n for size in found.sizes}
    assert sizes["main", "soft"] == 10  # as published, beside the paired verdict
    assert sizes["ablation", "sls"] == 5
    assert decided()["F1"].verdict.n == 10


def test_four_seeds_decide_nothing() -> None:
    few = results().table["seed"].unique().sort()[:4]
    found = by_id(replace(results(), table=results().table.filter(pl.col("seed").is_in(few.implode()))))
    decisive = {d.id for d in found.values() if d.outcome in ("reproduced", "contradicted")}
    assert decisive == {"S4"}  # arithmetic
    assert found["S1"].verdict.n == 4
    assert "at least 5" in found["G1"].verdict.why


def test_names_of_seeds_and_order_of_rows_change_nothing() -> None:
    given = results()
    order = np.argsort([noise("order", row) for row in range(len(given.table))])
    table = given.table[order.tolist()].with_columns(seed=1000 - pl.col("seed") * 7)
    curves = tuple(replace(curve, seed=1000 - curve.seed * 7) for curve in given.curves)
    found = by_id(replace(given, table=table, curves=curves[::-1]))
    assert {id: d.outcome for id, d in found.items()} == {id: d.outcome for id, d in decided().items()}
    assert found["S1"].verdict.mean == pytest.approx(decided()["S1"].verdict.mean)


def missing(made_up_id: str, name: str, reason: str) -> Missing:
    class Gone(Missing):
        id = made_up_id  # type: ignore[assignment]

    run = Run(Path(f"cifar10h-{name}-s3-{made_up_id}"))
    return Gone(run, reason, Config(dataset="d", method=method(name), seed=3))


def test_a_failed_run_takes_its_seed_out_and_is_named() -> None:
    given = results()
    gone = "sls-all-3-0"
    run = missing(gone, "sls", "the loss was not finite")
    found = by_id(
        replace(given, table=given.table.filter(pl.col("id") != gone), missing=(run,)), "G1", "H1", "S3", "K1"
    )
    assert (found["G1"].verdict.n, decided()["G1"].verdict.n) == (9, 10)
    assert found["G1"].left_out == (f"cifar10h-sls-s3-{gone}: the loss was not finite",)
    assert found["H1"].verdict.n == 4
    assert found["S3"].left_out == ()  # its sweep ends at K = 50
    assert found["K1"].left_out == ()
    shuffled = missing("shuffled-sls-all-3-0", "shuffled-sls", "killed")
    assert by_id(replace(given, missing=(shuffled,)), "H1")["H1"].left_out == ()


# --- what is not there -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("study", ["main", "sparse", "ablation", "resampling"])
def test_without_a_study_its_claims_are_undecided_and_say_so(study: str) -> None:
    found = by_id(without(study)(results()))
    for row in claims():
        voting = [part for part in row.parts if not part.shown and part.rule not in ("MATH", "ARITH", "survivors")]
        if any(
            study in {part.study, *(arm.partition("/")[0] for arm in part.against)} and not part.claims
            for part in voting
        ):
            assert found[row.id].outcome == "undecided"
            assert re.search(f"needs the study .*{study}", found[row.id].verdict.why)
        elif voting and not any(part.claims for part in voting):
            assert found[row.id].outcome == decided()[row.id].outcome


@pytest.mark.parametrize(
    ("probe", "id", "why"),
    [
        ("curvature", "G1", "needs the probe curvature on sls, soft of main"),
        ("diagnosis", "S10", "needs the probe diagnosis on sls, multipass, deterministic of sparse at K = 5;"),
        (
            "ood",
            "O1",
            "needs the probe ood on multipass, deterministic, sls of ablation; the probe ood on soft of main",
        ),
        ("barrier", "G10", "needs the probe barrier on sls of main"),
        ("spread", "H5", "needs the probe spread on shuffled-sls of ablation"),
    ],
)
def test_without_a_probe_its_claims_say_on_which_runs_it_is_needed(probe: str, id: str, why: str) -> None:
    given = results()
    columns = [name for name in given.table.columns if name not in SCORES and name.startswith(PROBES[probe])]
    found = by_id(replace(given, table=given.table.drop(columns)), id)[id]
    assert found.outcome == "undecided"
    assert found.verdict.why.startswith(why)


def test_without_curves_the_reliability_curves_are_not_compared() -> None:
    found = by_id(replace(results(), curves=()), "F12")["F12"]
    assert found.outcome == "undecided"
    assert "the probe reliability on sls of main" in found.verdict.why


def test_an_empty_store_decides_what_needs_no_run() -> None:
    given = results()
    nothing = replace(given, table=given.table.clear(), curves=(), plans={}, members={})
    found = {d.id: d for d in decide(nothing, findings=calculated())}
    assert {d.outcome for d in found.values() if d.claim.kind == "claim"} == {"undecided", "reproduced"}
    assert {id for id, d in found.items() if d.outcome == "reproduced" and d.claim.kind == "claim"} == {
        *(f"M{n}" for n in range(1, 8)), "S4",
    }  # fmt: skip


def test_numbers_that_are_not_finite_leave_their_seed_out() -> None:
    broken = (
        pl.when((pl.col("method") == "sls") & (pl.col("seed") == 0)).then(float("nan")).otherwise(pl.col("soft_nll"))
    )
    found = by_id(replace(results(), table=results().table.with_columns(soft_nll=broken)), "F1")
    assert found["F1"].verdict.n == 9
    flat = pl.when((pl.col("method") == "sls") & (pl.col("seed") == 0)).then(-1.0).otherwise(pl.col("trace_full"))
    found = by_id(replace(results(), table=results().table.with_columns(trace_full=flat)), "G2")
    assert found["G2"].verdict.n == 9
    assert "left out" in found["G2"].verdict.why


# --- measures --------------------------------------------------------------------------------------------------------


def test_the_halves_of_a_sweep() -> None:
    assert (votes("lower", results()), votes("upper", results())) == ((5, 10), (25, 50))
    assert (votes("lower", results("demo")), votes("upper", results("demo"))) == ((3, 5), (10, None))
    assert votes("few", results("demo")) == (3, 5, 10)
    assert votes("each and all", results()) == (5, 10, 25, 50, None)


def test_differences_are_positive_where_they_are_as_claimed() -> None:
    runs = Runs(results())
    soft, sls = (runs.values(Arm("main", method), "lambda_max_full") for method in ("soft", "sls"))
    logs = [np.log(soft[seed] / sls[seed]) for seed in soft]
    assert decided()["G1"].verdict.mean == pytest.approx(np.mean(logs))
    majority, better = (runs.values(Arm("main", method), "kl") for method in ("majority", "soft"))
    assert decided()["K1"].verdict.mean == pytest.approx(np.mean([majority[seed] - better[seed] for seed in better]))


def test_a_contrast_of_the_sweep_is_the_mean_over_one_half_minus_that_over_the_other() -> None:
    means = {
        (method, k): np.mean(list(results().values("sparse", method, "soft_nll", K=k).values()))
        for method in ("soft", *HARD)
        for k in (5, 10, 25, 50)
    }
    gain = {k: np.mean([means["soft", k] - means[method, k] for method in HARD]) for k in (5, 10, 25, 50)}
    assert decided()["S5"].verdict.mean == pytest.approx((gain[5] + gain[10] - gain[25] - gain[50]) / 2)


def test_the_gap_of_two_reliability_curves_is_weighted_by_how_often_a_confidence_occurs() -> None:
    def curve(method: str, outcome: list[float], density: list[float]) -> Curve:
        data = {"confidence": [0.0, 0.5, 1.0], "outcome": outcome, "density": density}
        return Curve("reliability", "smooth", method, None, None, 0, "best", data)

    nan = float("nan")
    two = (curve("sls", [0.0, 0.5, 1.0], [1, 3, 0]), curve("soft", [0.4, 0.3, nan], [1, 1, 0]))
    runs = Runs(replace(results(), curves=two))
    assert runs.values(Arm("main", "sls"), "reliability_gap") == pytest.approx({0: (0.4 * 2 + 0.2 * 4) / 6})


def test_the_cells_of_a_claim_are_named_by_what_sets_them_apart() -> None:
    assert [cell.name for cell in decided()["S3"].verdict.cells][:5] == [
        "SLS at K = 5", "SLS at K = 10", "SLS at K = 25", "SLS at K = 50", "Multipass at K = 5",
    ]  # fmt: skip
    assert len(decided()["S3"].verdict.cells) == 12
    assert decided()["F9"].verdict.cells[0].name == "against Soft labels"
    assert decided()["H1"].verdict.cells[0].name == "Soft NLL"
    assert decided("demo")["T2"].verdict.cells[-1].name == "one single draw (22 epochs)"


# --- the paper's own numbers -----------------------------------------------------------------------------------------


def test_runs_with_the_published_means_go_the_published_way() -> None:
    given = results()
    means: dict[tuple[str, int | None, str], float] = {}
    for row, column in published().table(1).cells:
        means[row, int(column[1:]), "soft_nll"] = published().table(1).mean(row, column)
    for number in (2, 5, 3):
        for row, column in published().table(number).cells:
            means.setdefault((row, None, column), published().table(number).mean(row, column))
    for row, column in published().table(4).cells:
        if row in ("sls-main", "soft", "multipass", "deterministic", "shuffled-sls"):
            means[row.removesuffix("-main"), None, column] = published().table(4).mean(row, column)
    for interval in (5, 10, 50):
        means[f"sls-every-{interval}", None, "soft_nll"] = published().number(f"t-resample-{interval}")["value"]

    def row_of(row: dict[str, object]) -> dict[str, object]:
        found = {
            score: mean * (1 + 0.001 * noise(method, k, score, row["seed"]))
            for (method, k, score), mean in means.items()
            if (method, k) == (row["method"], row["K"])
        }
        return row | found

    table = pl.DataFrame([row_of(row) for row in given.table.iter_rows(named=True)], schema=given.table.schema)
    way = (
        "S1", "T1", "T2", "F1", "F7", "F8", "F9", "F10", "H5", "H6", "G1", "G2", "G3", "G4",
        "G5", "G6", "G7", "G8", "U4",
    )  # fmt: skip
    found = by_id(replace(given, table=table), *way, "S5")
    assert {id: found[id].outcome for id in way} == dict.fromkeys(way, "reproduced")
    assert found["S5"].outcome != "reproduced"  # X7


def otherwise_trained(given: Results) -> Results:
    return replace(given, plans={name: plan.changed(epochs=2) for name, plan in given.plans.items()})


def test_sizes_are_compared_only_with_the_papers_data_under_the_papers_recipe() -> None:
    assert all(d.comparable for d in decided().values())
    assert not any(d.comparable for d in decided("demo").values())
    assert not any(d.comparable for d in by_id(otherwise_trained(results()), "G1", "F1").values())
    size = next(size for size in decided()["G1"].sizes if size.arm.method == "soft")
    assert size.published == 242.2


def test_too_few_cells_contradict_only_where_the_published_effect_could_have_been_seen() -> None:
    def level(given: Results) -> Results:
        soft = given.table.filter(pl.col("method") == "soft").select("K", "seed", "checkpoint", base="soft_nll")
        table = given.table.join(soft, on=["K", "seed", "checkpoint"], how="left", nulls_equal=True)
        wiggle = pl.Series([2e-5 * noise("level", id) for id in table["id"]])
        new = pl.when(pl.col("method").is_in(HARD)).then(pl.col("base") + wiggle).otherwise(pl.col("soft_nll"))
        return replace(given, table=table.with_columns(soft_nll=new).unique(["id", "checkpoint"], maintain_order=True))

    there = by_id(level(results()), "S2")["S2"]
    elsewhere = by_id(otherwise_trained(level(results())), "S2")["S2"]
    assert (there.outcome, elsewhere.outcome) == ("contradicted", "undecided")
    assert "published" in there.verdict.why


# --- what comes out --------------------------------------------------------------------------------------------------


def test_decisions_are_json_and_say_everything() -> None:
    for decision in decided().values():
        told = json.loads(json.dumps(decision.as_dict(), allow_nan=False))
        assert told["id"] == decision.id
        assert told["outcome"] == decision.verdict.outcome in FIRST
        assert told["verdict"]["why"] or decision.claim.kind == "limitation"


def test_what_contradicts_comes_first_and_outcomes_are_counted() -> None:
    every = tuple(decided().values())
    ordered = by_outcome(every)
    speaking = [each for each in ordered if not each.verdict.why.startswith("needs ")]
    places = [FIRST.index(each.outcome) for each in speaking]
    assert places == sorted(places)
    assert ordered[: len(speaking)] == speaking  # what nothing is known of comes last
    total = counts(every)[""]
    assert sum(total.values()) == 88
    assert sum(sum(some.values()) for title, some in counts(every).items() if title) == 88
    assert counts(every)["Stale labels"]["reproduced"] == 2


def test_a_margin_can_be_set() -> None:
    strict = {d.id: d for d in decide(results(), only=("F1",), findings=NO_FINDINGS, margin={"soft_nll": 1e-6})}
    assert decided()["F1"].outcome == "reproduced"
    assert strict["F1"].outcome != "reproduced"
