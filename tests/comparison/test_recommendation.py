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
from votewise.comparison import Recommendation, recommend, side_by_side
from votewise.comparison.recommendation import Choice
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


def of_kind(choice: Choice, kind: str) -> set[str]:
    """The methods with a significant difference of this kind from the reference at some epoch."""
    return {one.method for one in choice.compared if kind in one.kinds}


def test_the_one_thing_to_do_comes_first_then_the_reasons():
    advised = advice(
        {("soft", None): [0.91] * 8, ("multipass", None): alternating(0.91), ("majority", None): around(0.95, 8)}
    )
    (choice,) = advised.choices
    assert (choice.use, of_kind(choice, "worse")) == ("soft", {"majority"})
    assert advised.headline == "Use soft labels: no other method is significantly better."
    assert advised.paragraphs[0] == (
        "No method is significantly better than soft labels, at the best or at the last epoch."
        " Avoid majority vote (+0.047 at the best epoch, +0.047 at the last): significantly worse than soft labels."
        " Not significantly different from soft labels: multipass."
        " Over 8 seeds with 120 held-out items each, the lowest mean soft NLL is that of multipass at the best epoch (0.909) and at the last (0.909)."
    )


def test_agreeing_seeds_too_few_for_the_correction_are_not_called_similar():
    losses = {("soft", None): [0.91] * 8, ("majority", None): around(0.95, 8), ("mixup", None): around(0.99, 8)}
    advised = advice(losses | {("shuffled-sls", None): around(2.3, 5), ("multipass", None): alternating(0.91)})
    (choice,) = advised.choices
    assert {one.method for one in choice.compared if one.few_seeds} == {"shuffled-sls"}
    assert (
        "Too few seeds to be significant after the correction, although all seeds agree:"
        " shuffled SLS (+1.4 at the best epoch, +1.4 at the last). Not significantly different from soft labels: multipass."
    ) in advised.paragraphs[0]


def test_better_with_and_without_early_stopping_is_used():
    losses = {("majority", None): around(0.95, 8), ("soft", None): around(0.91, 8), ("sls", None): around(0.9, 8)}
    advised = advice(losses)
    assert advised.headline == "Use SLS: significantly better than majority vote with early stopping and without."
    assert "Significantly better than majority vote too: soft labels" in advised.paragraphs[0]


BETTER, SAME, WORSE = -0.3, 0.0, 0.2


@pytest.mark.parametrize(
    ("sls", "multipass", "use"),
    [
        ((SAME, BETTER), (SAME, SAME), "sls"),  # never worse, and safer without early stopping
        ((SAME, BETTER), (BETTER, BETTER), "multipass"),
        ((BETTER, WORSE), (SAME, -0.01), "multipass"),  # better on the whole, but worse somewhere
        ((BETTER, WORSE), (SAME, SAME), "sls, soft"),  # every method is worse somewhere: early stopping comes first
        ((-0.1, WORSE), (SAME, SAME), "sls, soft"),
        ((0.036, BETTER), (SAME, SAME), "soft, sls"),
        ((0.036, -0.01), (SAME, SAME), "soft, sls"),
        ((BETTER, WORSE), (WORSE, BETTER), "sls, multipass"),
        ((WORSE, WORSE), (SAME, SAME), "soft"),
    ],
)
def test_best_and_last_epoch_are_weighed_together(sls: tuple[float, float], multipass: tuple[float, float], use: str):
    def losses(shift: float, step: float) -> list[float]:
        return alternating(0.9, step) if shift == SAME else [0.9 + shift * (1 + step * seed) for seed in range(8)]

    best, last = (
        {("soft", None): [0.9] * 8, ("sls", None): losses(one, 0.001), ("multipass", None): losses(two, 0.002)}
        for one, two in zip(sls, multipass, strict=True)
    )
    advised = advice(best, last)
    names = [advised.methods.in_sentence(method) for method in use.split(", ")]
    assert advised.choices[0].use == use.split(", ")[0]
    if len(names) > 1:
        assert advised.headline == f"With early stopping, use {names[0]}; without, use {names[1]}."
    else:
        assert advised.headline.startswith(f"Use {names[0]}: ")


def test_a_safer_method_without_early_stopping_says_so():
    best = {("soft", None): [0.9] * 8, ("sls", None): alternating(0.9)}
    last = {("soft", None): around(1.3, 8), ("sls", None): around(1.0, 8)}
    advised = advice(best, last)
    assert advised.headline == (
        "Use SLS: not significantly worse than soft labels with early stopping, and significantly better without."
    )
    assert advised.paragraphs[0].startswith(
        "SLS is not significantly different from soft labels at the best epoch (−0.0005) and significantly better than them at the last one (−0.3):"
        " safer without early stopping."
    )


