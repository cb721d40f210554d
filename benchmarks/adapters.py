"""The overhead of an adapter on a training step of 5 ms at batch size 128, on one thread.

`targets` is the lookup in the step with its guard (`votewise.Targets`), and `over` the generator around the loader. Both are compared with a
lookup of precomputed labels. The step itself is not run; shares are relative to 5 ms.
"""

from __future__ import annotations

import numpy as np
import torch

from benchmarks.clock import best_of
from votewise import SLS, Multipass, Soft, Targets, Votes

ITEMS, BATCH, STEP = 50_000, 128, 5e-3


def measure() -> dict[str, object]:
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    votes = Votes.from_counts(rng.multinomial(5, np.full(10, 0.1), size=ITEMS))
    batches = [(index, index) for index in torch.from_numpy(rng.permutation(ITEMS)).split(BATCH)]
    deliveries = {"sls": SLS(votes), "multipass": Multipass(votes), "soft": Soft(votes)}
    labels = torch.zeros(ITEMS, dtype=torch.int64)

    def by_targets(delivery: object) -> None:
        targets = Targets(delivery)
        targets.start(1)
        for index, _ in batches:
            targets(index)

    def by_over(delivery: object) -> None:
        for _ in delivery.over(batches, 1):
            pass

    candidates = {"labels_at_hand": lambda: [labels[index] for index, _ in batches]}
    for name, delivery in deliveries.items():
        delivery.table(0)
        candidates[f"targets_{name}"] = lambda delivery=delivery: by_targets(delivery)
        candidates[f"over_{name}"] = lambda delivery=delivery: by_over(delivery)
    seconds = best_of(candidates, rounds=5)
    each = {name: value / len(batches) for name, value in seconds.items()}
    plain = each.pop("labels_at_hand")
    return {
        "what": f"seconds a batch of {BATCH} adds to a step of {STEP * 1000:.0f} ms, {ITEMS:,} examples, 10 classes, one thread",
        "seconds_per_batch": {"labels_at_hand": plain, **each},
        "share_of_step": {name: (value - plain) / STEP for name, value in each.items()},
    }
