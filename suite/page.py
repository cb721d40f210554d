"""Compute the parts of docs/reliability.md on mutants and coverage: `python -m suite.page [build/coverage.json]` fills the page.

The counts of mutants are recorded by `python -m suite`; those of coverage here, from the report of `coverage json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_name("counts.json")
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
PAGE = RECORD.parents[1] / "docs/reliability.md"


def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def record(name: str, counts: dict[str, Any]) -> None:
    """Replace the counts of mutants or of coverage."""
    from votewise.files import (
        write_atomic,  # imported here, because `python -m suite` must not import votewise before it forks
    )

    write_atomic(RECORD, json.dumps(recorded() | {name: counts}, indent=1, ensure_ascii=False).encode() + b"\n")


def commit() -> str:
    """The state of the code, as far as it is committed."""
    found = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=PAGE.parent, capture_output=True, text=True)
    return found.stdout.strip()


def mutants() -> str:
    """The outcomes of the drawn mutants by package, with the scores and their intervals."""
    columns = (
        *("mutants", "left out", "run", "killed", "by the time limit", "killed by tests added since"),
        *("survive", "equivalent"),
    )
    lines = [f"| package | {' | '.join(columns)} | score at first | score now |", f"|---|{'--:|' * (len(columns) + 2)}"]
    for name, found in recorded()["mutants"]["packages"].items():
        run = found["killed"] + found["later"] + len(found["survivors"])
        skipped, same = sum(found["skipped"].values()), sum(_key(each) in equivalent() for each in found["survivors"])
        cells = [skipped + run, skipped - found["skipped"]["not drawn"], run, found["killed"], found["timeouts"]]
        cells += [found["later"], len(found["survivors"]), same]
        scores = [_score(found["killed"], run), f"{(found['killed'] + found['later']) / (run - same):.0%}"]
        lines.append(f"| `{name}` | {' | '.join(f'{cell:,}' for cell in cells)} | {' | '.join(scores)} |")
    return "\n".join(
        [*lines, "", f"Drawn with seed {recorded()['mutants']['seed']}, at commit `{recorded()['mutants']['commit']}`."]
    )


def survivors() -> str:
    """The surviving mutants that are not equivalent, and the reasons of the others."""
    left = [each for found in recorded()["mutants"]["packages"].values() for each in found["survivors"]]
    reasons = Counter(equivalent()[_key(each)] for each in left if _key(each) in equivalent())
    open_ones = [
        f"- `{each['path']}`: `{each['old']}` → `{each['new']}`" for each in left if _key(each) not in equivalent()
    ]
    return "\n".join(
        [
            "Equivalent:", "", *(f"- {reason}: {count}" for reason, count in reasons.most_common()), "",
            "Not equivalent, and not killed:", "", *(open_ones or ["None."]),
        ]
    )  # fmt: skip


def equivalent() -> dict[tuple[str, str, str], str]:
    """The reason why a mutant behaves like the code, by file, old line and new line."""
    given = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return {(each["path"], each["old"], each["new"]): why for why, found in given.items() for each in found}


def _key(mutant: dict[str, str]) -> tuple[str, str, str]:
    return mutant["path"], mutant["old"], mutant["new"]


def _score(killed: int, run: int) -> str:
    """The share of killed mutants with its Wilson interval."""
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(killed, run, method="wilson")
    return f"{killed / run:.0%} [{low:.0%}, {high:.0%}]"


def coverage() -> str:
    """The share of lines and branches that the suite runs, and the packages with the lowest shares."""
    found = recorded()["coverage"]
    if not found:
        return "Not measured yet."
    shares = {name: ran / total for name, (ran, total) in found["packages"].items()}
    ran, total = (sum(column) for column in zip(*found["packages"].values(), strict=True))
    lowest = ", ".join(f"`{name}` {shares[name]:.1%}" for name in sorted(shares, key=shares.__getitem__)[:5])
    return f"{ran / total:.1%} of {total:,} lines and branches, at commit `{found['commit']}`. The packages with the lowest shares: {lowest}."


def covered(report: Path) -> dict[str, Any]:
    """The numbers of lines and branches that ran, and of all, by package; modules outside packages count as `votewise`."""
    ran, total = Counter[str](), Counter[str]()
    for name, found in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        inside = Path(name).parts[Path(name).parts.index("votewise") + 1 :]
        package = inside[0] if len(inside) > 1 else "votewise"
        ran[package] += found["summary"]["covered_lines"] + found["summary"]["covered_branches"]
        total[package] += found["summary"]["num_statements"] + found["summary"]["num_branches"]
    return {"commit": commit(), "packages": {name: [ran[name], total[name]] for name in sorted(total) if total[name]}}


PARTS: dict[str, Callable[[], str]] = {"mutants": mutants, "survivors": survivors, "coverage": coverage}


if __name__ == "__main__":
    from benchmarks.replication_page import filled

    if sys.argv[1:]:
        record("coverage", covered(Path(sys.argv[1])))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
