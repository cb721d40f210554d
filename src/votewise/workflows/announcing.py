"""The lines printed before a study starts: number of runs, time, disk space, and which differences the seeds can show."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from votewise.comparison import seeds_needed, smallest_p
from votewise.studies import Agenda, Estimate, Plan, Store, remarks
from votewise.wording import counted, duration, file_size


def announcement(work: Agenda, store: Store, workers: int, expected: Estimate | None) -> Iterator[str]:
    """Lines about each study, the estimated time and disk space, which differences the seeds can show, and the probes.

    Args:
        work: the work to do.
        store: the store of the runs.
        workers: number of runs in parallel.
        expected: estimated time and disk space of the pending runs, if known; see `votewise.studies.estimate`.
    """
    plans = work.plans
    for plan in plans:
        k = f" × K = {', '.join(map(str, plan.votes_per_item))}" if plan.votes_per_item != ("all",) else ""
        twins = f" × {plan.twins} twins" if plan.twins > 1 else ""
        runs = counted(len(work.configs[plan.name]), "run")
        varied = f"{counted(len(plan.arms), 'method')}{k} × {counted(len(plan.seeds), 'seed')}{twins}"
        yield f"{plan.name}: {varied} = {runs} on {plan.dataset.title}"
        if len(plan.seeds) == 1 and (number := plan.seeds[0]):
            yield f"{plan.name}: the seed has the number {number}; --seeds 0-{number - 1} trains {counted(number, 'seed')}"
        if len(plan.arms) == 1 and plan.paper is None and plan.comparison is None:
            yield f"{plan.name}: with one method, nothing is compared; name another one with methods= (--methods)"
    yield from (f"{plans[0].dataset.title}: {remark}" for remark in work.dataset.remarks)
    shared = " (a run that several studies share is counted once)" if len(plans) > 1 else ""
    yield f"{counted(len(work.runs), 'run')}{shared}; already finished: {len(work.runs) - len(work.pending)}"
    if expected is not None:
        path = store.path.absolute()
        place = next(each for each in (path, *path.parents) if each.exists())
        free = shutil.disk_usage(place).free
        short = f", but only {file_size(free)} are free" if free < expected.bytes else ""
        yield (
            f"training takes about {duration(expected.seconds)} on {counted(workers, 'worker')}"
            f" and needs {file_size(expected.bytes)} in {store.path}{short} (estimated from similar finished runs)"
        )
    elif work.pending:
        yield f"training uses {counted(workers, 'worker')}; the remaining time is shown with the progress"
    for seeds in dict.fromkeys(len(plan.seeds) for plan in plans if plan.paper is not None):
        yield (
            f"with {counted(seeds, 'seed')}, the smallest possible p-value of the exact paired Wilcoxon test is"
            f" {smallest_p(seeds):.2g} (one-sided) or {smallest_p(seeds, 2):.2g} (two-sided)"
        )
    for plan in plans:
        cells = comparisons(plan)
        if cells and plan.paper is not None:
            needed = seeds_needed(cells)
            yield (
                f"{plan.name}: significance at 0.05 after Holm's correction over {counted(cells, 'comparison')} needs at least"
                f" {counted(needed, 'seed')} (one-sided) or {seeds_needed(cells, 2)} (two-sided)"
                f"{f'; with {len(plan.seeds)}, no difference can be significant' if len(plan.seeds) < needed else ''}"
            )
        elif cells and not too_few_seeds(plan):
            yield f"{plan.name}: {len(plan.seeds)} seeds can show a difference between methods ({_exact_test(cells)})"
        yield from (f"{plan.name}: {remark}" for remark in remarks(plan, work.dataset))
        if store.has_other_plan(plan):
            yield f"{plan.name}: the store has a different plan for this study, which is replaced; its runs stay in the store"
    if work.probes:
        done = len(work.probes) - len(work.pending_probes)
        yield f"after training: {counted(len(work.probes), 'probe')} ({done} already done) and the report"
    yield from (f"skipped: {reason}" for reason in work.skipped)


def comparisons(plan: Plan) -> int:
    """The number of tests in the family: each method against the first at each K, without "all" votes for a sweep of a paper."""
    counts = [k for k in plan.votes_per_item if k != "all" or plan.paper is None]
    return (len(plan.arms) - 1) * max(len(counts), 1)


def too_few_seeds(plan: Plan) -> str:
    """A sentence if no comparison of a user's study can be significant; empty otherwise. Claims of papers have their own tests."""
    cells, seeds = comparisons(plan), len(plan.seeds)
    if plan.paper is not None or not cells or seeds >= (needed := seeds_needed(cells, 2)):
        return ""
    return f"with {counted(seeds, 'seed')}, no difference between methods can be significant; use at least {needed} seeds ({_exact_test(cells)})"


def _exact_test(cells: int) -> str:
    """The test of a user's study."""
    several = f" and Holm's correction over {cells} comparisons" if cells > 1 else ""
    return f"two-sided exact Wilcoxon test at level 0.05{several}"
