"""Reproduce a paper or run a plan: train the missing runs, run the probes, and build the report."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from votewise.errors import VotewiseError
from votewise.papers import PAPERS, Paper, paper
from votewise.studies import Agenda, Event, Failures, Plan, Store, agenda, conduct, executor_of, read_plan
from votewise.wording import listing
from votewise.workflows.announcing import too_few_seeds
from votewise.workflows.reporting import report

if TYPE_CHECKING:
    from votewise.training import Engine

REPORT_NEEDS = ("altair", "vl_convert", "jinja2")


def _ignore(*_: object) -> None:
    """A callback that does nothing."""


@dataclass(frozen=True)
class Execution:
    """How studies are executed.

    Attributes:
        engine: device and threads of a run; default: one core.
        executor: "local" or "ray".
        workers: number of runs in parallel; default: as many as fit the cores.
        shard: "i/n" with i from 0 trains only part i of n of the runs, without probes and report.
        on_start: called with the work and the number of workers before training starts; an exception stops the study.
        on_progress: called with an `Event` when training or probing advances.
        on_page: called with the path of each page.
        on_skip: called with the plan of a study that is skipped because its dataset is missing, and the error.

    Example:
        >>> Execution(workers=2, shard="0/4").executor  # the first quarter of the runs, two at a time
        'local'
    """

    engine: Engine | None = None
    executor: str = "local"
    workers: int | None = None
    shard: str | None = None
    on_start: Callable[[Agenda, int], None] = _ignore
    on_progress: Callable[[Event], None] = _ignore
    on_page: Callable[[Path], None] = _ignore
    on_skip: Callable[[Plan, VotewiseError], None] = _ignore


@dataclass(frozen=True)
class Reproduction:
    """The result of running studies.

    Attributes:
        store: the store of the runs.
        plans: the plans of the studies.
        pages: the reports that were built.
        failures: the runs and probes that failed, for each group of studies on one dataset.
    """

    store: Store
    plans: tuple[Plan, ...]
    pages: tuple[Path, ...] = ()
    failures: tuple[Failures, ...] = field(default=())


def reproduce(
    what: str | Path,
    preset: str | None = None,
    *,
    store: str | Path = "votewise-store",
    seeds: Sequence[int] | None = None,
    epochs: int | None = None,
    evidence: bool | None = None,
    execution: Execution | None = None,
) -> Reproduction:
    """Reproduce a paper or one of its studies, or run a plan. Finished runs are kept; the same call resumes after an interruption.

    Args:
        what: a paper ("basins", "companion", or an import path like my_paper:PAPER), a study ("main", "sparse", …), "all" for the first
            paper, or a plan in a .toml file.
        preset: "demo", "cpu" or "paper"; default: "demo", or the preset of the plan.
        store: the folder of runs and studies.
        seeds: the seeds; default: those of the plans.
        epochs: number of epochs; default: set by the preset.
        evidence: whether to run probes and build the report; default: yes for a paper and for a plan with probes.
        execution: executor, workers and callbacks.

    Returns:
        The store, the pages that were built, and the failures.

    Example:
        reproduce("basins", preset="demo")
    """
    stages, whole = stages_of(what, preset)
    evidence = whole if evidence is None else evidence
    stages = at_hand(stages, (execution or Execution()).on_skip)
    changed = [
        tuple(plan.changed(seeds=None if seeds is None else tuple(seeds), epochs=epochs) for plan in stage)
        for stage in stages
    ]
    return run(changed, Store(store), evidence=evidence, execution=execution)


def run(
    stages: Sequence[Sequence[Plan]], store: Store, *, evidence: bool = True, execution: Execution | None = None
) -> Reproduction:
    """Run plans stage by stage; the report is built after each stage. Too few seeds for a test of a user's study give a warning."""
    how = execution or Execution()
    from votewise.training import Engine

    engine = how.engine or Engine()
    evidence = evidence and how.shard is None
    executor, workers = executor_of(how.executor, engine, how.workers)
    failures, pages = list[Failures](), tuple[Path, ...]()
    for stage in stages:
        for plans in _by_dataset(stage):
            work = agenda(plans, store, part=how.shard, probes=evidence)
            for sentence in dict.fromkeys(filter(None, map(too_few_seeds, plans))):
                warnings.warn(sentence, stacklevel=3)
            how.on_start(work, workers)
            failures.append(conduct(work, store, engine=engine, executor=executor, on_progress=how.on_progress))
        if (
            evidence
            and all(find_spec(name) is not None for name in REPORT_NEEDS)
            and any(r.finished for r in store.all_runs())
        ):
            pages = report(store, study=stage[0].name)
            for page in pages:
                how.on_page(page)
    return Reproduction(store, tuple(plan for stage in stages for plan in stage), pages, tuple(failures))


def stages_of(what: str | Path, preset: str | None = None) -> tuple[list[list[Plan]], bool]:
    """The selected plans in stages, and whether to run probes and build the report."""
    if str(what).endswith(".toml"):
        plan = read_plan(what).changed(preset=preset)
        return [[plan]], bool(plan.probes)
    name, level = str(what), preset or "demo"
    if name == "all" or name in PAPERS or ":" in name:
        chosen = paper(PAPERS[0] if name == "all" else name)
        return chosen.plans(level), True
    papers: list[Paper] = [paper(each) for each in PAPERS]
    for chosen in papers:
        if name in chosen.studies:
            return [[chosen.plan(name, level)]], False
    studies = [study for chosen in papers for study in chosen.studies]
    raise VotewiseError(
        f"unknown study {name!r}",
        remedy=f"choose one of {listing(('all', *PAPERS, *studies), 20)}, or give a plan in a .toml file",
    )


def at_hand(stages: list[list[Plan]], on_skip: Callable[[Plan, VotewiseError], None]) -> list[list[Plan]]:
    """The plans whose dataset is available. If no dataset is available, the error of the first one is raised."""
    sources = dict.fromkeys(plan.dataset for stage in stages for plan in stage)
    if len(sources) == 1:
        return stages
    gone: dict[object, VotewiseError] = {}
    for source in sources:
        try:
            source.load()
        except VotewiseError as error:
            gone[source] = error
    if len(gone) == len(sources):
        raise next(iter(gone.values()))
    for plan in (plan for stage in stages for plan in stage if plan.dataset in gone):
        on_skip(plan, gone[plan.dataset])
    kept = [[plan for plan in stage if plan.dataset not in gone] for stage in stages]
    return [stage for stage in kept if stage]


def _by_dataset(plans: Sequence[Plan]) -> list[list[Plan]]:
    groups: dict[object, list[Plan]] = {}
    for plan in plans:
        groups.setdefault(plan.dataset, []).append(plan)
    return list(groups.values())
