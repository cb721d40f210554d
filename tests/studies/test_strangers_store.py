"""A store that was altered, or comes from a stranger: what changed is noticed, and nothing is read or written outside it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from toy_study import toy_plan, write_data
from votewise.errors import VotewiseError
from votewise.hashing import sealed
from votewise.probes import read_reading
from votewise.studies import Results, Store, probe, verify
from votewise.studies.source import Source
from votewise.training import Config, Run, complete
from votewise.training.run_files import sha256


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run and a reading of a probe."""
    folder = write_data(tmp_path_factory.mktemp("study"))
    plan, store = toy_plan(folder, methods=["soft"], seeds=[0]), Store(folder / "store")
    data = plan.dataset.load()
    store.record(plan, plan.configs(data))
    for config in plan.configs(data):
        run = complete(data, config, store.path)
    probe([run.folder], only=["reliability"])
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Run:
    """That run in a copy of the store."""
    shutil.copytree(finished / "store", tmp_path / "store")
    (found,) = Store(tmp_path / "store").all_runs()
    return found


def edit(path: Path, change: Callable[[dict], None], seal: bool = False) -> None:
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(sealed(values) if seal else values))


def sign_again(run: Run) -> None:
    """What somebody would do who wants no change to be noticed."""
    edit(
        run.folder / "scores.json",
        lambda scores: scores["digests"].update({name: sha256(run.folder / name) for name in scores["digests"]}),
        seal=True,
    )


def reading(run: Run) -> Path:
    (path,) = (run.folder / "probes").glob("*.json")
    return path


def test_a_whole_store_is_right(run: Run) -> None:
    found = verify(run.store)
    assert (found.problems, found.unchecked, dict(found.unsealed)) == ([], [], {})


def test_every_bit_of_a_reading_counts(run: Run) -> None:
    whole = reading(run).read_bytes()
    assert read_reading(reading(run)) is not None
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        changed = bytes([whole[place] ^ 1])
        if changed.isspace() or whole[place : place + 1].isspace():
            continue
        reading(run).write_bytes(whole[:place] + changed + whole[place + 1 :])
        (problem,) = verify(run.store).problems
        assert "probes/" in problem
        assert read_reading(reading(run)) is None  # so that it is measured again, and not shown
    reading(run).write_bytes(whole)
    assert not verify(run.store).problems


def test_a_reading_of_an_older_version_is_used_and_reported(run: Run) -> None:
    edit(reading(run), lambda values: values.pop("digest"))
    found = verify(run.store)
    assert (found.problems, dict(found.unsealed)) == ([], {"readings of probes": 1})
    assert read_reading(reading(run)) is not None


@pytest.mark.parametrize("name", ["environment.json", "timing.jsonl", "data.json"])
def test_a_changed_note_is_noticed_and_not_used(run: Run, name: str) -> None:
    path = run.folder / name
    edit(path, lambda values: values.update(x=1))
    (problem,) = verify(run.store).problems
    assert f"{name} does not match its digest" in problem
    assert not {"environment.json": run.environment, "timing.jsonl": run.timing, "data.json": run.origin}[name]
    edit(path, lambda values: (values.pop("digest"), values.pop("x")))
    found = verify(run.store)
    assert (found.problems, dict(found.unsealed)) == ([], {name: 1})


