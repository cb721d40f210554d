"""Run studies: train the missing runs, run the probes, and report progress to a callback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from votewise.errors import VotewiseError
from votewise.limits import whole_number
from votewise.probes import CHUNK, Reading
from votewise.studies.executor import Executor, Training, Work, shard
from votewise.studies.local import Local, cores
from votewise.studies.plan import Plan
from votewise.studies.probe_spec import make_probe
from votewise.studies.probing import ProbeJob, Probing, jobs_of_runs, jobs_of_store, probe_jobs, supported_jobs
from votewise.studies.source import Source
from votewise.studies.store import Store
from votewise.training import Config, Engine, Run, check_checkpoint

if TYPE_CHECKING:
    from votewise.datasets import Dataset


@dataclass(frozen=True)
class Event:
    """Progress of a study.

    Attributes:
        stage: "training" or "probes".
        done: finished work, in training epochs or in probes.
        total: total work, in the same unit.
        job: the name of the run or probe that has just ended; None if only `done` has changed.
        jobs: number of jobs.
        failure: why the job failed, or None.
    """

    stage: Literal["training", "probes"]
    done: int
    total: int
    jobs: int
    job: str | None = None
    failure: str | None = None


OnProgress = Callable[[Event], None]


@dataclass(frozen=True)
class Agenda:
    """The runs and probes that plans on one dataset require, and those that are not in the store yet.

    Attributes:
        configs: by study, the configuration of each of its runs.
        runs: the runs of all studies without duplicates; with a shard, only those of the shard.
        pending: runs that are not finished.
        probes: probe jobs of these runs.
        pending_probes: probe jobs without a reading.
        skipped: probes that the dataset does not support, with the reason.
    """

    plans: tuple[Plan, ...]
    dataset: Dataset
    configs: dict[str, list[Config]]
    runs: list[Config]
    pending: list[Config]
    probes: list[ProbeJob]
    pending_probes: list[ProbeJob]
    skipped: list[str]


@dataclass(frozen=True)
class Failures:
    """Runs and probes that failed, each with the reason."""

    runs: dict[str, str]
    probes: dict[str, str]


def agenda(plans: Sequence[Plan], store: Store, *, part: str | None = None, probes: bool = True) -> Agenda:
    """The work that plans on one dataset require, or a part "i/n" of their runs."""
    dataset = plans[0].dataset.load()
    configs = {plan.name: plan.configs(dataset) for plan in plans}
    every = list({config.id: config for group in configs.values() for config in group}.values())
    runs = every if part is None else shard(every, part)
    pending = [config for config in runs if not store.run(config).finished]
    for plan in plans if pending else ():
        plan.check(dataset)
    jobs = {job.id: job for plan in plans if probes and part is None for job in probe_jobs(plan, configs[plan.name])}
    supported, skipped = supported_jobs(list(jobs.values()), dataset)
    waiting = [job for job in supported if job.reading(store.path, dataset) is None]
    return Agenda(tuple(plans), dataset, configs, runs, pending, supported, waiting, skipped)


def conduct(
    work: Agenda,
    store: Store,
    *,
    engine: Engine | None = None,
    executor: Executor | None = None,
    on_progress: OnProgress = lambda _: None,
) -> Failures:
    """Record the studies in the store, train the pending runs, and run the probes whose runs are finished.

    A failed run or probe does not stop the others. After an interruption, the same call resumes the work.
    """
    engine = engine or Engine()
    executor = executor or executor_of("local", engine)[0]
    for plan in work.plans:
        store.record(plan, work.configs[plan.name])
    source = work.plans[0].dataset
    training = Training(source, store.path.absolute(), engine)
    return Failures(
        runs=_execute("training", work.pending, training, executor, on_progress),
        probes=run_probes(
            work.pending_probes, source, store, engine=engine, executor=executor, on_progress=on_progress
        ),
    )


def run_probes(
    jobs: Sequence[ProbeJob],
    source: Source,
    store: Store,
    *,
    engine: Engine,
    executor: Executor,
    chunk: int = CHUNK,
    on_progress: OnProgress = lambda _: None,
) -> dict[str, str]:
    """Run the probes that have no reading of the current data and whose runs are finished. Returns the reason of each failure."""
    dataset = source.load() if jobs else None
    configs = {config.id: config for job in jobs for config in job.configs}
    ready = {id for id, config in configs.items() if store.run(config).finished}
    pending = [
        job
        for job in jobs
        if all(config.id in ready for config in job.configs) and job.reading(store.path, dataset) is None
    ]
    return _execute("probes", pending, Probing(source, store.path.absolute(), engine, chunk), executor, on_progress)


def _execute(
    stage: Literal["training", "probes"], jobs: Sequence[Any], work: Work, executor: Executor, on_progress: OnProgress
) -> dict[str, str]:
    """Execute jobs, report every event, and return the reason for each failed job, by name."""
    by_id, failures = {job.id: job for job in jobs}, dict[str, str]()
    parts, total = dict.fromkeys(by_id, 0), sum(work.size(job) for job in jobs)

    def report(id: str, part: int, name: str | None = None, failure: str | None = None) -> None:
        parts[id] = max(parts[id], part)
        on_progress(Event(stage, sum(parts.values()), total, len(jobs), name, failure))

    with closing(executor.execute(jobs, work, report)) as outcomes:
        for outcome in outcomes:
            job = by_id[outcome.id]
            name, failure = work.name(job), outcome.why if outcome.kind == "failed" else None
            if failure is not None:
                failures[name] = failure
                work.note_failure(job, failure)
            report(outcome.id, work.size(job), name, failure)
    return failures


@dataclass(frozen=True)
class Probed:
    """The results of probes.

    Attributes:
        store: the store of the runs.
        jobs: number of probe jobs.
        readings: the reading of each finished job, by name.
        failures: the reason of each failed job, by name.
    """

    store: Store
    jobs: int
    readings: dict[ProbeJob, Reading]
    failures: dict[str, str]


def probe(
    folders: Sequence[str | Path],
    only: Sequence[str] = (),
    *,
    checkpoint: str = "best",
    chunk: int = CHUNK,
    engine: Engine | None = None,
    workers: int | None = None,
    on_progress: OnProgress = lambda _: None,
) -> Probed:
    """Run probes on finished runs. Stored readings are reused. A failed probe does not stop the others.

    Args:
        folders: folders of runs, which are compared in pairs, or one store, to run all probes of its plans.
        only: names of probes; default: all that apply.
        checkpoint: "best" or "last"; only used with folders of runs.
        chunk: number of examples per forward pass; smaller values need less memory.
        engine: device and threads; default: one CPU core.
        workers: number of probes to run in parallel; default: as many as fit the cores.
        on_progress: called after every probe.

    Raises:
        VotewiseError: if a folder, the checkpoint or a probe is unknown, or there is nothing to probe.
    """
    engine, paths = engine or Engine(), [Path(folder) for folder in folders]
    executor, _ = executor_of("local", engine, workers)
    for path in paths:
        if not path.is_dir():
            raise VotewiseError("no such folder", where=path, remedy="give a store, or STORE/runs/NAME")
    check_checkpoint(checkpoint)
    for name in only:
        make_probe(name)
    whole_number("chunk", chunk, 1)
    whole = len(paths) == 1 and not Run(paths[0]).started
    store = Store(paths[0] if whole else Run(paths[0]).store)
    jobs = jobs_of_store(store, only) if whole else jobs_of_runs(paths, only, checkpoint)
    failures = dict[str, str]()
    for source, some in jobs.items():
        failures |= run_probes(
            some, source, store, engine=engine, executor=executor, chunk=chunk, on_progress=on_progress
        )
    every = [job for some in jobs.values() for job in some]
    readings = {job: reading for job in every if (reading := job.reading(store.path)) is not None}
    return Probed(store, len(every), readings, failures)


def executor_of(name: str, engine: Engine, workers: int | None = None) -> tuple[Executor, int]:
    """The executor called "local" or "ray", and the number of runs that it trains in parallel."""
    if workers is not None:
        whole_number("workers (--workers)", workers, 1)
    if name == "ray":
        from votewise.studies.on_ray import OnRay

        ray = OnRay()
        return ray, ray.connect(engine.threads)
    if name != "local":
        raise VotewiseError(f"unknown executor {name!r}", remedy="choose 'local' or 'ray'")
    count = workers or max(cores() // engine.threads, 1)
    if workers is None and engine.device == "cuda":
        import torch

        count = torch.cuda.device_count()
    return Local(count), count
