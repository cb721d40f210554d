"""What is said before a study starts: how many runs, how long, how much disk, and what the seeds can and cannot decide."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.studies import Agenda, Forecast, Plan


def announcement(work: Agenda, expected: Forecast, workers: int, store: Path) -> list[str]:
    """How many runs and probes, how long, how much disk, and what so many seeds can and cannot decide."""
    from votewise.comparison import seeds_needed, smallest_p
    from votewise.studies import remarks

    plans, dataset, lines = work.plans, work.dataset, list[str]()
    for plan in plans:
        k = f" × K = {', '.join(map(str, plan.votes_per_item))}" if plan.votes_per_item != ("all",) else ""
        twins = f" × {plan.twins} twins" if plan.twins > 1 else ""
        runs = counted(len(work.configs[plan.name]), "run")
        lines.append(
            f"{plan.name}: {counted(len(plan.arms), 'method')}{k} × {counted(len(plan.seeds), 'seed')}{twins} = {runs} on {dataset.name}"
        )
    lines += [f"{dataset.name}: {remark}" for remark in dataset.remarks]
    shared = ", each once" if len(plans) > 1 else ""
    lines.append(f"{counted(len(work.runs), 'run')}{shared}; finished already: {len(work.runs) - len(work.pending)}")
    if work.pending:
        lines.append(
            f"training and the start of workers take about {duration(expected.seconds)} on {counted(workers, 'worker')} ({expected.source}),"
            f" {size(expected.bytes)} in {store}{_too_little(store, expected.bytes)}"
        )
    for seeds in dict.fromkeys(len(plan.seeds) for plan in plans):
        lines.append(
            f"with {counted(seeds, 'seed')} the exact paired Wilcoxon test cannot go below"
            f" p = {smallest_p(seeds):.2g} (one-sided) or {smallest_p(seeds, 2):.2g} (two-sided)"
        )
    for plan in plans:
        if cells := comparisons(plan):
            needed = seeds_needed(cells)
            lines.append(
                f"{plan.name}: to survive Holm over {counted(cells, 'comparison')} at 0.05 takes {counted(needed, 'seed')} one-sided,"
                f" {seeds_needed(cells, 2)} two-sided{': none can here' if len(plan.seeds) < needed else ''}"
            )
        lines += [f"{plan.name}: {remark}" for remark in remarks(plan, dataset)]
    if work.probes:
        done = len(work.probes) - len(work.pending_probes)
        lines.append(
            f"not included in the estimate: {counted(len(work.probes), 'probe')} ({done} already done) and the report"
        )
    lines += [f"skipped: {reason}" for reason in work.skipped]
    return lines


def comparisons(plan: Plan) -> int:
    """The family of tests: each method against the first at each K; the paper's sweep does not count all votes among them."""
    counts = [k for k in plan.votes_per_item if k != "all" or plan.paper is None]
    return (len(plan.arms) - 1) * max(len(counts), 1)


def duration(seconds: float) -> str:
    """A length of time in words.

    >>> duration(42), duration(200), duration(9000), duration(200_000)
    ('42 s', '3 min 20 s', '2 h 30 min', '2 d 7 h')
    """
    whole = round(seconds)
    for large, small, length, part in (("d", "h", 86400, 3600), ("h", "min", 3600, 60), ("min", "s", 60, 1)):
        if whole >= length:
            return f"{whole // length} {large} {whole % length // part} {small}"
    return f"{whole} s"


def size(count: float) -> str:
    """A number of bytes in words.

    >>> size(900), size(12_345_678)
    ('1 kB', '12 MB')
    """
    scale, unit = next(((s, u) for s, u in ((1e9, "GB"), (1e6, "MB")) if count >= s), (1e3, "kB"))
    return f"{max(count / scale, 1):.0f} {unit}"


def _too_little(store: Path, needed: int) -> str:
    there = next((path for path in (store, *store.parents) if os.path.exists(path)), Path.cwd())
    free = shutil.disk_usage(there).free
    return f", where only {size(free)} are free" if free < needed else ""
