"""Before a study starts: about how long it will take and how much it will write."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.studies.store import Store
from votewise.training import Config, Engine, Problem, Progress, build, complete

TRIAL = 5  # epochs of the run that is timed where nothing is known yet
BUDGET = 5.0  # seconds after which it is broken off
PAGES = 20_000  # bytes of a run's small files: configuration, scores, history


@dataclass(frozen=True)
class Forecast:
    """seconds, on all workers together; bytes, with the states of the runs under way; and how the time is known."""

    seconds: float
    bytes: int
    source: str


def forecast(
    dataset: Dataset, pending: Sequence[Config], store: Store, engine: Engine, workers: int, start: float = 0.0
) -> Forecast:
    """What the pending runs will take: by runs like them in the store, else by a short one that is thrown away. `start` is what workers take to start."""
    if not pending:
        return Forecast(0.0, 0, "nothing to do")
    first, like = pending[0], _finished_like(pending[0], store)
    weights = _weights(dataset, first)
    if like:
        per_epoch, besides = statistics.median(seconds / epochs for seconds, epochs, _ in like), 0.0
        per_run, source = max(size for *_, size in like), "by finished runs"
    else:
        (per_epoch, besides), source = seconds_of(dataset, first, engine), "by a short run"
        evaluated = round(first.split.fraction * len(dataset))
        per_run = 2 * weights + 8 * (evaluated * dataset.votes.num_classes + 2 * len(dataset)) + PAGES
    each = statistics.mean(config.recipe.epochs * per_epoch + besides for config in pending)
    return Forecast(
        start + math.ceil(len(pending) / workers) * each,
        len(pending) * per_run + 6 * weights * min(workers, len(pending)),
        source,
    )


class _EnoughError(Exception):
    pass


def seconds_of(dataset: Dataset, config: Config, engine: Engine, budget: float = BUDGET) -> tuple[float, float]:
    """Of an epoch with its evaluation, and of what a run costs besides its epochs: it is begun, scored and written.

    Timed on one worker by a run of a few epochs in a folder that is thrown away. Where that takes too long, by its first steps: evaluation goes forward only,
    at about a third of a step's price, and scoring over all items twice, at about an epoch's.
    """
    problem, epochs = Problem(dataset, config), min(config.recipe.epochs, TRIAL)
    steps = math.ceil(len(problem.training) / config.recipe.batch_size)
    short = config.model_copy(update={"recipe": config.recipe.model_copy(update={"epochs": epochs})})
    began, told = time.perf_counter(), list[tuple[float, float]]()  # seconds, epochs

    def tell(progress: Progress) -> None:
        at = progress.epoch + progress.step / steps
        if not told or at > told[-1][1]:  # an epoch's last step and its end are one place
            told.append((time.perf_counter() - began, at))
        if told[-1][0] > budget and len(told) > 1:
            raise _EnoughError

    with suppress(_EnoughError, VotewiseError, OSError), TemporaryDirectory() as folder:
        complete(dataset, short, Path(folder), replace(engine, checkpoint_seconds=budget / 3), tell)
    total = time.perf_counter() - began
    if len(told) < 2:  # one epoch is all there is, or it diverges in the first, or there is no place to write it to
        return total, 0.0
    (seconds, first), (later, last) = told[0], told[-1]  # the first is left out, which warms up
    per_epoch = (later - seconds) / (last - first)
    if last < epochs:
        per_epoch *= 1 if last >= 1 else 1 + len(problem.evaluation) / len(problem.training) / 3
        return per_epoch, per_epoch
    return per_epoch, max(total - epochs * per_epoch, 0.0)


def _finished_like(config: Config, store: Store) -> list[tuple[float, int, int]]:
    """Seconds, epochs and bytes of runs with the same data and, but for the number of epochs, the same recipe."""
    alike = []
    for run in store.all_runs():
        with suppress(OSError, VotewiseError):  # not finished yet, or damaged
            same = run.config.dataset == config.dataset and _but_epochs(run.config) == _but_epochs(config)
            if same and (timing := run.timing):
                alike.append((*timing, run.size))
    return alike


def _but_epochs(config: Config) -> object:
    return config.recipe.model_copy(update={"epochs": 1})


def _weights(dataset: Dataset, config: Config) -> int:
    """Bytes of the net's parameters and buffers."""
    net = build(config.recipe.model, dataset.inputs.shape[1:], dataset.votes.num_classes)
    return sum(tensor.numel() * tensor.element_size() for tensor in net.state_dict().values())
