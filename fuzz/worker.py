"""The process that runs cases: `python -m fuzz.worker STORE SCRATCH TARGET:FIRST:LAST ...`, one line of JSON for each case.

It has a limit on memory, on processor time and on waiting, for each case. The limits end the process whatever it is doing, in Rust or C
too; the case that it was at is the first one without a line.
"""

from __future__ import annotations

import json
import resource
import shutil
import signal
import sys
from pathlib import Path

from fuzz.cases import FINE, UNMADE, keep, make, outcome, target

MEMORY = 2 << 30  # bytes, beyond what the process has after its imports
WAITING = 180.0  # seconds for a case in all, whatever the processor does meanwhile
KEPT = 3  # cases of a signature whose files are kept


def main(store: Path, scratch: Path, jobs: list[tuple[str, int, int]]) -> None:
    for name, _, _ in jobs:
        target(name)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30,) * 2)
    lines = sys.stdout
    sys.stdout = sys.stderr  # which the parent keeps; what a case prints is no line of ours
    for name, first, last in jobs:
        for case in range(first, last):
            print(json.dumps(run(name, case, scratch / "case", store)), file=lines, flush=True)


def run(name: str, case: int, folder: Path, store: Path) -> tuple[str, int, str, str]:
    """Make a case and run it, within the limits; keep its files if it is a finding."""
    folder.mkdir()
    try:
        limits(target(name).seconds, WAITING)
        try:
            make(name, case, folder)
        except Exception as error:  # ours, not one of votewise
            return name, case, UNMADE, f"{type(error).__name__} {error}"[:200]
        kind, signature = outcome(folder)
        limits(0, 0)
        if kind not in FINE:
            shutil.rmtree(folder)
            folder.mkdir()
            make(name, case, folder)  # again: running it may have changed the files
            keep(folder, store / "new" / f"{name}-{case}.zip")
        return name, case, kind, signature
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def limits(processor: float, waiting: float) -> None:
    """End the process by SIGPROF or SIGALRM after so many seconds; 0 is no limit."""
    signal.setitimer(signal.ITIMER_PROF, processor)
    signal.setitimer(signal.ITIMER_REAL, waiting)


if __name__ == "__main__":
    parts = [job.split(":") for job in sys.argv[3:]]
    main(Path(sys.argv[1]), Path(sys.argv[2]), [(name, int(first), int(last)) for name, first, last in parts])
