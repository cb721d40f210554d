"""What each method predicted of items that it had not trained on, out of the runs of a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from votewise.arrays import F64, I64
from votewise.comparison import Methods
from votewise.datasets import Dataset
from votewise.scoring import soft_nll_per_item
from votewise.votes import entropy

if TYPE_CHECKING:
    from votewise.studies import Results, Store


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What the runs of one method predicted of the items they had not trained on.

    position  [n] in the dataset
    share     [n, C] predicted distribution, mean over the runs that held the item out
    kl        [n] divergence of a run's prediction from the votes in nats, mean over the same runs
    runs      [n] how many they are
    """

    position: I64
    share: F64
    kl: F64
    runs: I64


def held_out_predictions(store: Store, results: Results, dataset: Dataset) -> dict[str, HeldOut]:
    """What each method, trained with all votes, predicted of items that it had not seen, at the best checkpoint."""
    import polars as pl

    runs = {id: run for study in results.plans for id, run in store.runs(study).items()}
    chosen = results.table.filter(pl.col("K").is_null()).unique("run").sort("method", "seed")
    place = {row: position for position, row in enumerate(dataset.votes.row.tolist())}
    by_method: dict[str, HeldOut] = {}
    for method in Methods.of(results).in_order(chosen["method"].to_list()):
        total = _Sums(dataset)
        for id in chosen.filter(pl.col("method") == method)["run"].to_list():
            run = runs[id]
            if run.config.dataset == dataset.fingerprint and "predictions.npz" not in run.archived:
                position = np.array([place[row] for row in run.predictions.row.tolist()], np.int64)
                total.add(position, run.best.log_probabilities.astype(np.float64))
        if total.runs.any():
            by_method[method] = total.mean()
    return by_method


class _Sums:
    """Predictions of one method, run after run."""

    def __init__(self, dataset: Dataset) -> None:
        self.votes = dataset.votes
        self.share = np.zeros((len(dataset), dataset.votes.num_classes))
        self.kl, self.runs = np.zeros(len(dataset)), np.zeros(len(dataset), np.int64)

    def add(self, position: I64, log_q: F64) -> None:
        p = self.votes.probabilities(position)
        self.share[position] += np.exp(log_q)
        self.kl[position] += np.maximum(soft_nll_per_item(p, log_q) - entropy(p), 0)
        self.runs[position] += 1

    def mean(self) -> HeldOut:
        there = np.flatnonzero(self.runs)
        runs = self.runs[there]
        return HeldOut(there, self.share[there] / runs[:, None], self.kl[there] / runs, runs)
