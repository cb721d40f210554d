"""Many cases: their order, their outcomes, and the stored findings. After an interruption, it continues from the last batch."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.cases import FINE, GOALS, keep
from fuzz.worker import KEPT
from votewise.files import write_atomic

STATE = "state.json"
BATCH = 60.0  # approximate seconds per process
Job = tuple[str, int, int]  # a target, its first case and the one after its last
_ROOT = Path(__file__).parents[1]


class Result(NamedTuple):
    """The result of a case."""

    target: str
    case: int
    kind: str
    signature: str


class Campaign:
    """The finished cases, recorded in a folder; a new folder continues after the `recorded` counts of another one."""

    def __init__(self, store: Path, recorded: Mapping[str, Any] | None = None) -> None:
        self.store = store
        try:
            self.state: dict[str, Any] = json.loads((store / STATE).read_text())
        except FileNotFoundError:
            self.state = {"targets": {}, "findings": {}}
            for name, found in (recorded or {}).items():
                self._of(name).update(found, next=sum(found["outcomes"].values()))

    def go_on(self, cases: int, targets: Iterable[str] = GOALS) -> Iterator[str]:
        """Run cases up to a total number, starting with the target that is furthest behind, and yield one line per batch.

        Seconds do not include the start of the process.
        """
        share = {name: GOALS[name] * cases / sum(GOALS.values()) for name in targets}
        while behind := {
            name: goal - self._of(name)["next"] for name, goal in share.items() if self._of(name)["next"] < goal
        }:
            name = max(behind, key=lambda one: behind[one] / share[one])
            record = self._of(name)
            first, rate = (
                record["next"],
                sum(record["outcomes"].values()) / record["seconds"] if record["seconds"] else 1.0,
            )
            last = first + max(1, min(int(rate * BATCH), round(behind[name] + 0.5)))
            yield self._batch((name, first, last))

    def _of(self, name: str) -> dict[str, Any]:
        record: dict[str, Any] = self.state["targets"].setdefault(name, {"next": 0, "seconds": 0.0, "outcomes": {}})
        return record

    def _batch(self, job: Job) -> str:
        name, results, times = job[0], list[Result](), list[float]()
        for result in run([job], self.store):
            results.append(result)
            times.append(time.monotonic())
        record = self._of(name)
        outcomes = Counter(record["outcomes"])
        for result in results:
            outcomes[result.kind] += 1
            if result.kind not in FINE:
                self._note(result)
        record.update(next=job[2], seconds=round(record["seconds"] + times[-1] - times[0], 1), outcomes=dict(outcomes))
        self.save()
        return f"{name} {job[2]:,}: {dict(outcomes)}, {sum(outcomes.values()) / max(record['seconds'], 1):.0f} a second"

    def _note(self, result: Result) -> None:
        """Record a finding; store the files of the first few findings of each signature."""
        signature = f"{result.target}: {result.kind}: {result.signature}"
        cases = self.state["findings"].setdefault(signature, [])
        cases.append(result.case)
        path = self.store / "new" / f"{result.target}-{result.case}.zip"
        if path.exists() and len(cases) <= KEPT:
            (self.store / "findings").mkdir(exist_ok=True)
            os.replace(path, self.store / "findings" / path.name)
        path.unlink(missing_ok=True)

    def again(self) -> Iterator[str]:
        """Run all findings again; those that no longer fail are removed and counted as fixed."""
        for signature, cases in sorted(self.state["findings"].items()):
            name = signature.partition(":")[0]
            results = list(run([(name, case, case + 1) for case in cases], self.store))
            left = [result.case for result in results if result.kind not in FINE]
            yield f"{signature}: {len(left)} of {len(cases)} left"
            mended = self._of(name).setdefault("mended", 0) + len(cases) - len(left)
            self._of(name)["mended"] = mended
            if left:
                self.state["findings"][signature] = left
            else:
                del self.state["findings"][signature]
            self.save()
        shutil.rmtree(self.store / "new", ignore_errors=True)

    def save(self) -> None:
        """Write the current counts."""
        write_atomic(self.store / STATE, json.dumps(self.state, indent=1).encode() + b"\n")


def run(jobs: list[Job], store: Path) -> Iterator[Result]:
    """The results of the cases of some jobs, in order, from a separate process. If it dies, a new process continues."""
    store.mkdir(parents=True, exist_ok=True)
    jobs = [job for job in jobs if job[1] < job[2]]
    while jobs:
        with (
            tempfile.TemporaryDirectory(dir=_memory(), prefix="votewise-fuzz-") as scratch,
            tempfile.TemporaryFile("w+") as err,
        ):
            command = [sys.executable, "-m", "fuzz.worker", store, scratch, *(":".join(map(str, job)) for job in jobs)]
            with subprocess.Popen(
                command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=err, text=True, env=_environment()
            ) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    yield Result(*json.loads(line))
                    jobs = _rest(jobs)
            if not process.returncode:
                return
            err.seek(0)
            ended, folder = _ended(process.returncode, err.read()), Path(scratch, "case")
            name, case, _ = jobs[0]
            if not folder.is_dir() or process.returncode > 0:
                raise RuntimeError(f"the process that runs {name}:{case} ended: {ended}")
            keep(folder, store / "new" / f"{name}-{case}.zip")
            yield Result(name, case, *ended)
            jobs = _rest(jobs)


def _rest(jobs: list[Job]) -> list[Job]:
    (name, first, last), *others = jobs
    return [(name, first + 1, last), *others] if first + 1 < last else others


def _ended(code: int, err: str) -> tuple[str, str]:
    """The outcome of a case that killed its process."""
    if code > 0:
        return "stopped", err[-2000:]
    name = signal.Signals(-code).name
    words = re.sub(r"\b\w*\d\w*\b", "", (err.strip().splitlines() or [""])[-1])[:80]  # without numbers and addresses
    return ("hung", name) if name in ("SIGPROF", "SIGALRM") else ("died", f"{name} {words}")


def _memory() -> str | None:
    """A folder for the files of the cases, in memory if possible."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _environment() -> dict[str, str]:
    """An environment with one thread, no network, and only the data of the case."""
    nothing = {
        "VOTEWISE_DATA": "nowhere",
        "HF_HUB_OFFLINE": "1",
        "POLARS_MAX_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "COLUMNS": "100",
    }
    return {**os.environ, **nothing}