def history(run: Run, change: Callable[[list[dict]], None]) -> None:
    lines = [json.loads(line) for line in (run.folder / "history.jsonl").read_text().splitlines()]
    change(lines)
    (run.folder / "history.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def scores(run: Run, change: Callable[[dict], None]) -> None:
    edit(run.folder / "scores.json", change, seal=True)


def exchange_weights(run: Run) -> None:
    from safetensors.torch import load_file, save_file

    for name in ("best", "last"):
        path = run.folder / f"{name}.safetensors"
        save_file({key: -value for key, value in load_file(path).items()}, path)
    shutil.rmtree(run.folder / "probes")  # which would be of other weights


SIGNED: dict[str, Callable[[Run], None]] = {
    "another best epoch": lambda run: scores(run, lambda s: s.update(best_epoch=1 - min(s["best_epoch"], 1))),
    "another loss of training": lambda run: scores(run, lambda s: s["interpolation"].update(train_loss_last=0.1)),
    "another entropy": lambda run: scores(run, lambda s: s["interpolation"].update(target_entropy=0.1)),
    "fewer epochs": lambda run: history(run, lambda lines: lines.pop()),
    "another epoch": lambda run: history(run, lambda lines: lines[1].update(epoch=7)),
    "another rate": lambda run: history(run, lambda lines: lines[1].update(lr=7.0)),
    "a better first epoch": lambda run: history(run, lambda lines: lines[0].update(soft_nll=0.01)),
    "another last accuracy": lambda run: history(run, lambda lines: lines[-1].update(accuracy=0.123)),
    "text for a number": lambda run: history(run, lambda lines: lines[0].update(soft_nll="low")),
    "other weights": exchange_weights,
}


@pytest.mark.parametrize("change", SIGNED)
def test_a_change_with_new_digests_is_noticed(run: Run, change: str) -> None:
    SIGNED[change](run)
    sign_again(run)
    assert run.finished
    (problem,) = verify(run.store).problems
    assert problem.startswith(run.name)


ODD = [
    (key, value)
    for key in ("best", "last", "best_epoch", "epochs", "interpolation", "tape", "exact", "net")
    for value in (None, "x", [1], {"soft_nll": "low"}, {"\ud800": 1.0}, -1)
    if (key, value) not in (("tape", "x"), ("net", None))  # which have the right type
]


@pytest.mark.parametrize(("key", "value"), ODD, ids=repr)
def test_odd_types_in_scores_are_damage(run: Run, key: str, value: object) -> None:
    """Whatever they are, the run counts as damaged, so no page is made of it."""
    scores(run, lambda values: values.update({key: value}))
    assert not run.finished
    assert len(verify(run.store).problems) == 1
    with pytest.raises(VotewiseError, match="no finished runs"):
        Results.of(Store(run.store))


@pytest.mark.parametrize("name", ["../../escaped/x", "/tmp/x", "a/b", "a\\b", "a\0b"])
def test_the_name_of_a_dataset_is_no_path(run: Run, name: str) -> None:
    config = json.loads((run.folder / "config.json").read_text())
    values = {key: value for key, value in config.items() if key not in ("schema", "id")}
    with pytest.raises(ValueError, match="pattern"):
        Config.model_validate({**values, "dataset_name": name})
    edit(run.folder / "config.json", lambda values: values.update(dataset_name=name))
    sign_again(run)
    (problem,) = verify(run.store).problems
    assert "dataset_name" in problem
    with pytest.raises(VotewiseError):
        probe([run.folder], only=["dynamics"])
    with pytest.raises(VotewiseError):
        Run.named(run.store, "../../escaped")


@pytest.mark.parametrize(
    "name", ["config.json", "scores.json", "history.jsonl", "environment.json", "archived.json", "predictions.npz"]
)
def test_a_pipe_in_a_store_is_not_waited_for(run: Run, name: str) -> None:
    (run.folder / name).unlink(missing_ok=True)
    os.mkfifo(run.folder / name)
    found = verify(run.store)
    assert len(found.problems) == (name != "archived.json")


def test_going_on_with_a_run_leaves_hidden_files_alone(run: Run) -> None:
    data = Source.model_validate(run.origin).load() if run.origin else None
    assert data is not None
    (run.folder / "scores.json").unlink()
    (run.folder / ".notes.txt").write_text("mine")
    (run.folder / ".a.b").mkdir()
    assert complete(data, run.config, run.store).finished
    assert (run.folder / ".notes.txt").read_text() == "mine"


def test_a_list_that_gives_a_run_another_id_is_refused(run: Run) -> None:
    store = Store(run.store)
    edit(store.path / "studies" / store.studies()[0] / "runs.json", lambda runs: runs.update(other=runs.pop(run.id)))
    with pytest.raises(VotewiseError, match="cannot read the list of runs"):
        store.runs(store.studies()[0])
    with pytest.raises(VotewiseError, match="no finished runs"):
        Results.of(store)


def test_the_configuration_of_another_run_is_not_gathered(run: Run) -> None:
    edit(run.folder / "config.json", lambda config: config.update(seed=7))
    sign_again(run)
    with pytest.raises(VotewiseError, match="belongs to another run"):
        Results.of(Store(run.store))


def _a_word_in_a_curve(content: dict) -> None:
    curve = next(iter(content["curves"].values()))
    curve[next(iter(curve))][0] = "cat"


@pytest.mark.parametrize("change", [_a_word_in_a_curve, lambda content: content["numbers"].update({"\ud800": 1.0})])
def test_a_reading_of_other_types_is_not_read(run: Run, change: Callable[[dict], None]) -> None:
    edit(reading(run), change, seal=True)
    assert read_reading(reading(run)) is None
