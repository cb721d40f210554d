"""`votewise probe`: a help that says what every probe measures, and a sentence for what cannot be meant."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import votewise as vw
from toy_study import toy_plan, write_data
from votewise.cli import main
from votewise.probes import PROBES, SUMMARIES, Probe
from votewise.studies import Store
from votewise.training import complete
from votewise.training.run_results import CHECKPOINTS


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["votewise", "probe", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One finished run."""
    data = write_data(tmp_path_factory.mktemp("data"))
    plan, store = toy_plan(data, seeds=[0]), Store(data / "store")
    dataset = plan.dataset.load()
    configs = plan.configs(dataset)[:1]
    store.record(plan, configs)
    return complete(dataset, configs[0], store.path).folder


def test_the_help_names_every_probe_and_what_it_measures(monkeypatch, capsys) -> None:
    assert list(SUMMARIES) == list(PROBES)
    monkeypatch.setenv("COLUMNS", "100")
    assert run(monkeypatch, "--help") == 0
    said = capsys.readouterr().out
    assert [line for line in SUMMARIES.values() if line not in said] == []
    run(monkeypatch)
    assert capsys.readouterr().out.rstrip() == said.rstrip()


def test_the_checkpoints_are_those_of_a_probe(folder, monkeypatch, capsys) -> None:
    assert all(Probe.model_validate({"checkpoint": name}) for name in CHECKPOINTS)
    assert run(monkeypatch, folder, "--checkpoint", "middle") == 2
    assert capsys.readouterr().err == "votewise: unknown checkpoint 'middle'; choose best or last\n"


def test_an_unknown_probe_is_answered_with_all_names(folder, monkeypatch, capsys) -> None:
    assert run(monkeypatch, folder, "--only", "luck") == 2
    said = capsys.readouterr().err
    assert [name for name in PROBES if repr(name) not in said] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "luck"], "unknown probe 'luck'"),
        (["--chunk", "0"], "chunk must be a whole number of 1 or more, got 0"),
        (["--only", "barrier"], "barrier compares two runs; give two folders"),
    ],
)
def test_what_is_asked_is_checked_before_the_data_is_looked_for(
    folder, tmp_path, monkeypatch, capsys, options, said
) -> None:
    alone = shutil.copytree(folder, tmp_path / "runs" / folder.name)
    (alone / "data.json").unlink()
    assert run(monkeypatch, alone, *options) == 2
    assert said in capsys.readouterr().err
    assert run(monkeypatch, alone) == 2
    assert "the training data was not found" in capsys.readouterr().err


def test_a_run_of_no_study_is_probed(tmp_path, monkeypatch, capsys) -> None:
    """It says itself where its data is, from whatever folder it is asked. What was dropped is not reported again."""
    write_data(tmp_path)
    monkeypatch.chdir(tmp_path)
    with open("votes.csv", "a") as file:
        file.write("0,p9,\n")
    with pytest.warns(vw.DroppedVotes, match="dropped 1: no label"):
        data = vw.Dataset.from_files("inputs.npy", "votes.csv", item="item", label="label", classes=("c", "b", "a"))
    recipe = vw.Recipe.preset("demo", model="linear", epochs=2)
    one, two = (vw.fit(data, "soft", recipe, seed=seed, store="s").folder.resolve() for seed in (0, 1))
    monkeypatch.chdir("/")
    assert run(monkeypatch, one, two, "--only", "reliability,barrier", "--workers", 1) == 0
    out, err = capsys.readouterr()
    assert f"barrier of {one.name} and {two.name}" in out
    assert "dropped" not in err


def test_a_run_is_not_compared_with_itself(folder, monkeypatch, capsys) -> None:
    other = folder.parent / ".." / "runs" / folder.name
    assert run(monkeypatch, folder, other, "--only", "barrier") == 2
    assert capsys.readouterr().err == f"votewise: the run {folder.name} is listed twice; list each run once\n"


def test_every_number_is_printed_with_what_it_means(folder, monkeypatch, capsys) -> None:
    assert run(monkeypatch, folder, "--only", "dynamics", "--workers", 1) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"dynamics of {folder.name}"
    (line,) = (line for line in lines if "epoch_95" in line)
    assert line.endswith("first epoch within 5 % of the best soft NLL, counted from 0; lower is faster")
