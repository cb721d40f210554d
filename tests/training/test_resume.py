"""Killed anywhere and started again, a run ends in the same bits as one that was never killed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from fuzz.kills import SUBJECTS, Kills

from toy import toy_dataset
from votewise import counter
from votewise.training import METHODS, Engine, Progress, Recipe, Run, complete, configure, method
from votewise.training import loop as training_loop

EVERY_STEP = Engine(checkpoint_seconds=0.0)
RECIPE = Recipe.preset("demo", model="mlp", epochs=3, batch_size=12)  # 4 steps an epoch, 12 in all
DATASET = toy_dataset(60)


class Stopped(Exception):
    pass


def stop_after(calls: int):
    """A `tell` that throws at its n-th call: the process dies there as far as the run is concerned."""
    left = calls

    def tell(_: Progress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped

    return tell


def bits(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.name not in (".lock", "timing.jsonl")
    }


@pytest.mark.parametrize("name", METHODS)
def test_stopped_at_every_step_it_ends_in_the_same_bits(name: str, tmp_path: Path) -> None:
    config = configure(DATASET, method(name), RECIPE, seed=3)
    whole = bits(complete(DATASET, config, tmp_path / "whole").folder)
    assert "scores.json" in whole
    assert not any(name.startswith("state") for name in whole)
    for calls in range(12 + 3):
        store = tmp_path / str(calls)
        try:
            complete(DATASET, config, store, EVERY_STEP, stop_after(calls))
        except Stopped:
            assert not Run(store / "runs" / config.folder_name).finished
        assert bits(complete(DATASET, config, store).folder) == whole, calls


@pytest.mark.parametrize(("calls", "epochs"), [(6, 2), (14, 0)])
def test_the_timing_counts_the_epochs_of_the_last_session(calls: int, epochs: int, tmp_path: Path) -> None:
    """With a saved state in each of four steps and after each of three epochs, the sixth is in the second epoch, and the fourteenth after the last."""
    config = configure(DATASET, method("soft"), RECIPE)
    with pytest.raises(Stopped):
        complete(DATASET, config, tmp_path, EVERY_STEP, stop_after(calls))
    timing = complete(DATASET, config, tmp_path).timing
    assert (timing[1] if timing else 0) == epochs


def test_dropped_momentum_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: a resume that forgets the optimiser gives other bits."""
    config = configure(DATASET, method("soft"), RECIPE)
    whole = bits(complete(DATASET, config, tmp_path / "whole").folder)
    with pytest.raises(Stopped):
        complete(DATASET, config, tmp_path / "cut", EVERY_STEP, stop_after(5))
    honest = training_loop.restore

    def forgetful(tensors, model, optimiser):
        return honest({name: t for name, t in tensors.items() if not name.startswith("optimizer/")}, model, optimiser)

    monkeypatch.setattr(training_loop, "restore", forgetful)
    assert bits(complete(DATASET, config, tmp_path / "cut").folder)["last.safetensors"] != whole["last.safetensors"]


def test_a_counter_off_by_one_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configure(DATASET, method("sls"), RECIPE)
    whole = bits(complete(DATASET, config, tmp_path / "whole").folder)
    honest = counter.order
    monkeypatch.setattr(counter, "order", lambda key, epoch, row: honest(key, epoch + 1, row))
    assert bits(complete(DATASET, config, tmp_path / "off").folder)["last.safetensors"] != whole["last.safetensors"]


def test_other_seeds_give_other_bits_and_the_same_seed_the_same(tmp_path: Path) -> None:
    runs = [
        complete(DATASET, configure(DATASET, method("sls"), RECIPE, seed=s), tmp_path / str(i))
        for i, s in enumerate((0, 1, 0))
    ]
    first, other, again = (bits(run.folder) for run in runs)
    assert first == again
    assert first["last.safetensors"] != other["last.safetensors"]


