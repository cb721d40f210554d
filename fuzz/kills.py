"""`make kills`: kill `votewise fit` and `votewise reproduce` at random moments, restart them, and compare the bits with those of an uninterrupted run.

A round is one command that is killed up to eight times, then runs to the end, and is compared file by file. The moments are random draws. One in
eight is between the start of the process and its first file; the others are later, so that a command needs several starts to finish. A process
that ends before it is killed is not counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.draws import Draws
from votewise.files import write_atomic
from votewise.training import METHODS

FILE = "kills.json"
NOT_PROMISED = (".lock", "timing.jsonl")
SUBJECTS = (*(f"fit {method}" for method in METHODS), "reproduce", "reproduce")  # repeated in this order
PER_ROUND = 8  # kills
STEP = 0.6  # maximum progress of one start, as a share of the total time
EPOCHS = {"fit": 40, "reproduce": 8}
FINISHED = "a run was finished"
_VOTEWISE = Path(sys.executable).with_name("votewise")


def bits(store: Path, parts: Sequence[str] = ("runs", "studies")) -> dict[str, str]:
    """The digest of every file of every run and study, except files without a guarantee."""
    return {
        str(path.relative_to(store)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(path for part in parts for path in store.glob(f"{part}/*/*"))
        if path.is_file() and path.name not in NOT_PROMISED
    }


@dataclass
class Undisturbed:
    """The result of an uninterrupted command, and two durations: until its first file, and from its first to its last file."""

    bits: dict[str, str]
    starting: float
    working: float


class Kills:
    """Rounds of kills in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._undisturbed: dict[str, Undisturbed] = {}
        write_data(self.folder)

    def undisturbed(self, subject: str) -> Undisturbed:
        """Run the command once without a kill."""
        if subject not in self._undisturbed:
            store = self.folder / f"whole {subject}"
            shutil.rmtree(store, ignore_errors=True)
            times, seen = [time.monotonic()], _state(store)
            with start(self._command(subject, store), store) as process:
                while _wait_for_a_change(process, store, seen):
                    times.append(time.monotonic())
                    seen = _state(store)
            if process.returncode:
                raise RuntimeError(
                    f"{subject} ended with {process.returncode}: {(store.parent / 'err.txt').read_text()[-500:]}"
                )
            self._undisturbed[subject] = Undisturbed(bits(store), times[1] - times[0], times[-1] - times[1])
        return self._undisturbed[subject]

    def round(self, number: int, subject: str, most: int = PER_ROUND) -> dict[str, Any]:
        """Run one command with up to `most` kills: the number of kills, their moments, and the files that differ."""
        whole, store, draws = self.undisturbed(subject), self.folder / f"cut {number}", Draws("kills", number)
        shutil.rmtree(store, ignore_errors=True)
        moments, groups = Counter[str](), list[int]()
        for _ in range(most):
            early, share, alone = draws.chance(1 / 8), draws.bits() / 2**32, draws.chance(0.5)
            with start(self._command(subject, store), store) as process:
                groups.append(process.pid)
                if not early:
                    _wait_for_a_change(process, store, _state(store))
                with suppress(subprocess.TimeoutExpired):
                    process.wait(share * (whole.starting if early else STEP * whole.working))
                if process.poll() is None:
                    _kill(process.pid, alone)
            if process.returncode != -signal.SIGKILL:
                break
            moments[moment := _moment(store)] += 1
            if moment == FINISHED and subject != "reproduce":
                break
        with start(self._command(subject, store), store) as process:
            process.wait()
        for group in groups:  # workers that are still running
            _kill(group, alone=False)
        found = {} if process.returncode else bits(store)
        different = sorted(name for name in {*found, *whole.bits} if found.get(name) != whole.bits.get(name))
        if not different:
            shutil.rmtree(store)
        return {
            "subject": subject,
            "kills": sum(moments.values()),
            "moments": dict(moments),
            "files": len(whole.bits),
            "different": different,
        }

    def _command(self, subject: str, store: Path) -> list[str]:
        name, _, method = subject.partition(" ")
        common = ["--store", str(store), "--checkpoint-seconds", "0"]
        if name == "reproduce":
            return ["reproduce", "plan.toml", "--workers", "1", *common]
        data = ["--inputs", "inputs.npy", "--votes", "votes.csv", "--recipe", "recipe.toml"]
        return ["fit", *data, "--method", method, "--epochs", str(EPOCHS["fit"]), *common]


