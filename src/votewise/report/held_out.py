"""What each method predicted of items that it had not trained on, out of the runs of a store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from votewise.datasets import Dataset
from votewise.evidence.methods import in_order
from votewise.votes.tally import entropy

if TYPE_CHECKING:
    from votewise.evidence.results import Results
    from votewise.scoring import soft_nll_per_item
from votewise.studies import Store

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


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
    """What each method of the studies with all votes predicted of items it had not seen, at the best checkpoint.

    The methods are those of `main` and `ablation`, or of every study where a store has neither.
    """
    import polars as pl

    stored = {id: run for plan in results.plans.values() for id, run in store.runs(plan.name).items()}
    studies = [name for name in ("main", "ablation") if name in results.members] or list(results.members)
    wanted = frozenset().union(*(results.members[study] for study in studies)) & stored.keys()
    whole = (pl.col("K").is_null(), pl.col("checkpoint") == "best")
    runs = results.table.filter(pl.col("id").is_in(list(wanted)), *whole).sort("method", "seed")
    place = {row: position for position, row in enumerate(dataset.votes.row.tolist())}
    found: dict[str, HeldOut] = {}
    for method in in_order(runs["method"].to_list()):
        total = _Sums(dataset)
        for id in runs.filter(pl.col("method") == method)["id"].to_list():
            run = stored[id]
            if not run.archived and run.config.training_seed is None and run.config.dataset == dataset.fingerprint:
                position = np.array([place[row] for row in run.predictions.row.tolist()], np.int64)
                total.add(position, run.best.log_probabilities.astype(np.float64))
        if total.runs.any():
            found[method] = total.mean()
    return found


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
