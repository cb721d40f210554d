"""Before a study starts: about how long it will take and how much it will write."""

from __future__ import annotations

import json
import math
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from votewise.datasets import Dataset
from votewise.errors import RunFailedError, VotewiseError
from votewise.studies.store import Store, read_config
from votewise.training import Config, Engine, Problem, train
from votewise.training.models import build

STEPS, BUDGET = (
    12,
    5.0,
)  # that are timed where nothing is known yet: so many steps, or as many as fit into so many seconds
PAGES = 20_000  # bytes of a run's small files: configuration, scores, history


@dataclass(frozen=True)
class Forecast:
    """seconds, on all workers together; bytes, with the states of the runs under way; and how the time is known."""

    seconds: float
    bytes: int
    source: str


def forecast(dataset: Dataset, pending: Sequence[Config], store: Store, engine: Engine, workers: int) -> Forecast:
    """What the pending runs will take: by runs like them in the store, else by a few real steps of the first."""
    if not pending:
        return Forecast(0.0, 0, "nothing to do")
    first, like = pending[0], _finished_like(pending[0], store)
    weights = _weights(dataset, first)
    if like:
        per_epoch = statistics.median(seconds / epochs for seconds, epochs, _ in like)
        per_run, source = max(size for *_, size in like), "by finished runs"
    else:
        per_epoch, source = seconds_per_epoch(dataset, first, engine), "by a few steps"
        evaluated = round(first.split.fraction * len(dataset))
        per_run = 2 * weights + 8 * (evaluated * dataset.votes.num_classes + 2 * len(dataset)) + PAGES
    longest = [config.recipe.epochs * per_epoch for config in pending]
    rounds = math.ceil(len(pending) / workers) * workers / len(pending)  # the last round may leave workers idle
    return Forecast(
        sum(longest) * rounds / workers, len(pending) * per_run + 6 * weights * min(workers, len(pending)), source
    )


class _EnoughError(Exception):
    pass


def seconds_per_epoch(dataset: Dataset, config: Config, engine: Engine) -> float:
    """Time a few real steps on one worker. Evaluation goes forward only, at about a third of a step's price."""
    problem, at = Problem(dataset, config), [time.perf_counter()]

    def tell(_: object) -> None:
        at.append(time.perf_counter())
        if len(at) > STEPS or (len(at) > 2 and at[-1] - at[1] > BUDGET):
            raise _EnoughError

    with suppress(_EnoughError, RunFailedError):
        train(problem, replace(engine, checkpoint_seconds=0.0), None, tell)
    steps = [later - earlier for earlier, later in pairwise(at)]
    steps = steps[1:] or steps  # the first one warms up
    evaluation = len(problem.evaluation) / len(problem.training) / 3
    return statistics.median(steps) * math.ceil(len(problem.training) / config.recipe.batch_size) * (1 + evaluation)


def _finished_like(config: Config, store: Store) -> list[tuple[float, int, int]]:
    """Seconds, epochs and bytes of runs with the same data and, but for the number of epochs, the same recipe."""
    found = []
    for folder in store.folders():
        try:
            other, spent = read_config(folder), json.loads((folder / "timing.jsonl").read_text())
            if other.dataset == config.dataset and _but_epochs(other) == _but_epochs(config):
                found.append((float(spent["seconds"]), int(spent["epochs"]), _size(folder)))
        except (OSError, ValueError, KeyError, TypeError, VotewiseError):
            continue  # not finished yet, or damaged: no guide
    return found


def _but_epochs(config: Config) -> object:
    return config.recipe.model_copy(update={"epochs": 1})


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _weights(dataset: Dataset, config: Config) -> int:
    """Bytes of the net's parameters and buffers."""
    net = build(config.recipe.model, dataset.inputs.shape[1:], dataset.votes.num_classes)
    return sum(tensor.numel() * tensor.element_size() for tensor in net.state_dict().values())
