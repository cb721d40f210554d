"""`make fuzz`: see `fuzz/__init__.py`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from filelock import FileLock

from fuzz.campaign import Campaign
from fuzz.cases import GOALS, PLAN, make, outcome, unpack
from fuzz.page import RECORD


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz", description="Search for input that votewise neither accepts nor rejects with a sentence."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"what to test: {', '.join(GOALS)}; default: all")
    parser.add_argument("--cases", type=int, default=sum(GOALS.values()), help="total number of cases")
    parser.add_argument("--case", help="run one case again (TARGET:NUMBER or a file of findings) and show the result")
    parser.add_argument("--again", action="store_true", help="run all findings again, and remove those that are fixed")
    parser.add_argument("--recorded", action="store_true", help="continue after the cases of fuzz/counts.json")
    parser.add_argument("--store", type=Path, default=Path("fuzz-store"), help="the folder of counts and findings")
    given = parser.parse_args()
    if unknown := set(given.targets) - set(GOALS):
        parser.error(f"unknown target {sorted(unknown)[0]!r}; choose one of {', '.join(GOALS)}")
    if given.case:
        show(given.case)
        return
    given.store.mkdir(parents=True, exist_ok=True)
    with FileLock(given.store / ".lock", timeout=0):
        go_on(given)


def go_on(given: argparse.Namespace) -> None:
    """Run the next cases, or the previous findings."""
    campaign = Campaign(given.store, json.loads(RECORD.read_text())["cases"] if given.recorded else {})
    for line in campaign.again() if given.again else campaign.go_on(given.cases, given.targets or GOALS):
        print(line, flush=True)


def show(case: str) -> None:
    """Generate a case in a permanent folder, and run it without limits."""
    folder = Path(tempfile.mkdtemp(prefix="votewise-case-"))
    if case.endswith(".zip"):
        unpack(Path(case), folder)
    else:
        name, _, number = case.partition(":")
        make(name, int(number), folder)
    print(f"{folder}: {(folder / PLAN).read_text()}", flush=True)
    found = outcome(folder, show=True)
    print(f"{found.kind} {found.signature}", file=sys.stderr)


if __name__ == "__main__":
    main()
