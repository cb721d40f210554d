"""Reading a long CSV of ten million votes, against pandas.

The benchmark compares `votewise.inspect_votes`, which returns `Votes` with items, labels and annotators and checks for annotators who
voted twice, with `pandas.read_csv` and `groupby([item, label]).size().unstack()`, which returns counts without
annotators. Both run in turn in fresh processes on the same files. The best time of each is used, without imports;
peak memory is that of the process. Both must give the same table of counts.

Four limits stand beside the times: parsing alone (`polars.read_csv`, which votewise uses), the smallest table of counts with polars, a copy of the
file in memory, and one sort of a 64-bit key per row.

    strings             img_000123,worker17,dog
    integers            123,17,5
    without annotators  img_000123,dog
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise import counter

CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
VOTES_PER_ITEM = 50
ANNOTATORS = 2000
CASES = ("strings", "integers", "without annotators")


def measure(rows: int = 10_000_000, repeats: int = 3) -> dict[str, Any]:
    """Seconds, peak memory and their ratios (pandas over votewise) for each kind of file."""
    with tempfile.TemporaryDirectory() as folder:
        return {"rows": rows} | {case: _compare(generate(Path(folder), case, rows), rows, repeats) for case in CASES}


def generate(folder: Path, case: str, rows: int) -> Path:
    """A long table in random order: 50 votes per item, by different annotators out of 2,000."""
    import polars as pl

    order = counter.order(counter.key("rows", 0), 0, np.arange(rows))
    values = dict(zip(("item", "annotator", "label"), columns(rows), strict=True))
    table = pl.DataFrame({name: column[order] for name, column in values.items()})
    if case != "integers":
        table = table.with_columns(
            item="img_" + pl.col("item").cast(pl.String).str.zfill(6),
            annotator="worker" + pl.col("annotator").cast(pl.String),
            label=pl.Series(CLASSES).gather(table["label"]),
        )
    path = folder / f"{case.replace(' ', '-')}.csv"
    table.drop("annotator" if case == "without annotators" else []).write_csv(path)
    return path


def columns(rows: int) -> tuple[NDArray[np.int64], ...]:
    """Item, annotator and label of each vote, item by item."""
    item, vote = np.divmod(np.arange(rows), VOTES_PER_ITEM)
    first = counter.below(counter.draw(counter.key("annotator", 0), 0, item), ANNOTATORS)
    label = counter.below(counter.draw(counter.key("label", 0), 0, np.arange(rows)), len(CLASSES))
    return item, (first + 37 * vote) % ANNOTATORS, label


def _compare(path: Path, rows: int, repeats: int) -> dict[str, Any]:
    runs: dict[str, list[dict[str, Any]]] = {"votewise": [], "pandas": []}
    for _ in range(repeats):
        for library, done in runs.items():
            out = subprocess.run(
                [sys.executable, __file__, library, str(path)], check=True, capture_output=True, text=True
            )
            done.append(json.loads(out.stdout))
    if len({run["counts"] for done in runs.values() for run in done}) > 1:
        raise AssertionError(f"votewise and pandas count differently in {path.name}")
    seconds = {library: min(run["seconds"] for run in done) for library, done in runs.items()}
    peak = {library: min(run["peak_mb"] for run in done) for library, done in runs.items()}
    keys = counter.draw(counter.key("keys", 0), 0, np.arange(rows))
    limits = {name: min(_timed(limit, path) for _ in range(repeats)) for name, limit in LIMITS.items()}
    limits["sorting one key per row"] = min(_timed(np.sort, keys) for _ in range(repeats))
    return {
        "file_mb": round(path.stat().st_size / 1e6),
        "seconds": seconds,
        "limits": limits,
        "pandas_over_parsing": seconds["pandas"] / limits["parsing"],
        "peak_mb": peak,
        "times_faster": seconds["pandas"] / seconds["votewise"],
        "share_of_memory": peak["votewise"] / peak["pandas"],
    }


def _timed(limit: Callable[[Any], object], of: object) -> float:
    start = time.perf_counter()
    limit(of)
    return time.perf_counter() - start


def _parsed(path: Path) -> object:
    import polars as pl

    return pl.read_csv(path)


def _counted(path: Path) -> object:
    import polars as pl

    return pl.scan_csv(path).group_by("item", "label").len().collect()


LIMITS: dict[str, Callable[[Path], object]] = {
    "parsing": _parsed,
    "counting with polars": _counted,
    "copy in memory": lambda path: path.read_bytes(),
}


def run(library: str, path: str) -> dict[str, Any]:
    """One timed read without imports, and the digest of its counts."""
    read, counts_of = {"votewise": _with_votewise, "pandas": _with_pandas}[library]()
    start = time.perf_counter()
    result = read(path)
    seconds = time.perf_counter() - start
    peak = peak_mb()
    counts = np.ascontiguousarray(counts_of(result), dtype="<i8")
    return {"seconds": seconds, "peak_mb": peak, "counts": hashlib.sha256(counts.tobytes()).hexdigest()}


def peak_mb() -> float:
    """The peak memory of this process. On Linux, `ru_maxrss` is inherited from the parent, so the kernel's high-water mark is read instead."""
    status = Path("/proc/self/status")
    if status.exists():
        return float(status.read_text().split("VmHWM:")[1].split()[0]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def _with_votewise() -> tuple[Callable[[str], Any], Callable[[Any], Any]]:
    import polars  # noqa: F401  # so that its import is not timed

    from votewise.votes import inspect_votes

    return lambda path: inspect_votes(path).votes(), lambda votes: votes.counts()


def _with_pandas() -> tuple[Callable[[str], Any], Callable[[Any], Any]]:
    import pandas

    return (
        lambda path: pandas.read_csv(path).groupby(["item", "label"]).size().unstack(fill_value=0),
        lambda table: table.to_numpy(),
    )


if __name__ == "__main__":
    print(json.dumps(run(*sys.argv[1:]) if len(sys.argv) > 1 else measure(), indent=2))
