"""Workers on this machine: killed, interrupted, locked out, failing: everything else is finished and nothing comes out differently."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from toy import toy_dataset
from toy_study import bits, toy_plan, write_data
from votewise.errors import VotewiseError
from votewise.papers import paper as paper_called
from votewise.studies import Event, Local, Outcome, Plan, Store, Training, agenda, conduct, local, shard
from votewise.training import Engine, complete

study, STUDIES = paper_called("basins").plan, paper_called("basins").studies

EVERY_STEP = Engine(checkpoint_seconds=0.0)


def trained_here(plan: Plan, store: Path) -> dict[str, str]:
    """The bits of a study whose runs were trained one after the other, in this process, without any executor."""
    dataset = plan.dataset.load()
    for config in plan.configs(dataset):
        complete(dataset, config, store)
    return bits(store)


def execute(
    plan: Plan, store: Path, workers: int, tell=lambda _run, _epochs: None, engine=EVERY_STEP
) -> dict[str, Outcome]:
    configs, work = plan.configs(plan.dataset.load()), Training(plan.dataset, store, engine)
    return {outcome.id: outcome for outcome in Local(workers).execute(configs, work, tell)}


def test_a_worker_that_is_killed_is_replaced_and_nothing_comes_out_differently(tmp_path: Path) -> None:
    plan = toy_plan(write_data(tmp_path), epochs=8)
    killed, told = list[int](), dict[str, list[int]]()

    def kill_once(run: str, epochs: int) -> None:
        told.setdefault(run, []).append(epochs)
        if epochs > 3 and not killed:
            (child,) = multiprocessing.active_children()
            os.kill(child.pid, signal.SIGKILL)
            killed.append(child.pid)

    outcomes = execute(plan, tmp_path / "store", 1, kill_once)
    assert [outcome.kind for outcome in outcomes.values()] == ["finished"] * 4
    assert killed
    assert all(max(epochs) == 8 for epochs in told.values())
    assert bits(tmp_path / "store") == trained_here(plan, tmp_path / "here")
    assert not multiprocessing.active_children()


def test_a_run_whose_process_always_dies_is_given_up_and_the_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "TRIES", 2)
    plan = toy_plan(write_data(tmp_path), methods=["soft"], epochs=100)
    dataset = plan.dataset.load()
    doomed, other = plan.configs(dataset)
    dead = list[int]()

    def kill_twice(event: Event) -> None:
        (child,) = multiprocessing.active_children()
        if len(dead) < 2 and child.pid not in dead:  # a dead worker's job is the next one again
            os.kill(child.pid, signal.SIGKILL)
            dead.append(child.pid)

    store = Store(tmp_path / "store")
    failures = conduct(agenda([plan], store), store, executor=Local(1), on_progress=kill_twice)
    assert list(failures.runs) == [doomed.folder_name]
    assert "died 2 times, by SIGKILL" in failures.runs[doomed.folder_name]
    assert store.run(other).finished
    (missing,) = store.missing("toy")
    assert "died 2 times" in missing.reason


def test_a_locked_run_is_skipped_and_returned_to(tmp_path: Path) -> None:
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"]), tmp_path / "store"
    configs = plan.configs(plan.dataset.load())
    taken = Store(store).run(configs[0]).folder
    taken.mkdir(parents=True)
    order = []
    lock = FileLock(taken / ".lock")
    lock.acquire()
    for outcome in Local(1).execute(configs, Training(plan.dataset, store, EVERY_STEP), lambda *_: None):
        order.append(outcome.id)
        lock.release()  # only now may the other one be trained
    assert order == [configs[1].id, configs[0].id]
    assert bits(store) == trained_here(plan, tmp_path / "here")


def test_a_run_that_fails_on_its_own_is_recorded_and_the_others_finish(tmp_path: Path) -> None:
    calm = toy_plan(write_data(tmp_path), methods=["soft"])
    wild = toy_plan(tmp_path, methods=["soft"], recipe={**calm.recipe, "lr": 1e38})
    dataset, store = calm.dataset.load(), Store(tmp_path / "store")
    configs = [config for pair in zip(wild.configs(dataset), calm.configs(dataset), strict=True) for config in pair]
    outcomes = Local(1).execute(configs, Training(calm.dataset, store.path, Engine()), lambda *_: None)
    assert [outcome.kind for outcome in outcomes] == ["failed", "finished"] * 2
    store.record(wild, wild.configs(dataset))
    assert all("learning rate" in run.reason for run in store.missing("toy"))


def test_a_store_that_cannot_be_written_stops_all(tmp_path: Path) -> None:
    plan = toy_plan(write_data(tmp_path))
    (tmp_path / "store").write_text("a file where the store should be")
    with pytest.raises(VotewiseError, match="cannot write the run"):
        execute(plan, tmp_path / "store", 1)
    assert not multiprocessing.active_children()


@given(st.integers(1, 12))
def test_shards_are_a_partition(count: int) -> None:
    configs = study("main", "paper").configs(toy_dataset())
    parts = [shard(configs, f"{number}/{count}") for number in range(count)]
    assert sorted(config.id for part in parts for config in part) == sorted(config.id for config in configs)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert [config.id for config in shard(configs[::-1], f"0/{count}")] == [config.id for config in parts[0]][::-1]


@pytest.mark.parametrize("part", ["4/4", "-1/4", "1", "a/b", "1/0", "1/2/3"])
def test_a_shard_that_is_none(part: str) -> None:
    with pytest.raises(VotewiseError, match="unknown shard"):
        shard([], part)


SCRIPT = """
import votewise as vw
from votewise.workflows import Execution

data = vw.Dataset.from_files("inputs.npy", "votes.csv")
vw.compare(data, ["soft", "sls"], seeds=6, execution=Execution(workers=1))
"""


def test_a_worker_that_dies_before_its_first_epoch_stops_all(tmp_path: Path) -> None:
    """A script without a main guard: each worker would run the script again."""
    write_data(tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("bootstrapping phase") == 1  # of one worker, not of three for each of twelve runs
    assert (
        "RunFailedError: a worker process died before its first epoch, with exit code 1, so nothing was trained"
        in done.stderr
    )
    assert "__main__" in done.stderr.splitlines()[-1]
