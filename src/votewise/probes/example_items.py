"""Example items: the votes of the annotators and the predictions of two models for a few items."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from votewise.probes.prediction_spread import kl_per_item
from votewise.probes.reading import Reading
from votewise.probes.slices import high
from votewise.probes.validation import F64, I64, as_log_probabilities
from votewise.scoring import AnyKind, rising
from votewise.votes import entropy

BINS = 20  # number of bins of the histogram of entropies
SHOWN = 4  # items per group


def examples(first: Any, second: Any, votes: Any, *, rows: ArrayLike | None = None, kind: AnyKind = "auto") -> Reading:
    """Votes and two predictions for a few items, and the distribution of the entropies of all items.

    No item is chosen by hand. Items near consensus are evenly spaced among the tenth of the items with the lowest vote entropy, and items with the most disagreement among the
    tenth with the highest. Another item is the one at the ninth decile of the difference in KL, among the items for which both models predict the majority.

    Args:
        first: predictions q [n, C].
        second: predictions r [n, C].
        votes: votes of the same items, or shares p [n, C].
        rows: [n] number that identifies each item; default: its position.
        kind: kind of the predictions, see `votewise.score`.

    Returns:
        A reading with the KL of both predictions on the item where both predict the majority, `kl_example_first` and `kl_example_second`; the curves
        `consensus`, `disputed` and `same_winner` with the columns item, class, votes, first and second; and the curve `entropy`, a histogram of
        entropies / log C with the columns low (the lower edge of a bin), votes, first and second; each of the last three sums to 1.

    >>> reading = examples([[0.99, 0.01]], [[0.6, 0.4]], [[0.6, 0.4]])
    >>> round(reading.numbers["kl_example_first"], 3), reading.curves["same_winner"]["votes"]
    (1.175, [0.6, 0.4])
    """
    log_q, p = as_log_probabilities(first, votes, kind)
    log_r, _ = as_log_probabilities(second, votes, kind)
    n, classes = p.shape
    names = np.arange(n) if rows is None else np.asarray(rows)
    q, r, voted = np.exp(log_q), np.exp(log_r), entropy(p)
    order = rising(voted).place

    def table(items: I64) -> dict[str, list[float]]:
        columns = {"votes": p[items], "first": q[items], "second": r[items]}
        return {
            "item": np.repeat(names[items], classes).tolist(),
            "class": np.tile(np.arange(classes), len(items)).tolist(),
            **{name: values.ravel().tolist() for name, values in columns.items()},
        }

    tenth = len(high(voted))
    spaced = np.unique(np.linspace(0, tenth - 1, min(tenth, SHOWN)).astype(int))
    curves = {
        "consensus": table(order[:tenth][spaced]),
        "disputed": table(order[n - tenth :][spaced]),
        "entropy": _histogram(np.stack([voted, entropy(q), entropy(r)]) / np.log(classes)),
    }
    majority, losses = p.argmax(axis=1), np.stack([kl_per_item(p, log_q), kl_per_item(p, log_r)])
    agreed = np.flatnonzero((q.argmax(axis=1) == majority) & (r.argmax(axis=1) == majority))
    if not len(agreed):
        return Reading({"kl_example_first": None, "kl_example_second": None}, curves)
    gain = (losses[0] - losses[1])[agreed]
    shown = agreed[np.argsort(gain, kind="stable")[int(0.9 * (len(agreed) - 1))]]
    numbers = {"kl_example_first": float(losses[0, shown]), "kl_example_second": float(losses[1, shown])}
    return Reading(numbers, {**curves, "same_winner": table(np.array([shown]))})


def _histogram(entropies: F64) -> dict[str, list[float]]:
    """The shares of values in bins of [0, 1], for votes and both predictions [3, n]."""
    edges = np.linspace(0, 1, BINS + 1)
    shares = [np.histogram(np.clip(values, 0, 1), edges)[0] / len(values) for values in entropies]
    return {
        "low": edges[:-1].tolist(),
        **{name: share.tolist() for name, share in zip(("votes", "first", "second"), shares, strict=True)},
    }
