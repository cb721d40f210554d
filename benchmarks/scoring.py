"""Every score of 1,000,000 items x 10 classes, on one thread.

The same run also measures a plain copy of the predictions (memory traffic), one logarithm of all predictions, one sort of as many
numbers as there are items, and a loop over single items that computes six of the scores, timed on a part and
scaled. A full score needs three logarithms and three sorts. The overhead of Python is at most the time for scoring a few
items, because Python code runs once per card and once per block of items.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
from numpy.typing import NDArray

from benchmarks.clock import best_of
from votewise.scoring import SCORES, score
from votewise.scoring.item_table import tabulate
from votewise.scoring.predictions import as_predictions
from votewise.votes import Answers, Distributions

PART = 2_000


def measure(items: int = 1_000_000, classes: int = 10, votes_per_item: int = 5) -> dict[str, object]:
    rng = np.random.default_rng(0)
    model = rng.dirichlet(np.full(classes, 0.5), size=items)
    shares = Distributions(rng.dirichlet(np.full(classes, 0.3), size=items), classes=tuple(map(str, range(classes))))
    votes = shares.resample(votes_per_item, seed=0)
    out, column = np.empty_like(model), model[:, 0].copy()
    few = shares.select(np.arange(8))
    predictions, columns = as_predictions(model[:8]), {column for one in SCORES.values() for column in one.columns}
    blocks = len(list(shares.blocks()))
    best = best_of(
        {
            "score": lambda: score(model, shares),
            "score_votes": lambda: score(model, votes),
            "copy": lambda: np.copyto(out, model),
            "logarithm": lambda: np.log(model, out=out),
            "sort": lambda: np.argsort(column),
            "loop": lambda: _loop(model[:PART], shares.probability[:PART]),
            "card_of_few": lambda: score(model[:8], few),
            "block_of_few": lambda: tabulate(predictions, few, columns),
        }
    )
    loop = best["loop"] * items / PART
    return {
        "items": items,
        "classes": classes,
        "votes_per_item": votes_per_item,
        "seconds": best | {"loop": loop},
        "score_over_copy": best["score"] / best["copy"],
        "score_over_logarithm": best["score"] / best["logarithm"],
        "score_over_three_logarithms_and_sorts": best["score"] / (3 * best["logarithm"] + 3 * best["sort"]),
        "loop_over_score": loop / best["score"],
        "python_share_at_most": (best["card_of_few"] + blocks * best["block_of_few"]) / best["score"],
        "bytes_per_item": {"distributions": _peak(model, shares) / items, "votes": _peak(model, votes) / items},
    }


def _loop(model: NDArray[np.float64], shares: NDArray[np.float64]) -> list[tuple[float, ...]]:
    """One item at a time: soft NLL, KL, Brier, total variation, JS divergence, hit."""
    found = []
    for p, q in zip(shares, model, strict=True):
        m = (p + q) / 2
        nll, entropy = -(p * np.log(q)).sum(), -(p * np.log(p)).sum()
        js = ((p * np.log(p / m)).sum() + (q * np.log(q / m)).sum()) / 2
        found.append((nll, nll - entropy, ((p - q) ** 2).sum(), np.abs(p - q).sum() / 2, js, p.argmax() == q.argmax()))
    return found


def _peak(model: NDArray[np.float64], answers: Answers) -> int:
    """The peak memory of a score in addition to its inputs, in bytes."""
    tracemalloc.start()
    score(model, answers)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
