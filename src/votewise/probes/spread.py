"""Whether predictions are as spread as the votes: item by item, and where people disagree most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from votewise.errors import UndefinedError
from votewise.probes.arrays import F64, as_log_probabilities
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import high
from votewise.scoring import AnyKind, soft_nll_per_item
from votewise.scoring.ranks import correlation, rising
from votewise.votes.tally import entropy


def spread(predictions: Any, votes: Any, *, kind: AnyKind = "auto") -> Reading:
    """Whether predictions q [n, C] are as spread as the votes p on the same items (or shares [n, C]), in nats.

    `kind` says what the predictions are, as for `votewise.score`: "probabilities", "log-probabilities", "logits" or "auto".

    entropy_pearson                correlation of the two entropies, in the values themselves and not in ranks; higher is better
    entropy_gap_high               mean |H(q) - H(p)| over the tenth of highest H(p); lower is better
    peak_gap_high                  mean of max q - max p there; above 0, the model is too sure
    kl_low_third, kl_high_third    mean KL(p || q) over the thirds of lowest and of highest H(p); lower is better
    vote_entropy_first_decile, vote_entropy_median, vote_entropy_last_decile   quantiles of H(p) / log C: 0 unanimous, 1 evenly split
    largest_class, constant_loss   what saying the same of every item would reach: accuracy, and soft NLL

    >>> votes = [[1.0, 0.0], [0.75, 0.25], [0.5, 0.5]]
    >>> spread(votes, votes).numbers["entropy_gap_high"]
    0.0
    """
    log_q, p = as_log_probabilities(predictions, votes, kind)
    n, classes = p.shape
    people, model = entropy(p), entropy(np.exp(log_q))
    top, third = high(people), n // 3
    order = rising(people).place
    divergence = _kl(p, log_q)
    first, median, last = np.quantile(people / np.log(classes), [0.1, 0.5, 0.9])
    numbers, notes = where_defined(
        {
            "entropy_pearson": lambda: correlation(model, people),
            "entropy_gap_high": lambda: np.abs(model - people)[top].mean(),
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
    """When the validation loss that a run was trained for, `soft_nll` or `majority_nll`, is lowest, and its rise from there to the end."""
    if not all(loss in line for line in history):
        return Reading({"own_best_epoch": None, "own_rise": None}, notes=(f"the history has no {loss}",))
    values = np.array([line[loss] for line in history])
    lowest = int(values.argmin())
    return Reading({"own_best_epoch": history[lowest]["epoch"], "own_rise": float(values[-1] / values[lowest] - 1)})


def same_winner(first: Any, second: Any, votes: Any, *, kind: AnyKind = "auto") -> Reading:
    """By how much the second predictions r [n, C] are closer to the votes p (or shares [n, C]) than the first, q, where both name the majority.

    `kind` says what the predictions are, as for `votewise.score`.

    kl_gain_agreed  median over these items of KL(p || q) - KL(p || r), in nats; above 0, the second are closer
    items_agreed    how many they are

    >>> round(same_winner([[0.99, 0.01]], [[0.6, 0.4]], [[0.6, 0.4]]).numbers["kl_gain_agreed"], 3)
    1.175
    """
    log_q, p = as_log_probabilities(first, votes, kind)
    log_r, _ = as_log_probabilities(second, votes, kind)
    majority = p.argmax(axis=1)
    agreed = (log_q.argmax(axis=1) == majority) & (log_r.argmax(axis=1) == majority)
    gain = (_kl(p, log_q) - _kl(p, log_r))[agreed]
    return Reading({"kl_gain_agreed": float(np.median(gain)) if len(gain) else None, "items_agreed": len(gain)})


def soft_nll(predictions: Any, votes: Any, *, kind: AnyKind = "auto") -> F64:
    """-sum p log q of each item [n], in nats, for predictions q [n, C] and votes p (or shares [n, C]); lower is better.

    >>> soft_nll([[0.5, 0.5], [1.0, 0.0]], [[0.8, 0.2], [1.0, 0.0]]).round(4).tolist()
    [0.6931, 0.0]
    """
    log_q, p = as_log_probabilities(predictions, votes, kind)
    return soft_nll_per_item(p, log_q)


def _kl(p: F64, log_q: F64) -> F64:
    """KL(p || q) of each item [n], in nats."""
    return np.asarray(soft_nll_per_item(p, log_q) - entropy(p))


def _mean(values: F64) -> float:
    if not len(values):
        raise UndefinedError("there are fewer than three items")
    return float(values.mean())
