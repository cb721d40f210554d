"""The replication on CIFAR-10H with the `cpu` preset, most informative runs first: `python -m benchmarks.replication STORE [WORKERS]`.

It trains the runs of `votewise reproduce basins --preset cpu`, in an order that gives publishable results after any interruption. The
probes of a run need its weights, which an archive leaves out, so they run directly after each group of runs. The command resumes after an interruption;
`votewise archive STORE results/cifar10h-cpu` copies the small results.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from votewise.papers import paper
from votewise.studies import Agenda, Event, Local, Store, agenda, conduct
from votewise.training import Config


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


def main(store: str, workers: int = 1) -> None:
    """Train and probe, group by group."""
    place, known = Store(store), paper("basins")
    plans = [known.plan(study, "cpu") for study in known.studies]
    plans.append(paper("companion").plan("companion-cifar10h", "cpu"))  # the same runs with one more probe

    def show(event: Event) -> None:
        if event.job is not None:
            print(time.strftime("%H:%M:%S"), event.stage, event.job, event.failure or "", flush=True)

    for number, group in enumerate(groups(agenda(plans, place))):
        now = agenda(plans, place)
        pending = [config for config in group if not place.run(config).finished]
        ready = {c.id for c in now.runs if place.run(c).finished and not place.run(c).archived} | {
            c.id for c in pending
        }
        probes = [job for job in now.pending_probes if all(config.id in ready for config in job.configs)]
        print(f"group {number}: {len(pending)} runs, {len(probes)} probes", flush=True)
        conduct(replace(now, pending=pending, pending_probes=probes), place, executor=Local(workers), on_progress=show)


if __name__ == "__main__":
    main(str(Path(sys.argv[1])), *map(int, sys.argv[2:3]))
