"""Trains a finished run again in a temporary folder. The bits must be equal on the same machine; on another, the scores must be within the spread over seeds."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from votewise.errors import VotewiseError
from votewise.studies.data import Datasets
from votewise.studies.store import Store
from votewise.training import CHECKPOINTS, Engine, Run
from votewise.wording import listing

SCORE = "soft_nll"  # the quantity that training minimises and that selects the best epoch


@dataclass(frozen=True)
class Retrained:
    """The comparison of a run with the same run trained again.

    Attributes:
        run: The run.
        different: Files whose bits differ; there are none on the same machine with the same versions and threads.
        environment: Keys in which the environments differ, e.g. versions or threads.
        same_labels: Whether all targets of all epochs are equal, which must hold on every machine.
        change: The change of the soft NLL; the larger one of both checkpoints.
        spread: The range of the soft NLL over the seeds of the same method in the store; None if there is one seed.
    """

    run: Run
    different: list[str]
    environment: list[str]
    same_labels: bool
    change: float
    spread: float | None

    @property
    def problem(self) -> str | None:
        """The unexpected difference, if any."""
        if not self.same_labels:
            return "the run trained again has different labels"
        if self.different and not self.environment and self.run.exact:
            return f"the run trained again in the same environment has different files: {listing(self.different)}"
        if self.spread is not None and self.change > self.spread:
            return f"the soft NLL of the run trained again differs by {self.change:.4f}, more than the range over seeds ({self.spread:.4f})"
        return None

    def __str__(self) -> str:
        if self.problem:
            return f"{self.run.name}: {self.problem}"
        where = f" in a different environment ({', '.join(self.environment)})" if self.environment else ""
        if not self.different:
            return f"{self.run.name}: trained again{where}; all files are identical"
        if not self.environment:
            where = " (the first training was resumed in another environment)"
        seeds = "" if self.spread is None else f" ({self.spread:.4f} between seeds)"
        score = f"changed by {self.change:.2g}{seeds}" if self.change else "is the same"
        return f"{self.run.name}: trained again{where}; the labels are the same, {listing(self.different)} differ; the soft NLL {score}"


def train_again(store: Store, datasets: Datasets, name: str) -> Retrained:
    """Train a finished run again in a temporary folder with its original number of threads, and compare. `name` is its id or folder name."""
    run = next((run for run in store.all_runs() if name in (run.id, run.name) and run.finished), None)
    if run is None:
        raise VotewiseError(
            f"no finished run {name!r}", where=store.path, remedy="give a run id or a folder name in runs/"
        )
    dataset = datasets.get(run.config)
    if dataset is None:
        raise VotewiseError(
            "the data of this run was not found, or has changed",
            where=run.folder,
            remedy="set VOTEWISE_DATA to its folder",
        )
    from votewise.training import complete

    with tempfile.TemporaryDirectory() as folder:
        again = complete(dataset, run.config, folder, Engine(threads=run.environment.get("threads", 1)))
        return Retrained(
            run,
            [name for name, digest in run.digests.items() if again.digests[name] != digest],
            _changes(run.environment, again.environment),
            run.tape == again.tape,
            max(abs(run.checkpoint(each).scores[SCORE] - again.checkpoint(each).scores[SCORE]) for each in CHECKPOINTS),
            _spread(store, run),
        )


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The keys with different values."""
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def _spread(store: Store, run: Run) -> float | None:
    """The range of the score over runs that differ only in their seeds."""
    scores = [
        other.best.scores[SCORE]
        for other in store.all_runs()
        if other.finished and other.config.model_copy(update={"seed": run.config.seed}) == run.config
    ]
    return max(scores) - min(scores) if len(scores) > 1 else None
