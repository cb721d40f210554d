"""The companion's claims: on every dataset of some results that has soft labels and majority vote."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

from made_up import long_table, made_up, noise
from votewise.papers.claims import View, decide, evaluate
from votewise.papers.companion import COMPANION, PAPER
from votewise.studies.results import Results

MAJORITY = {"kl": 0.5, "entropy_correlation": 0.3, "accuracy": 0.8}


@cache
def two_datasets(reduction: float = 0.32, gain: float = 0.61, seeds: int = 6, correlation: float = 0.3) -> Results:
    """Soft labels and majority vote on two datasets, with a relative difference of their means; runs of the two share their seeds."""
    plans = {"first": made_up("paper").plans["main"], "second": made_up("demo").plans["main"]}
    soft = {"kl": 0.5 * (1 - reduction), "entropy_correlation": correlation * (1 + gain), "accuracy": 0.8}
    rows = []
    for study, plan in plans.items():
        for method, means in (("soft", soft), ("majority", MAJORITY | {"entropy_correlation": correlation})):
            for seed in range(seeds):
                for quantity, mean in {**means, "soft_nll": 0.5}.items():
                    value = mean + 0.005 * noise(study, method, seed, quantity)
                    run = f"{study}-{method}-{seed}"
                    rows.append((plan.dataset.title, study, run, method, None, seed, "best", quantity, value))
    return Results(table=long_table(rows), plans=plans)


def verdict(id: str, results: Results):
    return evaluate(COMPANION[id], View(results))


@pytest.mark.parametrize(("id", "other"), [("K2", {"reduction": 0.1}), ("K4", {"gain": 0.1})])
def test_a_relative_difference_is_averaged_over_datasets(id: str, other: dict[str, float]) -> None:
    found = verdict(id, two_datasets())
    assert found.outcome == "reproduced"
    assert set(found.numbers) == {"cifar10h", "digits"}
    assert found.mean == pytest.approx(np.mean(list(found.numbers.values())))
    assert found.low < found.mean < found.high
    assert verdict(id, two_datasets(**other)).outcome == "undecided"  # a reduction, but another one
    assert verdict(id, two_datasets(**dict.fromkeys(other, -0.2))).outcome == "contradicted"


def test_the_relative_difference_is_that_of_the_means_over_seeds() -> None:
    results = two_datasets()
    here = results.select(dataset="digits")
    means = [np.mean(list(here.values(method, "kl").values())) for method in ("soft", "majority")]
    assert verdict("K2", results).numbers["digits"] == pytest.approx(1 - means[0] / means[1])


def test_one_dataset_or_few_seeds_decide_no_relative_difference() -> None:
    assert verdict("K2", two_datasets().select(dataset="digits")).outcome == "undecided"
    assert verdict("K2", two_datasets(seeds=4)).outcome == "undecided"
    assert not verdict("K2", two_datasets().select(dataset="digits")).waits


def test_a_gain_over_no_correlation_is_not_defined() -> None:
    found = verdict("K4", two_datasets(correlation=-0.2))
    assert (found.outcome, found.mean) == ("undecided", None)


def test_directions_are_asked_of_every_dataset() -> None:
    found = verdict("K1", two_datasets())
    assert (found.outcome, set(found.parts)) == ("reproduced", {"cifar10h", "digits"})
    results = two_datasets()
    worse = (pl.col("dataset") == "digits") & (pl.col("method") == "soft") & (pl.col("quantity") == "kl")
    table = results.table.with_columns(value=pl.when(worse).then(0.9).otherwise(pl.col("value")))
    assert verdict("K1", replace(results, table=table)).outcome == "contradicted"


def test_means_over_seeds_are_those_of_each_dataset() -> None:
    results = two_datasets()
    (decision,) = decide(COMPANION, results, only=["K1"])
    expected = {
        (dataset, method): np.mean(list(here.values(method, "kl").values()))
        for dataset, here in results.by_dataset.items()
        for method in ("soft", "majority")
    }
    assert len(expected) == 4
    assert {(size.dataset, size.method): size.mean for size in decision.sizes} == expected
    missing = {"cifar10h": tuple(range(6, 10)), "digits": tuple(range(20, 30))}
    assert {(run.dataset, run.method): run.seeds for run in decision.left_out} == {
        (dataset, method): seeds for dataset, seeds in missing.items() for method in ("soft", "majority")
    }


def test_a_dataset_without_both_methods_is_left_out() -> None:
    results = two_datasets()
    gone = (pl.col("dataset") == "digits") & (pl.col("method") == "majority")
    found = verdict("K1", replace(results, table=results.table.filter(~gone)))
    assert (found.outcome, found.parts) == ("reproduced", {})
    assert verdict("K1", replace(results, table=results.table.filter(pl.col("method") == "soft"))).waits


def test_the_interval_covers_the_truth() -> None:
    covered = 0
    for draw in range(150):
        rng = np.random.default_rng(draw)
        results = two_datasets()
        spread = pl.Series(rng.normal(0, 0.02, len(results.table)))
        means = pl.when(pl.col("method") == "soft").then(0.34).otherwise(0.5)
        moved = replace(results, table=results.table.with_columns(value=means + spread))
        found = verdict("K2", moved)
        covered += found.low <= 0.32 <= found.high
    assert covered / 150 > 0.92  # six seeds a dataset; plain percentiles: 0.89


def test_every_claim_is_decided_on_several_datasets() -> None:
    decisions = decide(COMPANION, two_datasets())
    assert [decision.id for decision in decisions] == [f"K{number}" for number in range(1, 12)]


def test_an_interval_on_both_sides_of_zero_reproduces_nothing() -> None:
    results = two_datasets()
    wild = (
        pl.when(method="majority", quantity="entropy_correlation").then((pl.col("seed") % 2) * 0.6 - 0.3).otherwise(0.0)
    )
    found = verdict("K4", replace(results, table=results.table.with_columns(value=pl.col("value") + wild)))
    assert found.low < 0 < found.mean < found.high
    assert found.outcome == "undecided"


@pytest.mark.parametrize("preset", ["demo", "cpu", "paper"])
def test_the_probes_of_the_plans_suffice_for_every_claim(preset: str) -> None:
    """No claim needs a number of a probe that no plan of the companion runs."""
    probes = {spec.name for stage in PAPER.plans(preset) for plan in stage for spec in plan.probes}
    view = View(two_datasets())
    for claim in COMPANION:
        evaluate(claim, view)
        for aside in claim.asides.values():
            evaluate(aside, view)
    assert {needs.probe for needs in view.needs} <= {*probes, None}
