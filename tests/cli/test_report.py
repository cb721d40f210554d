"""`votewise report`: the page again, and one line on what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from toy_study import toy_plan, write_data
from votewise.cli import app
from votewise.studies import Store
from votewise.training import complete


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Of the four runs of a study, three."""
    folder = write_data(tmp_path)
    plan = toy_plan(folder)
    store, dataset = Store(folder / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    for config in configs[:-1]:
        complete(dataset, config, store.path)
    return store


def printed(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["report", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_runs_that_are_missing_are_told_in_one_line(store: Store) -> None:
    (missing,) = store.missing("toy")
    first, second = printed(str(store.path)).splitlines()
    assert first == f"missing: 1 run ({missing}); the page lists what still needs them"
    assert second == f"page: {store.path / 'report.html'}"
    found = json.loads(printed(str(store.path), "--study", "toy", "--json"))
    assert [run["id"] for run in found["missing"]] == [missing.id]
