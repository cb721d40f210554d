"""What is said of the methods side by side: never more than the tests carry."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import made_up
from scipy import stats
from statsmodels.stats.multitest import multipletests
from toy_study import toy_plan

from votewise.evidence.results import Results
from votewise.evidence.tables import side_by_side
from votewise.profile.interpolation import meaning
from votewise.report.answer import answer

Losses = dict[tuple[str, int | None], list[float]]  # (method, votes per item) -> soft NLL by seed


def results_of(losses: Losses, last: Losses | None = None) -> Results:
    """A person's own comparison with these losses."""
    methods, votes = (list(dict.fromkeys(part)) for part in zip(*losses, strict=True))
    seeds = list(range(len(next(iter(losses.values())))))
    plan = toy_plan(
        Path("data"), methods=methods, votes_per_item=["all" if k is None else k for k in votes], seeds=seeds
    )
    rows = [
        {
            "id": f"{method}-{k}-{seed}", "method": method, "K": k, "seed": seed, "checkpoint": checkpoint,
            "soft_nll": loss, "accuracy": 0.5, "smooth_ece_votes": 0.1,
        }
        for checkpoint, found in (("best", losses), ("last", last or losses))
        for (method, k), values in found.items()
        for seed, loss in enumerate(values)
    ]  # fmt: skip
    table = pl.DataFrame(rows, infer_schema_length=None)
    members = {role: frozenset(table["id"].to_list()) for role in ("main", "sparse", "ablation")}
    return Results("your data", "cpu", table, (), dict.fromkeys(members, plan), members, evaluated=120)


def said(losses: Losses, last: Losses | None = None) -> list[str]:
    results = results_of(losses, last)
    return answer(side_by_side(results), results)


def around(mean: float, n: int) -> list[float]:
    """Losses of n seeds, no two differences between means alike."""
    return [mean + 0.001 * seed * (1 + mean) for seed in range(n)]


def test_what_to_take_comes_first_then_what_not_then_the_numbers():
    near = [0.91 + (-1) ** seed * 0.001 * (seed + 1) for seed in range(8)]
    (text,) = said({("soft", None): [0.91] * 8, ("multipass", None): near, ("majority", None): around(0.95, 8)})
    assert text == (
        "Multipass or soft labels: no difference between them can be told."
        " Not majority vote (+0.047): worse than soft labels beyond chance."
        " Over 8 seeds, each with 120 held-out items of its own, the lowest mean soft NLL is that of multipass: 0.909, 0.0005 below that of soft labels."
    )


def test_a_winner_is_named_where_every_other_method_is_told_from_it():
    (text,) = said({("soft", None): around(0.91, 8), ("majority", None): around(0.95, 8), ("sls", None): around(1, 8)})
    assert text == (
        "Soft labels: the best fit to the votes."
        " Not majority vote (+0.04) or SLS (+0.09): worse than soft labels beyond chance."
        " Over 8 seeds, each with 120 held-out items of its own, the lowest mean soft NLL is that of soft labels: 0.917."
    )


def test_several_that_cannot_be_told_from_the_reference_are_named_together():
    shifts = {"soft": 0.0, "sls": 0.001, "multipass": -0.001}
    losses = {
        (method, None): [0.9 + (-1) ** seed * shift * (seed + 1) for seed in range(8)]
        for method, shift in shifts.items()
    }
    (text,) = said(losses)
    assert text.startswith("SLS, soft labels or multipass: no difference to soft labels can be told. Over 8 seeds, ")


def test_of_several_the_lowest_is_compared_with_the_reference_alone():
    losses = {("majority", None): around(0.95, 8), ("soft", None): around(0.91, 8), ("sls", None): around(0.9, 8)}
    (text,) = said(losses)
    assert "best fit" not in text  # SLS and soft labels are not compared with each other
    assert text.startswith(
        "Soft labels (−0.04) or SLS (−0.05): better than majority vote beyond chance, and not compared with one another."
    )
    assert "the lowest mean soft NLL is that of SLS" in text
    (two,) = said({key: losses[key] for key in (("majority", None), ("sls", None))})
    assert two.startswith("SLS: the best fit to the votes, better than majority vote beyond chance.")


