"""Names of methods come from the method, not from its label."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from made_up import made_up
from toy_study import toy_plan
from votewise.comparison import Methods, name
from votewise.studies.results import Results

VARIANTS = ["soft", "sls", {"name": "sls", "resample_every": 5}, {"name": "label-smoothing", "epsilon": 0.2}, "mixup"]


def methods() -> Methods:
    plan = toy_plan(Path("data"), methods=VARIANTS)
    return Methods.of(Results(pl.DataFrame(), plans={plan.name: plan}))


def test_names_have_the_options_that_differ():
    known = methods()
    assert [known.name(label) for label in known.by_label] == [
        "Soft labels", "SLS", "SLS drawn every 5 epochs", "Label smoothing (epsilon=0.2)", "Mixup",
    ]  # fmt: skip
    assert known.in_sentence("label-smoothing(epsilon=0.2)") == "label smoothing (epsilon=0.2)"
    assert known.in_sentence("sls-every-5") == "SLS drawn every 5 epochs"


def test_a_label_is_not_parsed():
    assert name("sls-every-5") == "sls-every-5"
    assert name("<b>mine</b>") == "<b>mine</b>"


def test_variants_stand_after_their_method_and_unknown_ones_last():
    labels = ["mine", "mixup", "label-smoothing(epsilon=0.2)", "sls-every-5", "sls", "soft", "sls"]
    assert methods().in_order(labels) == [
        "soft", "sls", "sls-every-5", "label-smoothing(epsilon=0.2)", "mixup", "mine",
    ]  # fmt: skip


def test_every_method_of_the_plans_has_a_name():
    known = Methods.of(made_up("demo"))
    assert all(known.name(label) != label for label in known.by_label)
