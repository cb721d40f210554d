"""Fill the computed parts of the replication pages, of those on reliability and speed, and of the README from committed results: `python -m benchmarks.replication_page`.

A part is between `<!-- name -->` and `<!-- /name -->`. The tests recompute every part and compare.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from fuzz import page
from suite import page as suite_page

from benchmarks import speed_tables, text_parts
from benchmarks.findings import deciding, draw, findings
from benchmarks.page_tables import claims, missing, recipe_trials, soft_nll
from votewise.studies import Results, Store
from votewise.training import Run
from votewise.wording import counted

ROOT = Path(__file__).parents[1]
PAGES = ("docs/replication.md", "docs/replication-text.md", "docs/reliability.md", "docs/speed.md", "README.md")
FOLDER = ROOT / "results/cifar10h-cpu"
TRIALS = ROOT / "results/recipe-trials"
EPOCHS = 40  # of the preset cpu


@cache
def cifar10h() -> Results:
    """The committed results of the paper's studies on CIFAR-10H."""
    return Results.of(Store(FOLDER))


def runs() -> str:
    """The number of finished runs, as a sentence."""
    store = Store(FOLDER)
    planned = {id for study in store.studies() for id in store.runs(study)}
    return f"{len(store.all_runs())} of {len(planned)} planned runs are finished."


def machine() -> str:
    """The environment and duration of the runs, in two sentences."""
    archived = Store(FOLDER).all_runs()
    where = {
        f"Python {environment['python']}, torch {environment['versions']['torch']}, NumPy {environment['versions']['numpy']} on {environment['system'].split('-')[0]} "
        f"({environment['device']}), {counted(environment['threads'], 'thread')} per run"
        for environment in (run.environment for run in archived)
    }
    minutes = [seconds / 60 for seconds, epochs in filter(None, (run.timing for run in archived)) if epochs == EPOCHS]
    low, middle, high = np.quantile(minutes, [0.1, 0.5, 0.9])
    return (
        f"{'; '.join(sorted(where))}. A run of {EPOCHS} epochs took {middle:.1f} minutes of wall time (median; {low:.1f} to {high:.1f} for the middle 80 %), "
        "with other work on the machine. This does not include the probes of a run."
    )


def _first_soft_run() -> list[Run]:
    """The run of soft labels at K = 5 and seed 0."""
    arm = ("soft", 5, 0)
    return [
        run
        for run in Store(FOLDER).all_runs()
        if arm == (run.config.method.name, run.config.votes_per_item, run.config.seed)
    ]


PARTS: dict[str, Callable[[], str]] = {
    "runs": runs,
    "machine": machine,
    "soft-nll": lambda: soft_nll(cifar10h()),
    "claims": lambda: claims(cifar10h()),
    "missing": lambda: missing(cifar10h()),
    "findings": lambda: findings(cifar10h()),
    "deciding": lambda: deciding(cifar10h()),
    "recipe-trials": lambda: recipe_trials([*Store(TRIALS).all_runs(), *_first_soft_run()]),
    **text_parts.PARTS,
    **speed_tables.PARTS,
    **page.PARTS,
    **suite_page.PARTS,
}


def filled(text: str) -> str:
    """A page with its computed parts updated."""

    def part(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n\n{PARTS[match[1]]()}\n\n<!-- /{match[1]} -->"

    return re.sub(r"<!-- (\S+) -->.*?<!-- /\1 -->", part, text, flags=re.DOTALL)


if __name__ == "__main__":
    for name in PAGES:
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    draw(cifar10h())