def test_what_is_not_compared_with_the_better_one_is_said():
    near = [0.95 + (-1) ** seed * 0.001 * (seed + 1) for seed in range(8)]
    losses = {("majority", None): [0.95] * 8, ("soft", None): around(0.9, 8), ("mixup", None): near}
    assert said(losses)[0].startswith(
        "Soft labels (−0.043): better than majority vote beyond chance."
        " Not told from majority vote, and not compared with soft labels: mixup (−0.0005)."
    )


@pytest.mark.parametrize(("seeds", "least", "needed"), [(6, "0.094", 7), (3, "0.75", 7), (1, "1", 7)])
def test_too_few_seeds_come_first_name_no_winner_and_say_how_many_would(seeds: int, least: str, needed: int):
    means = {"soft": 0.9, "sls": 1.0, "multipass": 1.1, "majority": 1.5}
    limit, numbers = said({(method, None): around(mean, seeds) for method, mean in means.items()})
    assert limit.startswith("No winner can be named: ")
    assert f"the smallest p that can come out is {least} after Holm over 3 comparisons" in limit
    assert f"at least {needed} seeds" in limit
    assert ("Without that correction" in limit) is (seeds == 6)
    assert "the lowest mean soft NLL is that of soft labels" in numbers
    assert "chance" not in numbers
    assert "told" not in numbers


def test_each_number_of_votes_has_its_sentence():
    losses = {(method, k): around(mean + 1 / k, 9) for k in (3, 9) for method, mean in (("soft", 0.9), ("sls", 0.8))}
    nine, three = said(losses)
    assert nine.startswith("With 9 votes of each item in training, SLS: the best fit to the votes, ")
    assert "Over 9 seeds, each with 120 held-out items of its own, the lowest" in nine
    assert three.startswith("With 3 votes of each item in training, SLS: the best fit to the votes, ")
    assert "held-out" not in three  # said above


def test_deliveries_that_are_one_are_named_together():
    same = around(0.9, 9)
    (text,) = said({("soft", 1): same, ("sls", 1): same})
    assert text.startswith("Soft labels or SLS: no difference between them can be told.")
    assert "the lowest mean soft NLL is that of soft labels and SLS: 0.908." in text


def test_seeds_that_share_their_split_are_said_to():
    results = results_of({("soft", None): around(0.9, 3)})
    plan = results.plans["main"]
    fixed = plan.model_copy(update={"split": plan.split.model_copy(update={"seed": 1})})
    results = replace(results, plans=dict.fromkeys(results.plans, fixed))
    assert answer(side_by_side(results), results)[0].startswith("Over 3 seeds on the same 120 held-out items, ")


def test_what_is_otherwise_at_the_last_epoch_is_said():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    last = {("soft", None): around(1.3, 8), ("sls", None): around(1.0, 8)}
    start = "At the last epoch, in place of the best of each run, "
    assert said(best, last)[0].endswith(
        f"{start}the lowest is that of SLS; better than soft labels beyond chance: SLS (−0.3)."
    )
    assert "last epoch" not in said(best)[0]
    near = {("soft", None): [0.9] * 8, ("sls", None): [0.9 + (-1) ** seed * 0.001 * (seed + 1) for seed in range(8)]}
    assert said(near, best)[0].endswith(
        f"{start}the lowest is that of soft labels; worse than soft labels beyond chance: SLS (+0.05)."
    )
    assert f"{start}the lowest is that of SLS; no longer told from soft labels: SLS (−0.0005)." in said(best, near)[0]


