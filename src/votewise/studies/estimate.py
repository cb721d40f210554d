"""Estimate the time and disk space of a study from similar finished runs."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from votewise.errors import VotewiseError
from votewise.studies.store import Store
from votewise.training import Config


@dataclass(frozen=True)
class Estimate:
    """The estimated seconds, with all workers running in parallel, and the estimated bytes on disk."""

    seconds: float
    bytes: int


def estimate(pending: Sequence[Config], store: Store, workers: int) -> Estimate | None:
    """The time and disk space that the pending runs need; None if the store has no similar finished run for one of them.

    Two runs are similar if they have the same data and, except for the number of epochs, the same recipe.
    """
    per_epoch, sizes = defaultdict[object, list[float]](list), defaultdict[object, list[int]](list)
    for run in store.all_runs():
        with suppress(OSError, VotewiseError):  # not finished yet, or damaged
            if timing := run.timing:
                per_epoch[_kind(run.config)].append(timing[0] / timing[1])
                sizes[_kind(run.config)].append(run.size)
    if not pending or any(_kind(config) not in sizes for config in pending):
        return None
    each = statistics.mean(config.recipe.epochs * statistics.median(per_epoch[_kind(config)]) for config in pending)
    return Estimate(math.ceil(len(pending) / workers) * each, sum(max(sizes[_kind(config)]) for config in pending))


def _kind(config: Config) -> object:
    return config.dataset, config.recipe.model_copy(update={"epochs": 1})
