"""The recommendation: never more than the tests support."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from made_up import Losses, made_up, results_of
from votewise.comparison import Recommendation, recommend
from votewise.profile.interpolation import meaning

NAN = float("nan")


def advice(losses: Losses, last: Losses | None = None) -> Recommendation:
    return recommend(results_of(losses, last))


def around(mean: float, n: int) -> list[float]:
    """Losses of n seeds; no two differences between means are equal."""
    return [mean + 0.001 * seed * (1 + mean) for seed in range(n)]


def alternating(mean: float, step: float = 0.001, n: int = 8) -> list[float]:
    """Losses of n seeds on both sides of a mean."""
    return [mean + (-1) ** seed * step * (seed + 1) for seed in range(n)]


def labels(values) -> set[str]:
    return {value.method for value in values}


def test_what_to_use_comes_first_then_what_to_avoid_then_the_numbers():
    advised = advice(
        {("soft", None): [0.91] * 8, ("multipass", None): alternating(0.91), ("majority", None): around(0.95, 8)}
    )
    (choice,) = advised.choices
    assert (labels(choice.similar), labels(choice.worse), choice.winner) == ({"multipass"}, {"majority"}, None)
    assert advised.paragraphs == [
        "Use multipass or soft labels: no significant difference between them."
        " Avoid majority vote (+0.047): significantly worse than soft labels."
        " Over 8 seeds with 120 held-out items each, multipass has the lowest mean soft NLL (0.909, 0.0005 below soft labels)."
    ]


def test_a_winner_is_significantly_better_than_every_other():
    advised = advice(
        {("soft", None): around(0.91, 8), ("majority", None): around(0.95, 8), ("sls", None): around(1, 8)}
    )
    assert advised.choices[0].winner == "soft"
    assert str(advised) == (
        "Use soft labels: the best fit to the votes. Avoid majority vote (+0.04) and SLS (+0.09): significantly worse than soft labels."
        " Over 8 seeds with 120 held-out items each, soft labels have the lowest mean soft NLL (0.917)."
    )


def test_methods_that_do_not_differ_from_the_reference_are_named_together():
    shifts = {"soft": 0.0, "sls": 0.001, "multipass": -0.001}
    advised = advice({(method, None): alternating(0.9, shift) for method, shift in shifts.items()})
    assert advised.paragraphs[0].startswith("Use SLS, soft labels or multipass: no significant difference from soft")


def test_better_methods_are_not_compared_with_each_other():
    losses = {("majority", None): around(0.95, 8), ("soft", None): around(0.91, 8), ("sls", None): around(0.9, 8)}
    advised = advice(losses)
    assert advised.choices[0].winner is None
    assert labels(advised.choices[0].lowest) == {"sls"}
    assert advised.paragraphs[0].startswith(
        "Use SLS (−0.05) or soft labels (−0.04): significantly better than majority vote; not compared with each other."
    )
    two = advice({key: losses[key] for key in (("majority", None), ("sls", None))})
    assert two.choices[0].winner == "sls"


def test_methods_like_the_reference_stand_apart_from_better_ones():
    losses = {("majority", None): [0.95] * 8, ("soft", None): around(0.9, 8), ("mixup", None): alternating(0.95)}
    assert (
        advice(losses)
        .paragraphs[0]
        .startswith(
            "Use soft labels (−0.043): significantly better than majority vote."
            " No significant difference from majority vote (not compared with soft labels): mixup (−0.0005)."
        )
    )


@pytest.mark.parametrize(("seeds", "least", "needed"), [(6, 0.09375, 7), (3, 0.75, 7), (1, 1, 7)])
def test_too_few_seeds_recommend_nothing_and_say_how_many_are_needed(seeds: int, least: float, needed: int):
    means = {"soft": 0.9, "sls": 1.0, "multipass": 1.1, "majority": 1.5}
    advised = advice({(method, None): around(mean, seeds) for method, mean in means.items()})
    power = advised.power
    assert (power.smallest_p, power.seeds_needed, power.enough) == (pytest.approx(least), needed, False)
    assert bool(power.uncorrected) is (seeds == 6)
    limit, numbers = advised.paragraphs
    assert limit.startswith("No method can be recommended: ")
    assert ("Significant without the correction" in limit) is (seeds == 6)
    assert "significant" not in numbers
    assert "Use" not in numbers


def test_each_number_of_votes_has_its_paragraph():
    losses = {(method, k): around(mean + 1 / k, 9) for k in (3, 9) for method, mean in (("soft", 0.9), ("sls", 0.8))}
    nine, three = advice(losses).paragraphs
    assert nine.startswith("With 9 votes per item in training: use SLS: the best fit to the votes, ")
    assert "Over 9 seeds with 120 held-out items each" in nine
    assert three.startswith("With 3 votes per item in training: use SLS: the best fit to the votes, ")
    assert "held-out" not in three


def test_deliveries_that_are_equal_are_named_together():
    same = around(0.9, 9)
    advised = advice({("soft", 1): same, ("sls", 1): same})
    assert labels(advised.choices[0].lowest) == {"soft", "sls"}
    assert "soft labels and SLS have the lowest mean soft NLL (0.908)." in str(advised)


def test_seeds_that_share_their_split_are_reported():
    results = results_of({("soft", None): around(0.9, 3)})
    (name, plan), *_ = results.plans.items()
    fixed = plan.model_copy(update={"split": plan.split.model_copy(update={"seed": 1})})
    advised = recommend(replace(results, plans={name: fixed}))
    assert not advised.split_per_seed
    assert str(advised).startswith("Over 3 seeds on the same 120 held-out items, ")


def test_changes_at_the_last_epoch_are_reported():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    last = {("soft", None): around(1.3, 8), ("sls", None): around(1.0, 8)}
    start = "At the last epoch (no checkpoint selection), "
    assert str(advice(best, last)).endswith(
        f"{start}the lowest soft NLL is that of SLS; significantly better than soft labels: SLS (−0.3)."
    )
    assert "last epoch" not in str(advice(best))
    near = {("soft", None): [0.9] * 8, ("sls", None): alternating(0.9)}
    assert str(advice(near, best)).endswith(
        f"{start}the lowest soft NLL is that of soft labels; significantly worse than soft labels: SLS (+0.05)."
    )
    assert "no significant difference from soft labels: SLS (−0.0005)" in str(advice(best, near))


def test_too_few_seeds_show_nothing_at_the_last_epoch_either():
    best = {("soft", None): around(0.9, 3), ("sls", None): around(0.95, 3)}
    text = str(advice(best, {("soft", None): around(1.3, 3), ("sls", None): around(1.0, 3)}))
    assert text.endswith("At the last epoch (no checkpoint selection), the lowest soft NLL is that of SLS.")


def test_runs_without_a_finite_loss_are_left_out():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    advised = advice(best, {("soft", None): [NAN] * 8, ("sls", None): around(1.0, 8)})
    assert advised.choices[0].winner == "soft"
    assert "last epoch" not in str(advised)


def test_a_method_without_a_shared_seed_leaves_the_winner_open():
    losses = {
        ("soft", None): [*around(0.9, 8), NAN],
        ("majority", None): [*around(0.95, 8), NAN],
        ("sls", None): [NAN] * 8 + [0.5],
    }
    advised = advice(losses)
    assert advised.choices[0].winner is None
    assert labels(advised.choices[0].unpaired) == {"sls"}
    assert labels(advised.choices[0].lowest) == {"soft"}


def test_methods_without_runs_of_the_reference_are_not_compared():
    losses = {(method, k): around(0.9, 8) for method in ("soft", "sls") for k in (None, 5)}
    losses["soft", 5] = [NAN] * 8
    every, few = advice(losses).choices
    assert every.reference.method == "soft"
    assert (few.reference.method, few.compared, few.winner) == ("sls", (), None)


def test_one_method_is_compared_with_nothing():
    advised = advice({("soft", None): around(0.9, 3)})
    assert (advised.power, advised.choices[0].winner) == (None, None)
    assert str(advised).endswith("there are runs of soft labels only: nothing to compare.")


def test_without_runs_there_is_no_recommendation():
    results = results_of({("soft", None): around(0.9, 3)})
    advised = recommend(replace(results, table=results.table.clear()))
    assert advised.choices == advised.fit == ()
    assert advised.paragraphs == []


@settings(max_examples=20)
@given(st.integers(2, 12), st.lists(st.integers(-4, 4), min_size=2, max_size=4), st.integers(0, 10**6))
def test_a_winner_passes_independent_tests(seeds: int, shifts: list[int], noise: int):
    rng = np.random.default_rng(noise)
    losses = {
        (method, None): (1 + 0.01 * shift + 0.02 * rng.normal(size=seeds)).tolist()
        for method, shift in zip(("soft", "sls", "majority", "mixup"), shifts, strict=False)
    }
    advised = advice(losses)
    (choice,) = advised.choices
    reference, *others = [np.array(values) for values in losses.values()]
    p = multipletests([stats.wilcoxon(other - reference, method="exact").pvalue for other in others], method="holm")[1]
    lowest_is_compared = len(others) == 1 or all(other.mean() > reference.mean() for other in others)
    assert (choice.winner is not None) is bool((p <= 0.05).all() and lowest_is_compared)
    assert len(choice.better) + len(choice.worse) == (p <= 0.05).sum()
    assert advised.power.enough is (2 / 2**seeds * len(others) <= 0.05)
    assert ("recommended" in advised.paragraphs[0]) is not advised.power.enough


def test_whether_models_fit_their_targets_is_judged_by_soft_labels():
    advised = recommend(made_up("demo"))
    every, few = advised.fit
    uniform = np.log(10) - 1  # the excess of uniform predictions
    assert (every.method, every.K, every.fits) == ("soft", (None,), False)
    assert every.excess == pytest.approx((0.4, 0.4))
    assert every.meaning == meaning("soft", 0.4 / uniform, 1.0)
    assert (few.K, few.fits) == ((10, 5, 3), True)
    assert few.relative == pytest.approx((0.2 / uniform, 0.2 / uniform))
    assert advised.paragraphs[-2].startswith(
        "With all votes in training, the training loss of soft labels ends 0.400 nats above the entropy of the targets"
        " (31 % of the excess of uniform predictions)."
    )
    assert advised.paragraphs[-1].endswith(few.meaning)


def test_without_soft_labels_the_method_closest_to_its_targets_is_judged():
    results = made_up("demo")
    hard = replace(results, table=results.table.filter(pl.col("method").is_in(["multipass", "majority"])))
    (fit,) = recommend(hard).fit
    assert (fit.method, fit.fits) == ("multipass", False)
    assert fit.excess == pytest.approx((0.3, 0.5))
    assert fit.meaning == meaning("multipass", 0.3, 1.0)
