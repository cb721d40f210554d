"""A store of many runs for benchmarks: copies of the runs of a real store with other seeds and valid digests."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

from votewise.hashing import sealed
from votewise.studies import Store
from votewise.studies.probing import probe_jobs
from votewise.training import Config, Run
from votewise.training import run_files as f

APART = 100  # offset of the seeds from one copy to the next


def copied_store(source: Path, target: Path, times: int) -> Store:
    """Copy the runs of a store `times` times, with their probe readings and studies."""
    original, copies = Store(source), Store(target)
    finished = {study: [run.config for run in original.finished(study)] for study in original.studies()}
    plans = {study: original.plan(study) for study in finished}
    made = set[str]()
    members: dict[str, list[Config]] = {study: [] for study in finished}
    for turn in range(times):
        for study, configs in finished.items():
            for config in configs:
                other = _shifted(config, APART * turn)
                members[study].append(other)
                if other.id not in made:
                    made.add(other.id)
                    _copy(original.run(config), copies.run(other), other)
            for job in probe_jobs(plans[study], configs):
                path, others = job.path(source), [_shifted(config, APART * turn) for config in job.configs]
                if path.exists():
                    copy = job.probe.path(copies.run(others[0]).folder, *(config.id for config in others[1:]))
                    copy.parent.mkdir(exist_ok=True)
                    copyfile(path, copy)
    for study, plan in plans.items():
        seeds = tuple(seed + APART * at for at in range(times) for seed in plan.seeds)
        copies.record(plan.model_copy(update={"seeds": seeds}), members[study])
    return copies


def _shifted(config: Config, by: int) -> Config:
    twin = None if config.training_seed is None else config.training_seed + by
    return config.model_copy(update={"seed": config.seed + by, "training_seed": twin})


def _copy(run: Run, copy: Run, config: Config) -> None:
    """The files of a run, changed to another configuration."""
    copy.folder.mkdir(parents=True)
    for path in run.folder.iterdir():
        if path.is_file() and path.name != f.CONFIG:
            copyfile(path, copy.folder / path.name)
    identity = {**config.identity, "dataset_name": config.dataset_name, "id": config.id}
    (copy.folder / f.CONFIG).write_bytes(f.as_json(identity))
    digests = {**run.digests, f.CONFIG: f.sha256(copy.folder / f.CONFIG)}
    (copy.folder / f.SCORES).write_bytes(f.as_json(sealed({**run.summary, "digests": digests})))
