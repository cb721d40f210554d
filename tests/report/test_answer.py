"""What is said of the methods side by side: never more than the tests carry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from toy_study import toy_plan

from votewise.evidence.results import Results
from votewise.evidence.tables import side_by_side
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


def test_a_winner_is_named_where_every_other_method_is_told_from_it():
    (text,) = said({("soft", None): around(0.91, 8), ("majority", None): around(0.95, 8), ("sls", None): around(1, 8)})
    assert text.startswith(
        "On 120 held-out items and 8 seeds, the best fit to the votes is that of soft labels: soft NLL 0.917."
    )
    assert "Worse than soft labels beyond chance: majority vote (+0.04) and SLS (+0.09)." in text


def test_what_cannot_be_told_apart_makes_no_winner():
    near = [0.91 + (-1) ** seed * 0.001 * (seed + 1) for seed in range(8)]
    (text,) = said({("soft", None): [0.91] * 8, ("sls", None): near, ("majority", None): around(0.95, 8)})
    assert "best fit" not in text
    assert (
        "Cannot be told from soft labels: SLS (+0.0005)." in text
        or "Cannot be told from soft labels: SLS (−0.0005)." in text
    )
    assert "Worse than soft labels beyond chance: majority vote" in text


def test_of_several_the_lowest_is_compared_with_the_reference_alone():
    losses = {("majority", None): around(0.95, 8), ("soft", None): around(0.91, 8), ("sls", None): around(0.9, 8)}
    (text,) = said(losses)
    assert "best fit" not in text  # SLS and soft labels are not compared with each other
    assert "the lowest soft NLL is that of SLS" in text
    assert "Better than majority vote beyond chance: soft labels" in text
    (two,) = said({key: losses[key] for key in (("majority", None), ("sls", None))})
    assert "the best fit to the votes is that of SLS" in two


@pytest.mark.parametrize(("seeds", "least", "needed"), [(6, "0.094", 7), (3, "0.75", 7), (1, "1", 7)])
def test_too_few_seeds_name_no_winner_and_say_how_many_would(seeds: int, least: str, needed: int):
    means = {"soft": 0.9, "sls": 1.0, "multipass": 1.1, "majority": 1.5}
    first, limit = said({(method, None): around(mean, seeds) for method, mean in means.items()})
    assert "the lowest soft NLL is that of soft labels" in first
    assert "chance" not in first
    assert f"the smallest p that can come out is {least} after Holm over 3 comparisons" in limit
    assert f"at least {needed} seeds" in limit
    assert ("Without that correction" in limit) is (seeds == 6)


def test_each_number_of_votes_has_its_sentence():
    losses = {(method, k): around(mean + 1 / k, 9) for k in (3, 9) for method, mean in (("soft", 0.9), ("sls", 0.8))}
    nine, three = said(losses)
    assert nine.startswith("On 120 held-out items and 9 seeds, with 9 votes of each item in training, the best fit")
    assert three.startswith("With 3 votes of each item in training, the best fit to the votes is that of SLS")


def test_deliveries_that_are_one_are_named_together():
    same = around(0.9, 9)
    (text,) = said({("soft", 1): same, ("sls", 1): same})
    assert "the lowest soft NLL is that of soft labels and SLS: " in text
    assert "Cannot be told from soft labels: SLS (0)." in text


def test_another_order_at_the_last_epoch_is_said():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    last = {("soft", None): around(1.3, 8), ("sls", None): around(1.0, 8)}
    assert "At the last epoch, in place of the best, it is that of SLS." in said(best, last)[0]
    assert "last epoch" not in said(best)[0]


def test_a_run_that_ended_in_no_number_is_left_out_of_what_is_said():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    (text,) = said(best, {("soft", None): [float("nan")] * 8, ("sls", None): around(1.0, 8)})
    assert "best fit to the votes is that of soft labels" in text
    assert "last epoch" not in text


def test_a_method_without_a_shared_seed_leaves_the_winner_open():
    nan = float("nan")
    losses = {
        ("soft", None): [*around(0.9, 8), nan],
        ("majority", None): [*around(0.95, 8), nan],
        ("sls", None): [nan] * 8 + [0.5],
    }
    (text,) = said(losses)
    assert "the lowest soft NLL is that of soft labels" in text
    assert "best fit" not in text


def test_one_method_is_compared_with_nothing():
    assert said({("soft", None): around(0.9, 3)}) == [
        "On 120 held-out items and 3 seeds, there are runs of soft labels and nothing to compare them with."
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
    assert ("No winner can be named" in text) is (2 / 2**seeds * len(others) > 0.05)
