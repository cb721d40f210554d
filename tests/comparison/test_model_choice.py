"""The model to use: each enters with the method that is best for it at that epoch."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from made_up import Losses, results_of
from votewise.comparison import ModelRecommendation, recommend_model
from votewise.studies import Results

SOFT, MULTIPASS = ("soft", None), ("multipass", None)


def around(mean: float) -> list[float]:
    return [mean + 0.001 * seed * (1 + mean) for seed in range(8)]


def advice(by_model: dict[str, tuple[Losses, Losses]], classes: int | None = None) -> ModelRecommendation:
    """The recommendation for models with these losses at the best and at the last epoch."""
    tables, plans, known = [], {}, {}
    for model, (best, last) in by_model.items():
        made = results_of(best, last, classes=classes)
        known |= made.classes
        (plan,) = made.plans.values()
        recipe = {**plan.recipe, "model": model}
        plans[model] = plan.model_copy(update={"name": model, "recipe": recipe, "comparison": "both"})
        tables.append(made.table.with_columns(study=pl.lit(model)))
    return recommend_model(Results(pl.concat(tables), plans=plans, classes=known))


def test_each_model_enters_an_epoch_with_its_own_method():
    linear = {SOFT: around(0.95), MULTIPASS: around(0.99)}
    best, last = {SOFT: around(0.90), MULTIPASS: around(0.935)}, {SOFT: around(1.3), MULTIPASS: around(0.98)}
    advised = advice({"linear": (linear, linear), "mlp": (best, last)})
    assert (advised.model, advised.method, advised.without) == ("mlp", "soft", "linear")
    gaps = advised.differences["linear"]
    assert gaps["best"][0] == pytest.approx(0.05, abs=0.001)
    assert gaps["last"][0] == pytest.approx(-0.03, abs=0.001)
    assert advised.headline == (
        "With early stopping, use the mlp model with soft labels; without, use the linear model with soft labels."
    )
    assert "at the last epoch (with soft labels; mlp with multipass)" in advised.reasons[0]


def test_a_model_without_a_rival_still_names_both_methods():
    best, last = {SOFT: around(0.90), MULTIPASS: around(0.935)}, {SOFT: around(1.3), MULTIPASS: around(0.98)}
    worse = {arm: [loss + 0.5 for loss in values] for arm, values in last.items()}
    advised = advice({"mlp": (best, last), "linear": (worse, worse)})
    assert advised.headline == (
        "With early stopping, use the mlp model with soft labels; without, use the mlp model with multipass."
    )


def test_a_draw_between_models_is_stated_first():
    near = {SOFT: [loss + (-1) ** seed * 0.1 - 0.01 for seed, loss in enumerate(around(0.95))]}
    linear = {SOFT: around(0.95)}
    assert advice({"linear": (linear, linear), "mlp": (near, near)}).headline.startswith(
        "Use the linear model. No significant difference between the models was found;"
        " the mlp model has the lower mean soft NLL at the best epoch."
    )
    assert " the mlp model has the lower mean" in advice({"mlp": (near, near), "linear": (linear, linear)}).headline
    worse = {SOFT: around(1.5)}
    some = advice({"linear": (linear, linear), "mlp": (near, near), "resnet8": (worse, worse)})
    assert "No significant difference between linear and mlp was found" in some.headline
    assert "No significant" not in advice({"linear": (linear, linear), "resnet8": (worse, worse)}).headline


@pytest.mark.parametrize(("models", "found"), [(2, True), (4, False)])
def test_differences_between_models_are_corrected_for_their_number(models: int, found: bool):
    """The 95 % interval of one difference excludes zero; with Bonferroni's correction over three, it does not."""
    noise = np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]) * 0.01
    size = 2.8 * noise.std(ddof=1) / np.sqrt(8)
    assert stats.t.ppf(0.975, 7) < 2.8 < stats.t.ppf(1 - 0.025 / 3, 7)
    losses = {"linear": noise * 0, "mlp": noise + size, "resnet8": noise, "digits": noise}
    advised = advice({name: ({SOFT: list(0.9 + losses[name])},) * 2 for name in list(losses)[:models]})
    assert ("No significant difference between the models was found" in advised.headline) != found
    assert ("with Bonferroni's correction over 3 comparisons" in advised.reasons[0]) != found


def test_one_seed_gives_no_difference_between_models():
    one = {SOFT: [0.9], MULTIPASS: [0.8]}
    advised = advice({"linear": (one, one), "mlp": (one, one)})
    assert advised.headline.startswith(
        "Use the linear model. No significant difference between the models was found. Train at least"
    )
    assert advised.differences == {"mlp": {}}


def test_a_model_that_did_not_learn_is_not_compared():
    good, bad = {SOFT: around(0.95), MULTIPASS: around(0.99)}, {SOFT: around(1.05), MULTIPASS: around(1.54)}
    advised = advice({"linear": (bad, bad), "mlp": (good, good)}, classes=3)
    assert (advised.model, advised.unlearned, advised.differences) == ("mlp", ("linear",), {})
    assert advised.headline == (
        "No verdict between the models: linear did not learn the votes. With mlp, use soft labels: no other method is significantly better."
    )
    remark = advised.advised["linear"].learning
    assert remark.startswith("The linear model did not learn the votes: ")
    assert advised.paragraphs[0] == remark
    better = {SOFT: around(0.8), MULTIPASS: around(0.9)}
    three = advice({"linear": (bad, bad), "mlp": (good, good), "resnet8": (better, better)}, classes=3)
    assert three.headline.endswith("Of the other models: use the resnet8 model with soft labels.")
    assert "Bonferroni" not in three.intervals
    both = advice({"linear": (bad, bad), "mlp": (bad, bad)}, classes=3)
    assert both.headline == "No verdict between the models: linear and mlp did not learn the votes."
    assert [text.partition(" did")[0] for text in both.paragraphs if "did not learn" in text] == [
        "The linear model",
        "The mlp model",
    ]
