"""Does hard delivery help most where few votes make a poor target?

For each item: how far the distribution of the K votes is from that of all votes, and by how much the run with hard delivery has a
lower soft NLL than the soft-label run of the same seed and K. The distance follows the entropy of the item, so the
correlation of the two is also given with entropy held fixed, and without unanimous items.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import UndefinedError, VotewiseError
from votewise.probes import slices
from votewise.probes.arrays import F64, I64, as_distributions, as_floats
from votewise.probes.reading import Numbers, Reading, where_defined
from votewise.scoring import SAME, js_divergence_per_item, rising, spearman, total_variation_per_item
from votewise.votes.answers import positions_of
from votewise.votes.tally import entropy
from votewise.wording import counted

BINS = 9  # of equal mass, for the items whose distance is not zero


def distances(full: Any, sparse: Any) -> dict[str, F64]:
    """Of each sparse target from the full distribution, votes or rows of [n, C]: `js`, the root of the Jensen-Shannon divergence in
    nats, and `l1`, the sum of absolute differences. Each [n].
    """
    p = as_distributions(full, what="full distributions")
    q = as_distributions(sparse, len(p), "sparse distributions")
    if p.shape != q.shape:
        raise VotewiseError(f"distributions of shapes {p.shape} and {q.shape}", remedy="give both of the same items")
    return {"js": np.sqrt(js_divergence_per_item(p, q)), "l1": 2 * total_variation_per_item(p, q)}


def partial_spearman(x: F64, y: F64, given: F64) -> float:
    """Spearman's correlation of x and y [n] with `given` [n] held fixed: that of what is left of their ranks."""
    xy, xz, yz = spearman(x, y), spearman(x, given), spearman(y, given)
    left = (1 - xz**2) * (1 - yz**2)
    if left <= SAME:
        raise UndefinedError("what is held fixed leaves nothing to correlate")
    return float(np.clip((xy - xz * yz) / np.sqrt(left), -1.0, 1.0))


def bins(distance: F64, improvement: F64, count: int = BINS) -> dict[str, list[float]]:
    """Mean distance and improvement, and number of items: in one bin for distance zero, then in `count` bins of equal mass.

    Items of equal distance that a border parts are shared evenly between its sides, so that their order does not matter.
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
    """The sparse-target diagnosis of one pair of models: is hard delivery better where few votes make a poor target?

    full, sparse  all votes and the K that training saw, such as `votes.subsample(3, seed=0)`; or shares [n, C]
    soft, hard    soft NLL of each item [n] against all votes, under the soft-label model and under the hard one: see `soft_nll`
    high          positions or mask of the high-disagreement slice; by default the tenth of highest entropy
    prefix        begins every name ("train_")

    An item's improvement is soft minus hard: above zero where hard delivery is better. For both distances, js_... and l1_...:

    correlation           Spearman's, of distance and improvement; above 0, hard delivery helps where the target is poor
    correlation_high      the same within the high-disagreement slice
    correlation_partial   the same with entropy held fixed
    correlation_disputed  the same without unanimous items
    lowest, highest       mean improvement in the bins of smallest and of largest distance
    highest_high, others_high  the same within the slice: in the bin of largest distance, and in all others
    curves bins_js, bins_js_high, ...  mean `distance` and `improvement` and `count` of each bin
    """
    p = as_distributions(full, what="full distributions")
    far = distances(p, sparse)
    improvement = _per_item(soft, len(p)) - _per_item(hard, len(p))
    unsure = entropy(p)
    part = slices.high(unsure) if high is None else positions_of(high, len(p))
    if not len(part):
        raise VotewiseError("the high-disagreement slice is empty", remedy="take a larger share of the items")
    numbers: Numbers = {}
    curves: dict[str, dict[str, list[float]]] = {}
    notes: list[str] = []
    for kind, distance in far.items():
        if distance.max() <= SAME:
            return Reading({}, notes=("every sparse target is the full distribution: there is no error to diagnose",))
        overall, within = bins(distance, improvement), bins(distance[part], improvement[part])
        found, absent = where_defined(
            {
                f"{prefix}{kind}_{name}": number
                for name, number in {
                    "correlation": partial(_correlated, distance, improvement, np.arange(len(p))),
                    "correlation_high": partial(_correlated, distance, improvement, part),
                    "correlation_partial": partial(partial_spearman, distance, improvement, unsure),
                    "correlation_disputed": partial(_correlated, distance, improvement, slices.disputed(unsure)),
                    "lowest": partial(_bin, overall, 0),
                    "highest": partial(_bin, overall, -1),
                    "highest_high": partial(_bin, within, -1),
                    "others_high": partial(_all_but_the_last, within),
                }.items()
            }
        )
        numbers |= found
        notes += absent
        curves |= {f"{prefix}bins_{kind}": overall, f"{prefix}bins_{kind}_high": within}
    return Reading(numbers, curves, tuple(notes))


def _correlated(distance: F64, improvement: F64, part: I64) -> float:
    if len(part) < 2:
        raise UndefinedError("there are not two such items")
    return spearman(distance[part], improvement[part])


def _bin(table: dict[str, list[float]], place: int) -> float:
    return table["improvement"][place]


def _all_but_the_last(table: dict[str, list[float]]) -> float:
    """Mean improvement over the items of all bins but the highest."""
    count, value = np.array(table["count"][:-1]), np.array(table["improvement"][:-1])
    if not count.sum():
        raise UndefinedError("the slice has one bin only")
    return float(count @ value / count.sum())


def _per_item(values: Any, count: int) -> F64:
    found = as_floats(values, "soft NLL", "n")
    if len(found) != count:
        raise VotewiseError(f"soft NLL of {len(found)} for {counted(count, 'item')}", remedy="give one per item")
    return found
