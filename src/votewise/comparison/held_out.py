"""The predictions of each method for held-out items, from the runs of a store."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from votewise.arrays import F64, I64
from votewise.comparison.methods import Methods
from votewise.datasets import Dataset
from votewise.scoring import soft_nll_per_item
from votewise.studies import Results, Store
from votewise.votes import entropy


@dataclass(frozen=True, eq=False)
class HeldOut:
    """The predictions of the runs of one method for their held-out items.

    position  [n] in the dataset
    share     [n, C] predicted distribution, mean over the runs that held the item out
    kl        [n] divergence of the predictions from the votes in nats, mean over the same runs
    runs      [n] number of these runs
    """

    position: I64
    share: F64
    kl: F64
    runs: I64


def held_out_predictions(store: Store, results: Results, dataset: Dataset) -> dict[str, HeldOut]:
    """The predictions of each method, trained with all votes, for held-out items at the best checkpoint."""
    runs = {id: run for study in results.plans for id, run in store.runs(study).items()}
    chosen = results.table.filter(pl.col("K").is_null()).unique("run").sort("method", "seed")
    place = {row: position for position, row in enumerate(dataset.votes.row.tolist())}
    by_method: dict[str, HeldOut] = {}
    for method in Methods.of(results).in_order(chosen["method"].to_list()):
        share = np.zeros((len(dataset), dataset.votes.num_classes))
        kl, count = np.zeros(len(dataset)), np.zeros(len(dataset), np.int64)
        for run in map(runs.__getitem__, chosen.filter(method=method)["run"].to_list()):
            if run.config.dataset == dataset.fingerprint and "predictions.npz" not in run.archived:
                at = np.array([place[row] for row in run.predictions.row.tolist()], np.int64)
                p, log_q = dataset.votes.probabilities(at), run.best.log_probabilities.astype(np.float64)
                share[at] += np.exp(log_q)
                kl[at] += np.maximum(soft_nll_per_item(p, log_q) - entropy(p), 0)
                count[at] += 1
        if len(predicted := np.flatnonzero(count)):
            n = count[predicted]
            by_method[method] = HeldOut(predicted, share[predicted] / n[:, None], kl[predicted] / n, n)
    return by_method
