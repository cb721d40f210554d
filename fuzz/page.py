"""Compute the tables of docs/reliability.md from the recorded counts: `python -m fuzz.page` records those of fuzz-store and fills the page."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz.cases import FINE, GOALS, REFUSED, SUCCESS, UNMADE
from votewise.files import write_atomic

RECORD = Path(__file__).with_name("counts.json")
PAGE = RECORD.parents[1] / "docs/reliability.md"
_TITLES = {
    "votes": "votes: CSV, TSV, JSON, exports",
    "arrays": "votes: .npy, .npz",
    "parquet": "votes: Parquet",
    "predictions": "predictions",
    "plans": "plans (TOML)",
    "stores": "stores",
    "command": "command line",
}
_MOMENTS = (
    "before the first file",
    "a run was being set up",
    "a run was being trained",
    "results were being written",
    "a run was finished",
)


def record(store: Path) -> dict[str, Any]:
    """The counts of a folder of cases and kills; what the folder does not have stays as recorded."""
    return _recorded() | _cases(store / "state.json") | _kills(store / "kills.json")


def _cases(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    state = json.loads(path.read_text())
    findings: dict[str, list[int]] = dict(sorted(state["findings"].items()))
    cases = {
        name: {
            "outcomes": dict(sorted(record["outcomes"].items())),
            "seconds": record["seconds"],
            "left": sum(len(numbers) for signature, numbers in findings.items() if signature.startswith(f"{name}:")),
        }
        for name, record in state["targets"].items()
    }
    open_ones = {signature: numbers[:3] for signature, numbers in findings.items()}
    return {"commit": _commit(), "cases": cases, "findings": open_ones}


def _kills(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    kills: dict[str, Counter[str]] = defaultdict(Counter)
    for each in json.loads(path.read_text()).values():
        found = kills[each["subject"]]
        found.update(each["moments"])
        found.update(rounds=1, kills=each["kills"], files=each["files"], different=len(each["different"]))
    return {"kills": {name: dict(found) for name, found in sorted(kills.items())}}


def _commit() -> str:
    """The state of the code, as far as it is committed."""
    found = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=PAGE.parent, capture_output=True, text=True)
    return found.stdout.strip()


def _recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text())
    return found


def cases() -> str:
    """The number of cases by target and outcome."""
    lines = ["| target | cases | success | VotewiseError | other | other that remain |", "|---|--:|--:|--:|--:|--:|"]
    total = [0] * 5
    for name in GOALS:
        found = _recorded()["cases"].get(name, {"outcomes": {}, "left": 0})
        outcomes = Counter({kind: count for kind, count in found["outcomes"].items() if kind != UNMADE})
        other = sum(count for kind, count in outcomes.items() if kind not in FINE)
        row = [outcomes.total(), outcomes[SUCCESS], outcomes[REFUSED], other, found["left"]]
        total = [one + more for one, more in zip(total, row, strict=True)]
        lines.append(_row(_TITLES[name], row))
    state = f"{total[0]:,} cases, recorded at commit `{_recorded()['commit']}`."
    return "\n".join([*lines, _row("all", total), "", state])


def findings() -> str:
    """The remaining findings, with example cases."""
    found = _recorded()["findings"]
    lines = [f"- `{signature}`: {', '.join(map(str, numbers))}" for signature, numbers in found.items()]
    return "\n".join(lines) or "None."


def kills() -> str:
    """The number of kills of each command by moment, and the number of files that differ."""
    lines = [
        f"| command | kills | {' | '.join(_MOMENTS)} | files compared | files that differ |",
        f"|---|{'--:|' * (len(_MOMENTS) + 3)}",
    ]
    total = Counter[str]()
    for name, found in _recorded()["kills"].items():
        total.update(found)
        lines.append(_row(f"`{name}`", _kill_cells(found)))
    return "\n".join([*lines, _row("all", _kill_cells(total))])


def _kill_cells(found: dict[str, int]) -> list[int]:
    return [found.get(name, 0) for name in ("kills", *_MOMENTS, "files", "different")]


def _row(name: str, cells: list[int]) -> str:
    return f"| {name} | {' | '.join(f'{cell:,}' for cell in cells)} |"


PARTS: dict[str, Callable[[], str]] = {"fuzz-cases": cases, "fuzz-findings": findings, "kills": kills}


if __name__ == "__main__":
    from benchmarks.replication_page import filled

    write_atomic(
        RECORD, json.dumps(record(Path(sys.argv[1] if sys.argv[1:] else "fuzz-store")), indent=1).encode() + b"\n"
    )
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
