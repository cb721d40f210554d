"""The process that runs cases: `python -m fuzz.worker STORE SCRATCH TARGET:FIRST:LAST ...`, one line of JSON for each case.

Each case has limits on memory, CPU time and wall time. The limits kill the process, even inside Rust or C code;
the failed case is the first one without a line.
"""

from __future__ import annotations

import json
import resource
import shutil
import signal
import sys
from pathlib import Path

from fuzz.cases import FINE, UNMADE, keep, make, outcome, target

MEMORY = 2 << 30  # bytes in addition to the memory after imports
WAITING = 180.0  # wall time per case in seconds
KEPT = 3  # number of cases per signature whose files are stored


def main(store: Path, scratch: Path, jobs: list[tuple[str, int, int]]) -> None:
    for name, _, _ in jobs:
        target(name)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30,) * 2)
    lines = sys.stdout
    sys.stdout = sys.stderr  # stderr is kept by the parent; the output of a case must not mix with the results
    for name, first, last in jobs:
        for case in range(first, last):
            print(json.dumps(run(name, case, scratch / "case", store)), file=lines, flush=True)


def run(name: str, case: int, folder: Path, store: Path) -> tuple[str, int, str, str]:
    """Generate and run a case within the limits; store its files if it is a finding."""
    folder.mkdir()
    try:
        limits(target(name).seconds, WAITING)
        try:
            make(name, case, folder)
        except Exception as error:  # an error of the fuzzer, not of votewise
            return name, case, UNMADE, f"{type(error).__name__} {error}"[:200]
        kind, signature = outcome(folder)
        limits(0, 0)
        if kind not in FINE:
            shutil.rmtree(folder)
            folder.mkdir()
            make(name, case, folder)  # generated again, because running it may have changed the files
            keep(folder, store / "new" / f"{name}-{case}.zip")
        return name, case, kind, signature
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def limits(processor: float, waiting: float) -> None:
    """Kill the process with SIGPROF or SIGALRM after a number of seconds; 0 means no limit."""
    signal.setitimer(signal.ITIMER_PROF, processor)
    signal.setitimer(signal.ITIMER_REAL, waiting)


if __name__ == "__main__":
    parts = [job.split(":") for job in sys.argv[3:]]
    main(Path(sys.argv[1]), Path(sys.argv[2]), [(name, int(first), int(last)) for name, first, last in parts])
