"""Before a study: time and disk of its runs, by finished runs like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toy_study import toy_plan, write_data
from votewise.studies import Store, estimate
from votewise.training import complete


def test_runs_are_estimated_by_finished_runs_like_them(tmp_path: Path) -> None:
    """Three runs on two workers take two rounds; twice the epochs take twice the time."""
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"], seeds=[0, 1, 2, 3]), Store(tmp_path / "store")
    dataset = plan.dataset.load()
    first, *others = plan.configs(dataset)
    assert estimate(others, store, 2) is None
    run = complete(dataset, first, store.path)
    assert estimate([], store, 2) is None
    one, three = estimate(others[:1], store, 2), estimate(others, store, 2)
    assert one is not None
    assert three is not None
    assert one.seconds == pytest.approx(run.timing[0])
    assert three.seconds == pytest.approx(2 * one.seconds)
    assert (one.bytes, three.bytes) == (run.size, 3 * run.size)
    longer = estimate(plan.changed(epochs=2 * plan.trained_with.epochs).configs(dataset)[:1], store, 2)
    assert longer is not None
    assert longer.seconds == pytest.approx(2 * one.seconds)


def test_another_recipe_is_not_estimated(tmp_path: Path) -> None:
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"]), Store(tmp_path / "store")
    dataset = plan.dataset.load()
    complete(dataset, plan.configs(dataset)[0], store.path)
    other = toy_plan(tmp_path, recipe={**plan.recipe, "batch_size": 8})
    assert estimate(other.configs(dataset), store, 1) is None
