"""The numbers of the probes are declared once, with the probe that they come from."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from votewise.probes import DETECTORS, PROBES, QUANTITIES, SUMMARIES, Reading, curvature, ood


def test_every_probe_has_a_summary_and_quantities() -> None:
    assert list(SUMMARIES) == list(PROBES)
    assert {quantity.probe for quantity in QUANTITIES.values()} == set(PROBES)


def test_keys_and_labels_are_unique() -> None:
    assert all(key == quantity.key for key, quantity in QUANTITIES.items())
    by_probe = [(quantity.probe, quantity.label) for quantity in QUANTITIES.values()]
    assert len(set(by_probe)) == len(by_probe)


@pytest.mark.parametrize(
    ("key", "probe", "better", "unit"),
    [
        ("lambda_max_high", "curvature", None, ""),
        ("barrier_reestimated", "barrier", None, "nats"),
        ("gradcam_distance_high", "representation", "lower", "pixels"),
        ("auroc_far_energy", "ood", "higher", ""),
        ("fpr95_near_knn", "ood", "lower", ""),
        ("train_l1_others_high", "diagnosis", None, "nats"),
        ("kl_high_third", "spread", "lower", "nats"),
    ],
)
def test_facts_of_some_numbers(key: str, probe: str, better: str | None, unit: str) -> None:
    quantity = QUANTITIES[key]
    assert (quantity.probe, quantity.better, quantity.unit) == (probe, better, unit)


def test_a_reading_explains_the_sets_and_slices_of_a_user() -> None:
    model, x = torch.nn.Linear(2, 3).eval(), np.ones((5, 2))
    reading = ood(model, x, {"svhn": 0 * x}, detectors=["msp"])
    assert reading.quantity("auroc_svhn_msp").label == f"AUROC (svhn, {DETECTORS['msp']})"
    part = curvature(model, x, np.eye(3)[[0, 1, 2, 0, 1]], trace=False, sharpness=False).reading("cats")
    assert (part | reading).quantity("lambda_max_cats").label == "λmax (cats)"
    line = next(line for line in str(reading).splitlines() if line.startswith("fpr95_svhn_msp"))
    assert line.endswith("; lower is better")


def test_a_number_that_nobody_declared_has_its_key_for_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the check of every reading
    assert str(Reading({"luck": 0.5})).split() == ["luck", "0.5"]