@pytest.mark.parametrize("damage", ["bit", "cut", "gone"])
def test_a_damaged_state_is_noticed_and_the_other_slot_used(damage: str, tmp_path: Path) -> None:
    config = configure(DATASET, method("multipass"), RECIPE)
    whole = bits(complete(DATASET, config, tmp_path / "whole").folder)
    with pytest.raises(Stopped):
        complete(DATASET, config, tmp_path / "cut", EVERY_STEP, stop_after(7))
    folder = tmp_path / "cut/runs" / config.folder_name
    newest = max(folder.glob("state.*"), key=lambda path: path.stat().st_mtime_ns)
    content = bytearray(newest.read_bytes())
    if damage == "bit":
        content[len(content) // 2] ^= 1
    newest.write_bytes(bytes(content[: len(content) // 2] if damage == "cut" else content))
    if damage == "gone":
        newest.unlink()
    assert bits(complete(DATASET, config, tmp_path / "cut").folder) == whole


def test_a_damaged_run_is_not_taken_for_a_finished_one(tmp_path: Path) -> None:
    config = configure(DATASET, method("soft"), RECIPE)
    folder = complete(DATASET, config, tmp_path).folder
    whole = bits(folder)
    (folder / "history.jsonl").write_text("{}\n")
    assert not Run(folder).finished
    assert bits(complete(DATASET, config, tmp_path).folder) == whole


PROGRAM = """
import sys
sys.path.insert(0, {support!r})
from pathlib import Path
from toy import toy_dataset
from votewise.training import Engine, configure, complete, method, Recipe
dataset = toy_dataset(60)
config = configure(dataset, method("sls"), Recipe.preset("demo", model="mlp", epochs=40, batch_size=20), seed=5)
complete(dataset, config, Path(sys.argv[1]), Engine(checkpoint_seconds=0.0), lambda p: print(p.epoch, p.step, flush=True))
"""


def start(store: Path) -> subprocess.Popen[str]:
    program = PROGRAM.format(support=str(Path(__file__).parents[1] / "support"))
    return subprocess.Popen([sys.executable, "-c", program, store], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("subject", "kills"),
    [
        ("fit sls", 2),
        ("reproduce", 1),
        *(pytest.param(name, 8, marks=pytest.mark.full) for name in sorted(set(SUBJECTS))),
    ],
)
def test_a_command_killed_at_random_moments_ends_in_the_same_bits(subject: str, kills: int, tmp_path: Path) -> None:
    found = Kills(tmp_path).round(0, subject, kills)
    assert found["kills"] > 0
    assert found["files"] > 5
    assert found["different"] == []


def test_two_processes_on_one_run_do_not_spoil_it(tmp_path: Path) -> None:
    with start(tmp_path) as first:
        assert first.stdout is not None
        first.stdout.readline()  # it holds the lock now
        os.kill(first.pid, signal.SIGSTOP)  # and keeps it while the other one tries
        program = PROGRAM.format(support=str(Path(__file__).parents[1] / "support"))
        second = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True)
        assert "another process is training this run" in second.stderr
        os.kill(first.pid, signal.SIGCONT)
        first.stdout.read()
    assert first.returncode == 0
    (folder,) = (tmp_path / "runs").iterdir()
    assert Run(folder).finished


def test_a_file_that_changes_after_a_check_is_read_again(tmp_path: Path) -> None:
    run = complete(DATASET, configure(DATASET, method("soft"), RECIPE), tmp_path)
    assert run.finished
    path = run.folder / "best.safetensors"
    content = path.read_bytes()
    time.sleep(0.05)  # longer than the resolution of file times
    path.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    assert not run.finished
    assert run.damage == ["best.safetensors does not match its digest"]
    path.write_bytes(content)
    assert run.finished


def test_threads_are_set_and_recorded(tmp_path: Path) -> None:
    folder = complete(DATASET, configure(DATASET, method("soft"), RECIPE), tmp_path, Engine(threads=1)).folder
    assert torch.get_num_threads() == 1
    (segment,) = json.loads((folder / "environment.json").read_text())["segments"]
    assert segment["environment"]["threads"] == 1
