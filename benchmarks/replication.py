"""The replication on CIFAR-10H under the `cpu` preset, most telling runs first: `python -m benchmarks.replication STORE [WORKERS]`.

It trains what `votewise reproduce basins --preset cpu` trains, in an order in which every stop leaves results that can be published, and
runs the probes of each stage after its runs. It goes on where it was; the small results are copied with `votewise archive STORE results/cifar10h-cpu`.
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

CHEAP = ("dynamics", "reliability", "spread", "diagnosis", "same-winner", "noise", "ood", "barrier")  # seconds each


def stages(work: Agenda) -> Iterator[list[Config]]:
    """Groups of runs, seed by seed inside each."""
    few, hard = ("soft", "sls", "multipass"), ("deterministic", "shuffled-sls")

    def runs(*methods: str, votes: tuple[int | None, ...] = (None,), seeds: int = 8) -> list[Config]:
        every = [
            config
            for config in work.runs
            if (not methods or config.method.name in methods)
            and (config.subsample.k if config.subsample else None) in votes
            and config.seed < seeds
            and config.training_seed is None
        ]
        return sorted(every, key=lambda config: config.seed)

    yield runs(*few, votes=(5, None)) + runs("majority")
    yield runs(*hard, votes=(5, None))
    yield runs(votes=(10, 25, 50))
    yield runs("label-smoothing", "mixup") + [c for c in work.runs if "every" in c.method.name]
    yield runs(votes=(5, 10, 25, 50, None), seeds=10)
    yield work.runs


def main(store: str, workers: int = 1) -> None:
    """Train and probe, stage by stage."""
    place, known = Store(store), paper("basins")
    plans = [known.plan(study, "cpu") for study in known.studies]

    def show(event: Event) -> None:
        if event.job is not None:
            print(time.strftime("%H:%M:%S"), event.stage, event.job, event.failure or "", flush=True)

    work = agenda(plans, place)
    for number, stage in enumerate(stages(work)):
        now = agenda(plans, place)
        mine = {config.id for config in stage}
        pending = [config for config in stage if not place.run(config).finished]
        ready = {config.id for config in now.runs if place.run(config).finished} | mine
        probes = [
            job
            for job in now.pending_probes
            if (number or job.probe.name in CHEAP) and all(config.id in ready for config in job.configs)
        ]
        print(f"stage {number}: {len(pending)} runs, {len(probes)} probes", flush=True)
        conduct(replace(now, pending=pending, pending_probes=probes), place, executor=Local(workers), on_progress=show)


if __name__ == "__main__":
    main(str(Path(sys.argv[1])), *map(int, sys.argv[2:3]))
