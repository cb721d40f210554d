"""Before a study: time by real steps or by finished runs, disk by the net and the data."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import pytest
from toy_study import toy_plan, write_data

from votewise.studies import Store, forecast
from votewise.studies.forecast import seconds_of
from votewise.training import Engine, complete


def test_a_forecast_learns_from_finished_runs(tmp_path: Path) -> None:
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"]), Store(tmp_path / "store")
    dataset = plan.dataset.load()
    first, second = plan.configs(dataset)
    guess = forecast(dataset, [first, second], store, Engine(), 1)
    assert guess.source == "by a short run"
    assert 0 < guess.seconds < math.inf
    assert not store.path.exists()  # what was timed is thrown away
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


def test_the_start_of_workers_and_the_last_round_count(tmp_path: Path) -> None:
    """Three runs on two workers take two rounds; what is known of a finished run makes that exact."""
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"], seeds=[0, 1, 2, 3]), Store(tmp_path / "store")
    dataset = plan.dataset.load()
    first, *others = plan.configs(dataset)
    complete(dataset, first, store.path)
    one, all_three = (forecast(dataset, runs, store, Engine(), 2, start=7.0).seconds for runs in (others[:1], others))
    assert one > 7
    assert all_three - 7 == pytest.approx(2 * (one - 7))


def test_a_run_costs_more_than_its_epochs(tmp_path: Path) -> None:
    """It is scored and written, too: a run of no steps to speak of is not free."""
    plan = toy_plan(write_data(tmp_path), epochs=9)
    dataset = plan.dataset.load()
    per_epoch, besides = seconds_of(dataset, plan.configs(dataset)[0], Engine())
    assert per_epoch > 0
    assert besides > 0


def test_a_run_too_long_to_be_tried_is_known_by_its_first_steps(tmp_path: Path) -> None:
    plan = toy_plan(write_data(tmp_path), epochs=10**6)
    dataset = plan.dataset.load()
    per_epoch, besides = seconds_of(dataset, plan.configs(dataset)[0], Engine(), budget=0.0)
    assert 0 < per_epoch == besides  # scoring goes over all items: about an epoch's price


def test_an_epoch_of_one_step_that_takes_too_long_can_be_forecast(tmp_path: Path) -> None:
    plan = toy_plan(write_data(tmp_path), recipe={"model": "mlp", "epochs": 9, "batch_size": 1000})
    dataset = plan.dataset.load()
    assert min(seconds_of(dataset, plan.configs(dataset)[0], Engine(), budget=0.0)) > 0


def test_where_nothing_can_be_tried_something_is_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with the store is told by who writes there, and not by a folder that nobody named."""
    plan = toy_plan(write_data(tmp_path))
    dataset = plan.dataset.load()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert forecast(dataset, plan.configs(dataset), Store(tmp_path / "store"), Engine(), 2).seconds > 0
