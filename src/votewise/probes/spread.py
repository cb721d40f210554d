"""Whether predictions are as spread as the votes: item by item, and where people disagree most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.probes.arrays import F64, as_distributions, as_floats
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import high
from votewise.scoring.ranks import correlation, rising
from votewise.scoring.undefined import UndefinedError
from votewise.votes.tally import entropy


def spread(p: Any, log_q: Any) -> Reading:
    """How log-probabilities log_q [n, C] follow the spread of the votes p [n, C].

    entropy_pearson                correlation of the two entropies, in the values themselves and not in ranks
    entropy_gap_high               mean |H(q) - H(p)| over the tenth of highest H(p)
    peak_gap_high                  mean of max q - max p there
    kl_low_third, kl_high_third    mean KL(p || q) over the thirds of lowest and of highest H(p)
    vote_entropy_first_decile, vote_entropy_median, vote_entropy_last_decile   quantiles of H(p) / log C
    largest_class, constant_loss   what saying the same of every item would reach: accuracy, and soft NLL
    """
    p, log_q = _both(p, log_q)
    n, classes = p.shape
    votes, model = entropy(p), entropy(np.exp(log_q))
    top, third = high(votes), n // 3
    order = rising(votes).place
    divergence = _kl(p, log_q)
    first, median, last = np.quantile(votes / np.log(classes), [0.1, 0.5, 0.9])
    numbers, notes = where_defined(
        {
            "entropy_pearson": lambda: correlation(model, votes),
            "entropy_gap_high": lambda: np.abs(model - votes)[top].mean(),
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


def same_winner(p: Any, log_q: Any, log_r: Any) -> Reading:
    """By how much the second prediction is closer to the votes than the first where both name the majority class.

    kl_gain_agreed  median over these items of KL(p || q) - KL(p || r)
    items_agreed    how many they are
    """
    p, log_q = _both(p, log_q)
    _, log_r = _both(p, log_r)
    majority = p.argmax(axis=1)
    agreed = (log_q.argmax(axis=1) == majority) & (log_r.argmax(axis=1) == majority)
    gain = (_kl(p, log_q) - _kl(p, log_r))[agreed]
    return Reading({"kl_gain_agreed": float(np.median(gain)) if len(gain) else None, "items_agreed": len(gain)})


def _both(p: Any, log_q: Any) -> tuple[F64, F64]:
    log_q = as_floats(log_q, "log-probabilities", "n, C")
    p = as_distributions(p, len(log_q))
    if p.shape != log_q.shape:
        raise VotewiseError(
            f"votes over {p.shape[1]} classes and predictions over {log_q.shape[1]}", remedy="give both for the same"
        )
    return p, log_q


def _kl(p: F64, log_q: F64) -> F64:
    """KL(p || q) of each item [n], in nats."""
    return np.asarray(-(p * log_q).sum(axis=1) - entropy(p))


def _mean(values: F64) -> float:
    if not len(values):
        raise UndefinedError("there are fewer than three items")
    return float(values.mean())
