"""`make bench`: run all benchmarks, or some by name (`python -m benchmarks training`), and write each result with its machine."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.machine import machine
from votewise.files import write_atomic

SUBJECTS = ("delivery", "adapters", "scoring", "reading", "training", "text", "curvature", "growth")


def main() -> None:
    path = Path(__file__).with_name("results.json")
    results: dict[str, object] = json.loads(path.read_text())
    for subject in sys.argv[1:] or SUBJECTS:
        print(f"measuring {subject} ...", flush=True)
        before = machine()
        results[subject] = _rounded({**import_module(f"benchmarks.{subject}").measure(), "machine": before})
        write_atomic(path, json.dumps(results, indent=2).encode() + b"\n")
    print(path.read_text(), f"\nwritten to {path}", sep="")


def _rounded(value: object) -> object:
    """Round to three significant digits, the precision of a timing."""
    if isinstance(value, float):
        return float(f"{value:.3g}")
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main()
