"""Scaling of time and memory: reading, describing and scoring 10^5 to 10^7 votes, training a linear model for one epoch on their items, and reports of 164 to 984 runs.

Each number is from a separate process: CPU seconds of the job without imports, and its peak memory minus the memory before the job.
The exponent is the slope between the first and the last size on logarithmic axes; 1 means proportional growth.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.reading import ANNOTATORS, columns, generate, peak_mb

VOTES = (100_000, 1_000_000, 10_000_000)
COPIES = (1, 3, 6)  # copies of a store with 164 runs
STORE = Path(__file__).parents[1] / "results" / "cifar10h-cpu"


def measure(votes: tuple[int, ...] = VOTES, copies: tuple[int, ...] = COPIES) -> dict[str, Any]:
    """Seconds and memory of each job at each size, and how they grow."""
    from benchmarks.copied_store import copied_store

    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in votes:
            for case in ("integers", "strings"):
                _note(found, f"read_votes, {case}", "read_votes", count, generate(Path(folder), case, count))
            for job in ("describe", "score", "fit"):
                _note(found, job, job, count, Path(folder))
        for times in copies:
            store = copied_store(STORE, Path(folder, f"store-{times}"), times)
            _note(found, "report", "report", len(store.all_runs()), store.path)
    return {name: rows | _growth(rows) for name, rows in found.items()}


def _note(found: dict[str, Any], name: str, job: str, size: int, path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.growth", job, str(size), str(path)]
    measured = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    rows = found.setdefault(name, {"sizes": [], "seconds": [], "mb": []})
    for key, value in {"sizes": size, **measured}.items():
        rows[key].append(value)


def _growth(rows: dict[str, list[float]]) -> dict[str, float]:
    sizes = math.log(rows["sizes"][-1] / rows["sizes"][0])
    return {f"{key}_exponent": math.log(rows[key][-1] / rows[key][0]) / sizes for key in ("seconds", "mb")}


def run(job: str, size: int, path: Path) -> dict[str, float]:
    """One job in this process."""
    work = JOBS[job](size, path)
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak, so that the preparation is not counted
    before, start = peak_mb(), time.process_time()
    work()
    return {"seconds": time.process_time() - start, "mb": max(peak_mb() - before, 1.0)}


def _read(size: int, path: Path) -> Callable[[], object]:
    import polars  # noqa: F401  # so that its import is not counted

    from votewise.votes import read_votes

    return lambda: read_votes(path)


def _describe(size: int, path: Path) -> Callable[[], object]:
    from votewise.profile import describe

    votes = _votes(size)
    str(describe(votes[:100]))  # trigger imports on first use
    return lambda: str(describe(votes))


def _score(size: int, path: Path) -> Callable[[], object]:
    from votewise.scoring import score

    votes = _votes(size)
    predictions = np.random.default_rng(0).dirichlet(np.ones(votes.num_classes), size=len(votes))
    str(score(predictions[:100], votes[:100]))
    return lambda: str(score(predictions, votes))


def _fit(size: int, path: Path) -> Callable[[], object]:
    import votewise as vw

    def data(votes: Any) -> Any:
        return vw.Dataset(np.random.default_rng(0).normal(size=(len(votes), 16)).astype(np.float32), votes)

    votes = _votes(size)
    few, every = data(votes[:100]), data(votes)
    recipe = vw.Recipe.for_dataset(every, model="linear", epochs=1)
    vw.fit(few, "multipass", recipe, store=path / f"few-{size}")
    return lambda: vw.fit(every, "multipass", recipe, store=path / f"all-{size}")


def _report(size: int, path: Path) -> Callable[[], object]:
    from votewise.workflows import report

    return lambda: report(path)


def _votes(size: int) -> Any:
    """The votes of the files, created without reading a file."""
    from votewise.votes import Votes

    item, annotator, label = columns(size)
    names = {"items": range(item.max() + 1), "classes": range(label.max() + 1), "annotators": range(ANNOTATORS)}
    return Votes.from_codes(item, label, annotator, **{kind: [str(one) for one in ids] for kind, ids in names.items()})


JOBS = {"read_votes": _read, "describe": _describe, "score": _score, "fit": _fit, "report": _report}

if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))))
