"""The probes of a plan as jobs; each stores its reading next to the run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.probes import CHUNK, PROBES, Probe, Reading, read_reading, run_probe
from votewise.studies.data import Datasets
from votewise.studies.executor import OnEpoch, Outcome, Work
from votewise.studies.plan import Plan, label
from votewise.studies.probe_spec import ProbeSpec, make_probe
from votewise.studies.source import Source
from votewise.studies.store import Store
from votewise.training import Config, Run
from votewise.votes import repeated

if TYPE_CHECKING:
    from votewise.probes import ProbedRun

KEPT = 64  # number of runs whose features and maps a worker caches, because pairs share them


@dataclass(frozen=True)
class ProbeJob:
    """One probe of one run, or of a pair of runs."""

    probe: Probe
    configs: tuple[Config, ...]

    @property
    def id(self) -> str:
        return f"{self.configs[0].id}/{self.path(Path()).name}"

    def __str__(self) -> str:
        return f"{self.probe.name} of {' and '.join(config.folder_name for config in self.configs)}"

    def path(self, store: Path) -> Path:
        """The path of its reading."""
        return self.probe.path(Run.of(store, self.configs[0]).folder, *(config.id for config in self.configs[1:]))

    def reading(self, store: Path, dataset: Dataset | None = None) -> Reading | None:
        """The stored reading, if any; if a dataset is given, only a reading measured on that dataset."""
        return read_reading(self.path(store), data=None if dataset is None else self.probe.data(dataset))


@dataclass(frozen=True)
class Probing(Work):
    """Runs probe jobs on the runs of a store."""

    chunk: int = CHUNK

    def do(self, job: ProbeJob, on_epoch: OnEpoch = lambda _id, _epochs: None) -> Outcome:
        """Run one probe. An error becomes the outcome of this job and does not stop other jobs."""
        self.engine.prepare()
        try:
            dataset = self.source.load()
            runs = [_probed_run(dataset, config, self, job.probe.checkpoint) for config in job.configs]
            run_probe(job.probe, *runs, chunk=self.chunk)
        except VotewiseError as error:
            return Outcome(job.id, "failed", str(error))
        except Exception as error:
            return Outcome(job.id, "failed", f"{type(error).__name__}: {error}")
        return Outcome(job.id, "finished")


@lru_cache(KEPT)
def _probed_run(dataset: Dataset, config: Config, work: Probing, checkpoint: str) -> ProbedRun:
    from votewise.probes import ProbedRun
    from votewise.training import Problem

    run = Run.of(work.store, config)
    return ProbedRun(run, Problem(dataset, config, run.folder), checkpoint, work.engine.device)


def probe_jobs(plan: Plan, configs: Sequence[Config], only: Sequence[str] = ()) -> list[ProbeJob]:
    """The probe jobs of a plan on its runs, in an order that does not depend on the order of the runs; `only` selects probes by name."""
    probed = plan.probe_seeds or plan.seeds
    configs = sorted(
        (config for config in configs if config.seed in probed),
        key=lambda config: (config.seed, config.training_seed or 0, config.id),
    )
    jobs = (
        ProbeJob(probe, runs)
        for spec in plan.probes
        if not only or spec.name in only
        for checkpoint in spec.checkpoints
        for probe in [make_probe(spec.name, {**plan.probe_options.get(spec.name, {}), "checkpoint": checkpoint})]
        for runs in _runs_of(spec, configs)
        if probe.fits(*runs)
    )
    return list({job.id: job for job in jobs}.values())


def jobs_of_store(store: Store, only: Sequence[str] = ()) -> dict[Source, list[ProbeJob]]:
    """The probe jobs of all plans of a store on its finished runs, grouped by dataset; `only` selects probes by name. By default, all that the data support.

    Raises:
        VotewiseError: if there are no jobs, or the data cannot be found.
    """
    jobs: dict[Source, dict[str, ProbeJob]] = defaultdict(dict)
    for study in store.studies():
        plan = store.plan(study)
        configs = [run.config for run in store.finished(study)]
        jobs[plan.dataset] |= {job.id: job for job in probe_jobs(plan, configs, only)}
    supported = {source: _supported(list(by_id.values()), source, only) for source, by_id in jobs.items() if by_id}
    if not any(supported.values()):
        raise VotewiseError(
            "nothing to probe",
            where=store.path,
            remedy="give folders of finished runs, or a store whose plans have probes",
        )
    return supported


def jobs_of_runs(
    folders: Sequence[Path], only: Sequence[str] = (), checkpoint: str = "best"
) -> dict[Source, list[ProbeJob]]:
    """Every single-run probe of each run and every pair probe of each pair of runs, grouped by dataset; `only` selects probes by name.

    Raises:
        VotewiseError: if a folder is not a finished run or is listed twice, if the runs have different datasets, or if the data cannot be found.
    """
    runs = [Run(folder) for folder in folders]
    for run in runs:
        if not run.finished:
            raise VotewiseError(run.why_unfinished, where=run.folder, remedy="give the folder of a finished run")
    configs = [run.config for run in runs]
    if twice := repeated([config.folder_name for config in configs]):
        raise VotewiseError(f"the run {twice[0]} is listed twice", remedy="list each run once")
    if len({config.dataset for config in configs}) > 1:
        raise VotewiseError("the runs have different datasets", where=folders[0], remedy="give runs of one dataset")
    jobs = list[ProbeJob]()
    for name in only or PROBES:
        probe = make_probe(name, {"checkpoint": checkpoint})
        groups = combinations(configs, 2) if probe.pair else ((config,) for config in configs)
        jobs += [ProbeJob(probe, group) for group in groups if only or probe.fits(*group)]
    if not jobs:
        raise VotewiseError(f"{', '.join(only)} compares two runs", remedy="give two folders")
    datasets = Datasets(Store(runs[0].store))
    source = next((source for config in configs if (source := datasets.source(config))), None)
    if source is None:
        raise VotewiseError(
            "the training data was not found, or has changed",
            where=folders[0],
            remedy="restore it, or rerun the training command with the new location of the data",
        )
    return {source: _supported(jobs, source, only)}


def _supported(jobs: list[ProbeJob], source: Source, only: Sequence[str]) -> list[ProbeJob]:
    """The jobs that the data support; all jobs, if their probes were selected by name."""
    return jobs if only else supported_jobs(jobs, source.load())[0]


def supported_jobs(jobs: Sequence[ProbeJob], dataset: Dataset) -> tuple[list[ProbeJob], list[str]]:
    """The jobs that a dataset supports, and a reason for each probe that it does not support."""
    unsupported = dict[Probe, str]()
    for probe in dict.fromkeys(job.probe for job in jobs):
        try:
            probe.require(dataset)
        except VotewiseError as error:
            unsupported[probe] = f"{probe.name}, because {error}"
    return [job for job in jobs if job.probe not in unsupported], list(dict.fromkeys(unsupported.values()))


def _runs_of(spec: ProbeSpec, configs: Sequence[Config]) -> Iterator[tuple[Config, ...]]:
    """The runs, or pairs of runs, that a spec selects."""
    selected = [config for config in configs if label(config.method) in spec.methods]
    if spec.against is None:
        yield from ((config,) for config in selected)
    elif spec.against == "seeds":
        yield from (pair for pair in combinations(selected, 2) if pair[0].subsample == pair[1].subsample)
    elif spec.against == "twin":
        twins = [config for config in selected if config.training_seed is not None]
        yield from _pairs((config for config in selected if config.training_seed is None), twins, "training_seed")
    else:
        yield from _pairs(selected, [config for config in configs if label(config.method) == spec.against], "method")


def _pairs(configs: Iterable[Config], others: Iterable[Config], field: str) -> Iterator[tuple[Config, Config]]:
    """Pairs of configurations that differ in only one field."""

    def rest(config: Config) -> Config:
        return config.model_copy(update={field: None})

    partners = defaultdict[Config, list[Config]](list)
    for other in others:
        partners[rest(other)].append(other)
    for config in configs:
        yield from ((config, other) for other in partners[rest(config)])
