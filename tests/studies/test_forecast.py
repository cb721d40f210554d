"""Before a study: time by real steps or by finished runs, disk by the net and the data."""

from __future__ import annotations

import math
from pathlib import Path

from toy_study import toy_plan, write_data

from votewise.studies import Store, forecast
from votewise.training import Engine, complete


def test_a_forecast_learns_from_finished_runs(tmp_path: Path) -> None:
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"]), Store(tmp_path / "store")
    dataset = plan.dataset.load()
    first, second = plan.configs(dataset)
    guess = forecast(dataset, [first, second], store, Engine(), 1)
    assert guess.source == "by a few steps"
    assert 0 < guess.seconds < math.inf
    folder = complete(dataset, first, store.path).folder
    known = forecast(dataset, [second], store, Engine(), 1)
    assert known.source == "by finished runs"
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert size <= known.bytes < 1.5 * size
    assert size < guess.bytes < 8 * size
    assert forecast(dataset, [], store, Engine(), 2).seconds == 0


def test_a_run_that_diverges_can_be_forecast(tmp_path: Path) -> None:
    plan = toy_plan(write_data(tmp_path), recipe={"model": "linear", "epochs": 1, "batch_size": 60, "lr": 1e38})
    dataset = plan.dataset.load()
    assert forecast(dataset, plan.configs(dataset), Store(tmp_path / "store"), Engine(), 2).seconds > 0
