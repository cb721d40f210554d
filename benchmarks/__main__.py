"""`make bench`: every comparison in turn, written with the machine it ran on."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from benchmarks.machine import machine
from votewise.files import write_atomic

SUBJECTS = ("delivery", "scoring", "reading", "training", "curvature")


def main() -> None:
    results: dict[str, object] = {"machine": machine()}
    for subject in SUBJECTS:
        print(f"measuring {subject} ...", flush=True)
        results[subject] = import_module(f"benchmarks.{subject}").measure()
    path = Path(__file__).with_name("results.json")
    write_atomic(path, json.dumps(_rounded(results), indent=2).encode() + b"\n")
    print(path.read_text(), f"\nwritten to {path}", sep="")


def _rounded(value: object) -> object:
    """Three figures are what a timing is good for."""
    if isinstance(value, float):
        return float(f"{value:.3g}")
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main()
