"""An epoch of labels for 1,000,000 examples x 10 classes x 50 votes, on one thread.

Compared with `torch.multinomial` over the same probabilities, and with a per-example `Generator.choice` that is timed on a
part and scaled. In order, a whole epoch is computed at once. "over_shuffled" is `Delivery.over` with a shuffling loader: one
epoch at once, then a lookup per batch of 1,024. "shuffled" calls `targets` for each batch, where call overhead and cache misses dominate.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import torch

from benchmarks.clock import best_of
from votewise.delivery import SLS, Delivery, Multipass
from votewise.votes import Votes

BATCH, PART = 1024, 2_000


def measure(items: int = 1_000_000) -> dict[str, object]:
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    votes = Votes.from_counts(rng.multinomial(50, [0.3, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.03, 0.02], size=items))
    sls, multipass, from_probabilities = SLS(votes), Multipass(votes), SLS(votes.distributions())
    probability = votes.probabilities().astype(np.float32)
    on_torch, order = torch.from_numpy(probability), rng.permutation(items)

    def in_batches(delivery: Delivery) -> None:
        for start in range(0, items, BATCH):
            delivery.targets(order[start : start + BATCH], 1)

    def over_batches(delivery: Delivery) -> None:
        table = delivery.table(1)
        for start in range(0, items, BATCH):
            table[order[start : start + BATCH]]

    def by_choice() -> None:
        for row in probability[:PART].astype(np.float64):
            rng.choice(10, p=row / row.sum())

    multipass.table(0)
    seconds = best_of(
        {
            "sls": lambda: sls.table(1),
            "multipass": lambda: multipass.table(1),
            "sls_from_probabilities": lambda: from_probabilities.table(1),
            "sls_over_shuffled": lambda: over_batches(sls),
            "multipass_over_shuffled": lambda: over_batches(multipass),
            "sls_shuffled": lambda: in_batches(sls),
            "multipass_shuffled": lambda: in_batches(multipass),
            "torch_multinomial": lambda: torch.multinomial(on_torch, 1),
            "choice_per_example": by_choice,
        },
        rounds=5,
    )
    seconds["choice_per_example"] *= items / PART
    hard = [name for name in seconds if name.startswith(("sls", "multipass"))]
    return {
        "what": f"one epoch of labels, {items:,} examples, 10 classes, 50 votes each, one thread",
        "seconds": seconds,
        "times_faster_than_torch_multinomial": {name: seconds["torch_multinomial"] / seconds[name] for name in hard},
        "times_faster_than_choice_per_example": {name: seconds["choice_per_example"] / seconds[name] for name in hard},
        "peak_extra_bytes": {
            "epoch_table": _peak(lambda: sls.table(2)),
            "batch_of_1024": _peak(lambda: sls.targets(order[:BATCH], 2)),
        },
        "label_table_bytes": items * np.dtype(np.intp).itemsize,
    }


def _peak(run) -> int:
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