def write_data(folder: Path, items: int = 60) -> None:
    """Votes of five annotators on sixty items, four features of each, a recipe, and a plan of all deliveries."""
    draws = Draws("data of the kills", 0)
    rows = [
        f"{item},p{annotator},{draws.pick('aab' if item % 3 else 'bcc')}"
        for item in range(items)
        for annotator in range(5)
    ]
    (folder / "votes.csv").write_text("\n".join(["item,annotator,label", *rows]) + "\n")
    np.save(
        folder / "inputs.npy",
        np.array([[draws.below(1000) / 1000 for _ in range(4)] for _ in range(items)], np.float32),
    )
    recipe = 'model = "mlp"\nbatch_size = 12\n'
    (folder / "recipe.toml").write_text(recipe)
    methods = json.dumps(list(METHODS))
    head = f'name = "kills"\nmethods = {methods}\nseeds = [0]\npreset = "demo"\n'
    data = '\n[dataset]\ninputs = "inputs.npy"\nvotes = "votes.csv"\n'
    (folder / "plan.toml").write_text(f"{head}{data}\n[recipe]\nepochs = {EPOCHS['reproduce']}\n{recipe}")


def start(command: Sequence[str], store: Path) -> subprocess.Popen[bytes]:
    """The command, started in a separate process group."""
    with (store.parent / "err.txt").open("wb") as err:
        return subprocess.Popen(
            [_VOTEWISE, *command], cwd=store.parent, stdout=subprocess.DEVNULL, stderr=err, start_new_session=True
        )


def _state(store: Path) -> set[tuple[str, int]]:
    """The files of the runs and when each was written."""
    found = set[tuple[str, int]]()
    for path in store.glob("runs/*/*"):
        with suppress(FileNotFoundError):
            found.add((path.name, path.stat().st_mtime_ns))
    return found


def _wait_for_a_change(process: subprocess.Popen[bytes], store: Path, before: set[tuple[str, int]]) -> bool:
    """Wait until the command or its worker writes to a run; False if it ends first."""
    while (same := _state(store) == before) and process.poll() is None:
        time.sleep(0.002)
    return not same


def _kill(pid: int, alone: bool) -> None:
    """Send SIGKILL to the command only, as the kernel does when out of memory, or also to its workers."""
    with suppress(ProcessLookupError):
        (os.kill if alone else os.killpg)(pid, signal.SIGKILL)


def _moment(store: Path) -> str:
    """The activity of the command, inferred from its files."""
    runs = [path for path in store.glob("runs/*") if any(path.iterdir())]
    busy = [run for run in runs if not (run / "scores.json").exists()]
    if not busy:
        return FINISHED if runs else "before the first file"
    if any((run / "best.safetensors").exists() for run in busy):
        return "results were being written"
    return "a run was being trained" if any(list(run.glob("state.*")) for run in busy) else "a run was being set up"


def go_on(store: Path, kills: int, jobs: int) -> Iterator[str]:
    """Run rounds up to a number of kills, and write the counts after each round."""
    path, harness = store / FILE, Kills(store / "kills")
    rounds: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    with ThreadPoolExecutor(jobs) as pool:
        while sum(each["kills"] for each in rounds.values()) < kills:
            numbers = [number for number in range(len(rounds) + jobs) if str(number) not in rounds][:jobs]
            subjects = [SUBJECTS[number % len(SUBJECTS)] for number in numbers]
            for subject in subjects:
                harness.undisturbed(subject)
            for number, found in zip(numbers, pool.map(harness.round, numbers, subjects), strict=True):
                rounds[str(number)] = found
                write_atomic(path, json.dumps(rounds, indent=1).encode() + b"\n")
                yield f"{number} {found}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m fuzz.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="total number of kills")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel rounds")
    parser.add_argument("--store", type=Path, default=Path("fuzz-store"), help="the folder of counts")
    given = parser.parse_args()
    for line in go_on(given.store, given.kills, given.jobs):
        print(line, flush=True)


if __name__ == "__main__":
    main()
