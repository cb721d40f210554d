"""Whether predictions are as spread out as the votes: item by item, and where annotators disagree most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from votewise.errors import UndefinedError
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import high
from votewise.probes.validation import F64, as_log_probabilities
from votewise.scoring import AnyKind, correlation, rising, soft_nll_per_item
from votewise.votes import entropy


def spread(predictions: Any, votes: Any, *, kind: AnyKind = "auto") -> Reading:
    """Whether predictions q are as spread out as the votes p.

    Args:
        predictions: q [n, C].
        votes: votes of the same items, or shares p [n, C].
        kind: type of the predictions, as for `votewise.score`: "probabilities", "log-probabilities", "logits" or "auto".

    Returns:
        A reading with `entropy_pearson`, the correlation of both entropies; over the tenth with the highest H(p), `entropy_gap_high`, the mean of
        |H(q) - H(p)|, and `peak_gap_high`, the mean of max q - max p; `kl_low_third` and `kl_high_third`, the mean KL(p || q) over the thirds
        of lowest and of highest H(p); `vote_entropy_first_decile`, `vote_entropy_median` and `vote_entropy_last_decile`, quantiles of
        H(p) / log C; and for a constant prediction its accuracy `largest_class` and soft NLL `constant_loss`.

    >>> votes = [[1.0, 0.0], [0.75, 0.25], [0.5, 0.5]]
    >>> spread(votes, votes).numbers["entropy_gap_high"]
    0.0
    """
    log_q, p = as_log_probabilities(predictions, votes, kind)
    n, classes = p.shape
    voted, predicted = entropy(p), entropy(np.exp(log_q))
    top, third = high(voted), n // 3
    order = rising(voted).place
    divergence = kl_per_item(p, log_q)
    first, median, last = np.quantile(voted / np.log(classes), [0.1, 0.5, 0.9])
    numbers, notes = where_defined(
        {
            "entropy_pearson": lambda: correlation(predicted, voted),
            "entropy_gap_high": lambda: np.abs(predicted - voted)[top].mean(),
            "peak_gap_high": lambda: (np.exp(log_q.max(axis=1)) - p.max(axis=1))[top].mean(),
            "kl_low_third": lambda: _mean(divergence[order[:third]]),
            "kl_high_third": lambda: _mean(divergence[order[n - third :]]),
            "vote_entropy_first_decile": lambda: first,
            "vote_entropy_median": lambda: median,
            "vote_entropy_last_decile": lambda: last,
            "largest_class": lambda: np.bincount(p.argmax(axis=1)).max() / n,
            "constant_loss": lambda: entropy(p.mean(axis=0, keepdims=True))[0],
        }
    )
    return Reading(numbers, notes=notes)


def own_loss(history: Sequence[Mapping[str, float]], loss: str) -> Reading:
    """The epoch with the lowest validation loss of the kind used in training (`soft_nll` or `majority_nll`), and the relative rise of this loss from there to the end."""
    if not all(loss in line for line in history):
        return Reading({"own_best_epoch": None, "own_rise": None}, notes=(f"the history has no {loss}",))
    values = np.array([line[loss] for line in history])
    lowest = int(values.argmin())
    return Reading({"own_best_epoch": history[lowest]["epoch"], "own_rise": float(values[-1] / values[lowest] - 1)})


def same_winner(first: Any, second: Any, votes: Any, *, kind: AnyKind = "auto") -> Reading:
    """Which of two predictions is closer to the votes where both predict the majority.

    Args:
        first: predictions q [n, C].
        second: predictions r [n, C].
        votes: votes of the same items, or shares p [n, C].
        kind: kind of the predictions, see `votewise.score`.

    Returns:
        A reading with `kl_gain_agreed`, the median over these items of KL(p || q) - KL(p || r), and `items_agreed`, their number.

    >>> round(same_winner([[0.99, 0.01]], [[0.6, 0.4]], [[0.6, 0.4]]).numbers["kl_gain_agreed"], 3)
    1.175
    """
    log_q, p = as_log_probabilities(first, votes, kind)
    log_r, _ = as_log_probabilities(second, votes, kind)
    majority = p.argmax(axis=1)
    agreed = (log_q.argmax(axis=1) == majority) & (log_r.argmax(axis=1) == majority)
    gain = (kl_per_item(p, log_q) - kl_per_item(p, log_r))[agreed]
    return Reading({"kl_gain_agreed": float(np.median(gain)) if len(gain) else None, "items_agreed": len(gain)})


def soft_nll(predictions: Any, votes: Any, *, kind: AnyKind = "auto") -> F64:
    """-sum p log q of each item [n], in nats, for predictions q [n, C] and votes p (or shares [n, C]); lower is better.

    >>> soft_nll([[0.5, 0.5], [1.0, 0.0]], [[0.8, 0.2], [1.0, 0.0]]).round(4).tolist()
    [0.6931, 0.0]
    """
    log_q, p = as_log_probabilities(predictions, votes, kind)
    return soft_nll_per_item(p, log_q)


def kl_per_item(p: F64, log_q: F64) -> F64:
    """KL(p || q) of each item [n], in nats."""
    return np.asarray(soft_nll_per_item(p, log_q) - entropy(p))


def _mean(values: F64) -> float:
    if not len(values):
        raise UndefinedError("fewer than three items")
    return float(values.mean())
