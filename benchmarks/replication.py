"""The replication on CIFAR-10H with the `cpu` preset, most informative runs first: `python -m benchmarks.replication STORE [WORKERS]`.

It trains the runs of `votewise reproduce basins --preset cpu`, in an order that gives publishable results after any interruption, and
runs the probes directly after each group of runs. Probes need the weights of a run, which an archive leaves out: the archived runs of a
missing probe are trained again first. The command resumes after an interruption; `votewise archive STORE results/cifar10h-cpu` copies
the small results.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from votewise.papers import paper
from votewise.studies import Agenda, Event, Local, Store, agenda, conduct
from votewise.training import Config

WEIGHTS = ("best.safetensors", "last.safetensors")


def groups(work: Agenda) -> Iterator[list[Config]]:
    """The runs in groups by stage and seed, so that runs that a probe compares are trained together."""

    def runs(*methods: str, votes: tuple[int | None, ...] = (None,), seed: int) -> list[Config]:
        return [
            config
            for config in work.runs
            if (not methods or config.method.name in methods)
            and (config.subsample.k if config.subsample else None) in votes
            and config.seed == seed
            and config.training_seed is None
        ]

    for seed in range(8):
        yield runs("soft", "sls", "multipass", votes=(5, None), seed=seed) + runs("majority", seed=seed)
    for seed in range(8):
        yield runs("deterministic", votes=(5, None), seed=seed) + runs("shuffled-sls", seed=seed)
    for votes in (10, 25, 50):
        for seed in range(8):
            yield runs(votes=(votes,), seed=seed)
    for seed in range(5):
        yield runs(seed=seed)
    yield work.runs


def train_again(configs: Sequence[Config], work: Agenda, store: Store, workers: int) -> None:
    """Train archived runs again in a separate store. A run whose weights are the recorded ones gets its files back."""
    again = Store(store.path / "again")
    pending = [config for config in configs if not again.run(config).finished]
    conduct(replace(work, pending=pending, pending_probes=[]), again, executor=Local(workers), on_progress=show)
    for archived, trained in ((store.run(config), again.run(config)) for config in configs):
        same = trained.finished and all(trained.digests[name] == archived.digests[name] for name in WEIGHTS)
        print(f"{archived.name}: {'the same weights' if same else 'other weights; it remains archived'}", flush=True)
        if same:
            for file in filter(Path.is_file, trained.folder.iterdir()):
                file.replace(archived.folder / file.name)
            (archived.folder / "archived.json").unlink()


def show(event: Event) -> None:
    """Print the name of a run or probe that has ended."""
    if event.job is not None:
        print(time.strftime("%H:%M:%S"), event.stage, event.job, event.failure or "", flush=True)


def main(store: str, workers: int = 1) -> None:
    """Train and probe, group by group."""
    place, known = Store(store), paper("basins")
    plans = [known.plan(study, "cpu") for study in known.studies]
    plans.append(paper("companion").plan("companion-cifar10h", "cpu"))  # the same runs with one more probe
    for number, group in enumerate(groups(agenda(plans, place))):
        now, ids = agenda(plans, place), {config.id for config in group}
        pending = [config for config in now.pending if config.id in ids]
        finished = {config.id for config in now.runs} - {config.id for config in now.pending}
        probes = [
            job
            for job in now.pending_probes
            if (used := {config.id for config in job.configs}) <= finished | ids and used & ids
        ]
        archived = {c.id: c for job in probes for c in job.configs if c.id in finished and place.run(c).archived}
        print(f"group {number}: {len(pending)} runs, {len(archived)} again, {len(probes)} probes", flush=True)
        if archived:
            train_again(list(archived.values()), now, place, workers)
            probes = [job for job in probes if not any(place.run(config).archived for config in job.configs)]
        conduct(replace(now, pending=pending, pending_probes=probes), place, executor=Local(workers), on_progress=show)


if __name__ == "__main__":
    main(str(Path(sys.argv[1])), *map(int, sys.argv[2:3]))