def test_too_few_seeds_tell_nothing_at_the_last_epoch_either():
    best = {("soft", None): around(0.9, 3), ("sls", None): around(0.95, 3)}
    text = said(best, {("soft", None): around(1.3, 3), ("sls", None): around(1.0, 3)})[1]
    assert text.endswith("At the last epoch, in place of the best of each run, the lowest is that of SLS.")


def test_a_run_that_ended_in_no_number_is_left_out_of_what_is_said():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    (text,) = said(best, {("soft", None): [float("nan")] * 8, ("sls", None): around(1.0, 8)})
    assert text.startswith("Soft labels: the best fit to the votes.")
    assert "last epoch" not in text


def test_a_method_without_a_shared_seed_leaves_the_winner_open():
    nan = float("nan")
    losses = {
        ("soft", None): [*around(0.9, 8), nan],
        ("majority", None): [*around(0.95, 8), nan],
        ("sls", None): [nan] * 8 + [0.5],
    }
    (text,) = said(losses)
    assert text.startswith(
        "Not majority vote (+0.05): worse than soft labels beyond chance. Not compared, as they share no seed with soft labels: SLS."
    )
    assert "the lowest mean soft NLL is that of soft labels" in text
    assert "best fit" not in text


def test_one_method_is_compared_with_nothing():
    assert said({("soft", None): around(0.9, 3)}) == [
        "Over 3 seeds, each with 120 held-out items of its own, there are runs of soft labels and nothing to compare them with."
    ]


@settings(max_examples=20)
@given(st.integers(2, 12), st.lists(st.integers(-4, 4), min_size=2, max_size=4), st.integers(0, 10**6))
def test_a_best_fit_is_told_from_every_other_by_independent_tests(seeds: int, shifts: list[int], noise: int):
    rng = np.random.default_rng(noise)
    losses = {
        (method, None): (1 + 0.01 * shift + 0.02 * rng.normal(size=seeds)).tolist()
        for method, shift in zip(("soft", "sls", "majority", "mixup"), shifts, strict=False)
    }
    text = " ".join(said(losses))
    reference, *others = [np.array(values) for values in losses.values()]
    p = multipletests([stats.wilcoxon(other - reference, method="exact").pvalue for other in others], method="holm")[1]
    lowest_is_compared = len(others) == 1 or all(other.mean() > reference.mean() for other in others)
    assert ("best fit" in text) is bool((p <= 0.05).all() and lowest_is_compared)
    assert text.count("beyond chance") <= (p <= 0.05).sum()
    few = 2 / 2**seeds * len(others) > 0.05
    assert text.startswith("No winner can be named") is few
    better = any(p_of <= 0.05 and other.mean() < reference.mean() for p_of, other in zip(p, others, strict=True))
    assert ("no difference" in text) is bool(not few and not better and (p > 0.05).any())


def test_whether_models_fit_their_targets_is_judged_by_soft_labels():
    results = made_up("demo")
    every, few = answer(side_by_side(results), results)[-2:]
    uniform = np.log(10) - 1  # the excess of uniform predictions
    assert every == (
        "With all votes in training, the training loss of soft labels ends 0.400 nats above the entropy of its targets, 31 % of the excess of"
        f" uniform predictions. {meaning('soft', 0.4 / uniform, 1.0)}"
    )
    assert few == (
        "With 10, 5 and 3 votes of each item in training, the training loss of soft labels ends 0.200 nats above the entropy of its targets,"
        f" 15 % of the excess of uniform predictions. {meaning('soft', 0.2 / uniform, 1.0)}"
    )


def test_without_soft_labels_the_method_nearest_to_its_targets_is_named():
    results = made_up("demo")
    hard = replace(results, table=results.table.filter(pl.col("method").is_in(["multipass", "majority"])))
    text = answer(side_by_side(hard), hard)[-1]
    assert (
        "the training loss of multipass ends 0.300 to 0.500 nats above the entropy of its targets, 23 to 38 %" in text
    )
    assert text.endswith(meaning("multipass", 0.3, 1.0))
