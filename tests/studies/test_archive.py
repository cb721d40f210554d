"""An archive: the small files of a store, which say all that the whole store says of its results."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from toy_study import toy_plan, write_data
from votewise.cli import main
from votewise.errors import VotewiseError
from votewise.studies import Results, Store, archive, verify
from votewise.training import Run, complete


@pytest.fixture
def store(tmp_path: Path) -> Store:
    plan = toy_plan(write_data(tmp_path), probes=[{"name": "dynamics", "methods": ["soft", "sls"]}])
    store, dataset = Store(tmp_path / "store"), plan.dataset.load()
    store.record(plan, plan.configs(dataset))
    for config in plan.configs(dataset):
        complete(dataset, config, store.path)
    return store


def test_an_archive_has_the_same_results_without_the_large_files(store: Store, tmp_path: Path) -> None:
    assert archive(store.path, tmp_path / "small") == 4
    small = Store(tmp_path / "small")
    assert Results.of(small).table.equals(Results.of(store).table)
    assert small.missing() == []
    assert not list(small.path.rglob("*.safetensors")) + list(small.path.rglob("*.npz"))
    found = verify(small.path)
    assert (found.runs, found.problems) == (4, [])
    assert len(found.unchecked) == 4


def test_an_archived_run_is_not_trained_again_and_has_no_weights(store: Store, tmp_path: Path) -> None:
    archive(store.path, tmp_path / "small")
    plan = store.plan("toy")
    dataset = plan.dataset.load()
    run = complete(dataset, plan.configs(dataset)[0], tmp_path / "small")
    assert not (run.folder / "last.safetensors").exists()
    with pytest.raises(VotewiseError, match="weights of this run are missing"):
        run.predict(dataset)


def test_a_changed_file_of_an_archive_is_noticed(store: Store, tmp_path: Path) -> None:
    archive(store.path, tmp_path / "small")
    folder = Store(tmp_path / "small").all_runs()[0].folder
    (folder / "history.jsonl").write_text("")
    assert not Run(folder).finished
    assert len(verify(tmp_path / "small").problems) == 1
    archive(store.path, tmp_path / "small")
    assert Run(folder).finished
    assert Run(folder).history == store.all_runs()[0].history


def test_the_command_refuses_what_is_no_store(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["votewise", "archive", str(tmp_path), str(tmp_path / "small")])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "no finished runs" in capsys.readouterr().err