@pytest.mark.parametrize(("seeds", "least", "needed"), [(6, 0.09375, 7), (3, 0.75, 7), (1, 1, 7)])
def test_too_few_seeds_recommend_more_seeds(seeds: int, least: float, needed: int):
    means = {"soft": 0.9, "sls": 1.0, "multipass": 1.1, "majority": 1.5}
    advised = advice({(method, None): around(mean, seeds) for method, mean in means.items()})
    power = advised.power
    assert (power.smallest_p, power.seeds_needed, power.enough) == (pytest.approx(least), needed, False)
    assert bool(power.uncorrected) is (seeds == 6)
    assert not advised.decided
    assert advised.headline.startswith("Train at least 7 seeds: ")
    limit, numbers, _ = advised.paragraphs
    assert limit.startswith("No method can be recommended: ")
    assert ("Significant without the correction" in limit) is (seeds == 6)
    assert "significant" not in numbers


def test_each_number_of_votes_has_its_paragraph():
    losses = {(method, k): around(mean + 1 / k, 9) for k in (3, 9) for method, mean in (("soft", 0.9), ("sls", 0.8))}
    losses["sls", 9] = around(2.0, 9)
    advised = advice(losses)
    assert advised.headline == "Use soft labels with 9 votes per item and SLS with 3 votes per item."
    nine, three, _ = advised.paragraphs
    assert nine.startswith("With 9 votes per item in training: no method is significantly better")
    assert "Over 9 seeds with 120 held-out items each" in nine
    assert three.startswith("With 3 votes per item in training: SLS is significantly better than soft labels")
    assert "held-out" not in three


def test_deliveries_that_are_equal_are_named_together():
    same = around(0.9, 9)
    advised = advice({("soft", 1): same, ("sls", 1): same})
    assert advised.choices[0].lowest("best") == ["soft", "sls"]
    assert advised.choices[0].use == "soft"


def test_seeds_that_share_their_split_are_reported():
    results = results_of({("soft", None): around(0.9, 3)})
    (name, plan), *_ = results.plans.items()
    fixed = plan.model_copy(update={"split": plan.split.model_copy(update={"seed": 1})})
    advised = recommend(replace(results, plans={name: fixed}))
    assert not advised.split_per_seed
    assert advised.paragraphs[0].startswith("Over 3 seeds on the same 120 held-out items, ")


def test_runs_without_a_finite_loss_are_left_out():
    best = {("soft", None): around(0.9, 8), ("sls", None): around(0.95, 8)}
    advised = advice(best, {("soft", None): [NAN] * 8, ("sls", None): around(1.0, 8)})
    (choice,) = advised.choices
    assert choice.use == "soft"
    assert choice.of("sls").last is None
    assert "at the last (" not in advised.paragraphs[0]


def test_a_method_without_a_shared_seed_is_not_compared():
    losses = {
        ("soft", None): [*around(0.9, 8), NAN],
        ("majority", None): [*around(0.95, 8), NAN],
        ("sls", None): [NAN] * 8 + [0.5],
    }
    (choice,) = advice(losses).choices
    assert (choice.unpaired, choice.lowest("best"), choice.use) == (("sls",), ["soft"], "soft")


def test_methods_without_runs_of_the_reference_are_not_compared():
    losses = {(method, k): around(0.9, 8) for method in ("soft", "sls") for k in (None, 5)}
    losses["soft", 5] = [NAN] * 8
    every, few = advice(losses).choices
    assert every.reference == "soft"
    assert (few.reference, few.compared, few.use) == ("sls", (), "sls")


def test_one_method_is_compared_with_nothing():
    advised = advice({("soft", None): around(0.9, 3)})
    assert advised.power is None
    assert advised.headline == "Compare at least two methods with the same seeds."
    assert advised.paragraphs[0].endswith("there are runs of soft labels only: nothing to compare.")


def test_without_runs_there_is_no_recommendation():
    results = results_of({("soft", None): around(0.9, 3)})
    advised = recommend(replace(results, table=results.table.clear()))
    assert advised.choices == advised.fit == ()
    assert str(advised) == ""


def test_the_protocol_is_reported():
    results = results_of({("soft", None): around(0.9, 3)})
    assert recommend(results).paragraphs[-1].startswith("Protocol of the papers: ")
    apart = recommend(replace(results, validated=frozenset(results.plans)))
    assert apart.paragraphs[-1].startswith("Protocol: the best epoch of each run is chosen on validation items")
    assert "3 seeds with 120 test items each" in apart.paragraphs[0]


