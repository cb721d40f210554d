"""Whether hard delivery helps most where few votes make a poor target.

Each item has a distance, of the distribution of its K votes from that of all its votes, and an improvement: how much lower its soft NLL is for the run
with hard delivery than for the soft-label run with the same seed and K. The distance depends on the entropy of the item, so the correlation of
distance and improvement is also computed controlling for entropy, and without unanimous items.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import UndefinedError, VotewiseError
from votewise.probes import slices
from votewise.probes.reading import Numbers, Reading, where_defined
from votewise.probes.validation import F64, I64, as_distributions, as_floats
from votewise.scoring import SAME, js_divergence_per_item, rising, spearman, total_variation_per_item
from votewise.votes import entropy, positions_of

BINS = 9  # number of bins of equal mass, for items whose distance is not zero


def distances(full: Any, sparse: Any) -> dict[str, F64]:
    """Distances [n] of sparse targets from the full distributions, votes or shares [n, C].

    `js` is the root of the Jensen-Shannon divergence in nats, `l1` the sum of absolute differences.
    """
    p = as_distributions(full, name="full")
    q = as_distributions(sparse, len(p), "sparse")
    if p.shape != q.shape:
        raise VotewiseError(f"full and sparse must have the same classes, got {p.shape[1]} and {q.shape[1]}")
    return {"js": np.sqrt(js_divergence_per_item(p, q)), "l1": 2 * total_variation_per_item(p, q)}


def partial_spearman(x: F64, y: F64, given: F64) -> float:
    """Spearman's partial correlation of x and y [n], controlling for `given` [n]."""
    xy, xz, yz = spearman(x, y), spearman(x, given), spearman(y, given)
    left = (1 - xz**2) * (1 - yz**2)
    if left <= SAME:
        raise UndefinedError("x or y is determined by the control variable")
    return float(np.clip((xy - xz * yz) / np.sqrt(left), -1.0, 1.0))


def bins(distance: F64, improvement: F64, count: int = BINS) -> dict[str, list[float]]:
    """Mean distance, mean improvement and number of items: in one bin for distance zero, then in `count` bins of equal mass.

    Items with equal distances on both sides of a bin border are split evenly between the bins, so that their order does not matter.
    """
    zero = distance <= SAME
    rest = np.flatnonzero(~zero)
    order = rising(distance[rest], SAME)
    place = rest[order.place]
    ends = np.append(0, np.flatnonzero(np.diff(order.run, append=-1)) + 1) if len(rest) else np.zeros(1, np.int64)
    parts = min(count, len(rest))
    border = np.arange(parts + 1) * len(rest) // max(parts, 1)
    size = np.diff(border).astype(np.float64)
    table = {}
    for name, values in (("distance", distance), ("improvement", improvement)):
        sums = np.append(0.0, np.cumsum(values[place]))
        table[name] = (np.diff(np.interp(border, ends, sums[ends])) / size).tolist()
        if zero.any():
            table[name].insert(0, float(values[zero].mean()))
    table["count"] = ([float(zero.sum())] if zero.any() else []) + size.tolist()
    return table


def diagnosis(
    full: Any,
    sparse: Any,
    soft: Any,
    hard: Any,
    *,
    high: ArrayLike | None = None,
    prefix: str = "",
) -> Reading:
    """Whether a hard-label model is better than a soft-label model where few votes make a poor target.

    The improvement of an item is its loss under the soft-label model minus its loss under the hard-label model.

    Args:
        full: all votes, or shares [n, C].
        sparse: the K votes that training used, for example `votes.subsample(3, seed=0)`; or shares [n, C].
        soft: soft NLL of each item [n] against all votes under the soft-label model; see `soft_nll`.
        hard: soft NLL of each item [n] under the hard-label model.
        high: positions or mask of the high-disagreement slice; default: the tenth of highest entropy.
        prefix: prefix of every key, e.g. "train_".

    Returns:
        A reading with, for both distances (js_..., l1_...), the rank correlation of distance and improvement `correlation`, `correlation_high`
        within the slice, `correlation_partial` controlling for entropy, `correlation_disputed` without unanimous items; the mean improvement
        in the bins of smallest and largest distance, `lowest` and `highest`, and within the slice `highest_high` and, in all other bins,
        `others_high`. The curves `bins_js`, `bins_js_high`, ... have mean `distance` and `improvement` and `count` of each bin.

    >>> full, sparse = [[0.5, 0.5], [0.6, 0.4], [0.7, 0.3]], [[0.5, 0.5], [0.8, 0.2], [1.0, 0.0]]
    >>> reading = diagnosis(full, sparse, soft=[0.7, 0.8, 0.9], hard=[0.7, 0.7, 0.7])
    >>> round(reading.numbers["js_correlation"], 6)  # hard labels help more, the poorer the target
    1.0
    """
    p = as_distributions(full, name="full")
    far = distances(p, sparse)
    improvement = _per_item(soft, "soft", len(p)) - _per_item(hard, "hard", len(p))
    disagreement = entropy(p)
    part = slices.high(disagreement) if high is None else positions_of(high, len(p))
    if not len(part):
        raise VotewiseError("high must select at least one item, got none")
    numbers: Numbers = {}
    curves: dict[str, dict[str, list[float]]] = {}
    notes: list[str] = []
    for kind, distance in far.items():
        if distance.max() <= SAME:
            return Reading(
                {}, notes=("all sparse targets equal the full distribution, so there is no error to diagnose",)
            )
        overall, within = bins(distance, improvement), bins(distance[part], improvement[part])
        defined, undefined = where_defined(
            {
                f"{prefix}{kind}_{name}": number
                for name, number in {
                    "correlation": partial(_correlated, distance, improvement, np.arange(len(p))),
                    "correlation_high": partial(_correlated, distance, improvement, part),
                    "correlation_partial": partial(partial_spearman, distance, improvement, disagreement),
                    "correlation_disputed": partial(_correlated, distance, improvement, slices.disputed(disagreement)),
                    "lowest": partial(_bin, overall, 0),
                    "highest": partial(_bin, overall, -1),
                    "highest_high": partial(_bin, within, -1),
                    "others_high": partial(_all_but_the_last, within),
                }.items()
            }
        )
        numbers |= defined
        notes += undefined
        curves |= {f"{prefix}bins_{kind}": overall, f"{prefix}bins_{kind}_high": within}
    return Reading(numbers, curves, tuple(notes))


def _correlated(distance: F64, improvement: F64, part: I64) -> float:
    if len(part) < 2:
        raise UndefinedError("fewer than two such items")
    return spearman(distance[part], improvement[part])


def _bin(table: dict[str, list[float]], position: int) -> float:
    return table["improvement"][position]


def _all_but_the_last(table: dict[str, list[float]]) -> float:
    """Mean improvement over the items of all bins except the last, which has the largest distances."""
    count, value = np.array(table["count"][:-1]), np.array(table["improvement"][:-1])
    if not count.sum():
        raise UndefinedError("the slice has only one bin")
    return float(count @ value / count.sum())


def _per_item(values: Any, name: str, count: int) -> F64:
    losses = as_floats(values, name, "n")
    if len(losses) != count:
        raise VotewiseError(f"{name} must have one soft NLL per item [{count}], got {len(losses)}")
    return losses