@pytest.mark.parametrize(("epoch", "rise", "found"), [(4, 0.2, True), (4, 0.01, False), (80, 0.2, False)])
def test_an_early_best_epoch_and_a_much_worse_last_one_are_overfitting(epoch: int, rise: float, found: bool):
    losses = {(method, None): around(0.9, 8) for method in ("soft", "majority")}
    results = results_of(losses, {arm: [loss + rise for loss in values] for arm, values in losses.items()})
    epochs = pl.when(checkpoint="best").then(float(epoch)).otherwise(99.0)
    rows = results.table.filter(quantity="accuracy").with_columns(quantity=pl.lit("epoch"), value=epochs)
    advised = recommend(replace(results, table=results.table.vstack(rows)))
    assert {one.method for one in advised.overfit} == ({"soft"} if found else set())  # majority has other targets
    if found:
        assert (advised.overfit[0].epoch, advised.overfit[0].epochs) == (5, 100)
        assert "Models overfit: soft labels (best epoch 5 of 100, soft NLL +0.2 from there to the last)." in str(
            advised
        )
        assert "weight decay" in str(advised)


@settings(max_examples=20)
@given(st.integers(2, 12), st.lists(st.integers(-4, 4), min_size=2, max_size=4), st.integers(0, 10**6))
def test_a_recommended_method_passes_independent_tests(seeds: int, shifts: list[int], noise: int):
    rng = np.random.default_rng(noise)
    losses = {
        (method, None): (1 + 0.01 * shift + 0.02 * rng.normal(size=seeds)).tolist()
        for method, shift in zip(("soft", "sls", "majority", "mixup"), shifts, strict=False)
    }
    advised = advice(losses)
    (choice,) = advised.choices
    reference, *others = [np.array(values) for values in losses.values()]
    p = multipletests([stats.wilcoxon(other - reference, method="exact").pvalue for other in others], method="holm")[1]
    sizes = {
        method: float((other - reference).mean()) for (method, _), other in zip(list(losses)[1:], others, strict=True)
    }
    better = {method: size for (method, size), each in zip(sizes.items(), p, strict=True) if each <= 0.05 and size < 0}
    assert choice.use == min(better, key=better.get, default="soft")
    assert len(of_kind(choice, "better") | of_kind(choice, "worse")) == (p <= 0.05).sum()
    assert advised.power.enough is (2 / 2**seeds * len(others) <= 0.05)
    assert ("Train at least" in advised.headline) is not advised.power.enough


def test_whether_models_fit_their_targets_is_judged_by_soft_labels():
    advised = recommend(made_up("demo"))
    every, few = advised.fit
    uniform = np.log(10) - 1  # the excess of uniform predictions
    assert (every.method, every.K, every.fits) == ("soft", (None,), False)
    assert every.excess == pytest.approx((0.4, 0.4))
    assert every.meaning == meaning("soft", 0.4 / uniform, 1.0)
    assert (few.K, few.fits) == ((10, 3), True)
    assert few.relative == pytest.approx((0.2 / uniform, 0.2 / uniform))
    assert advised.paragraphs[-3].startswith(
        "With all votes in training, the training loss of soft labels at the last epoch is 0.400 nats above the entropy of the targets"
        " (31 % of the excess that uniform predictions would have)."
    )
    assert advised.paragraphs[-2].endswith(few.meaning)


def test_without_soft_labels_the_method_closest_to_its_targets_is_judged():
    results = made_up("demo")
    hard = replace(results, table=results.table.filter(pl.col("method").is_in(["multipass", "majority"])))
    (fit,) = recommend(hard).fit
    assert (fit.method, fit.fits) == ("multipass", False)
    assert fit.excess == pytest.approx((0.3, 0.5))
    assert fit.meaning == meaning("multipass", 0.3, 1.0)


def test_a_model_worse_than_uniform_predictions_did_not_learn():
    best = {("soft", None): around(1.54, 8), ("multipass", None): around(0.98, 8), ("shuffled-sls", None): around(2, 8)}
    last = {arm: [loss + 1 for loss in values] for arm, values in best.items()}
    assert recommend(results_of(best, last)).unlearned is None  # the number of classes is unknown
    found = recommend(results_of(best, last, classes=3))
    assert set(found.unlearned.losses) == {
        ("soft", None)
    }  # not a control that is meant to be bad, and not the last epoch
    assert found.paragraphs[0] == (
        "The linear model did not learn the votes: at the best epoch, the soft NLL of soft labels (1.549) is above that of uniform predictions (1.099)."
        f" Try a lower learning rate (now {found.unlearned.lr:g}; lr in a --recipe) before you compare it."
    )
    assert recommend(results_of(best, last, classes=10)).learning == ""


def test_an_overconfident_model_of_the_majority_did_learn():
    losses = {("soft", None): [1.218], ("majority", None): [1.388], ("label-smoothing", None): [1.4]}
    assert recommend(results_of(losses, classes=4)).learning == ""  # uniform predictions have 1.386


def test_the_soft_nll_of_uniform_predictions_is_below_the_table():
    losses = {("soft", None): around(0.98, 8), ("sls", None): around(0.99, 8)}
    assert "Uniform predictions have a soft NLL of 1.099." in side_by_side(results_of(losses, classes=3)).caption
    assert "niform" not in side_by_side(results_of(losses)).caption
