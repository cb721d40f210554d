"""The noise that sampling labels adds to the gradient of the last layer, example by example.

With a linear head on features h, the gradient for a label y is (q - e_y) times (h, 1). Over labels drawn from p its covariance
has the trace (‖h‖² + 1) (1 - ‖p‖²), by Proposition 1 of Gheibi and Ghazizadeh 2026: features times disagreement. The model's
own answer q cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from votewise import counter
from votewise.errors import VotewiseError
from votewise.probes.arrays import F64, as_distributions, as_floats
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import disputed, high
from votewise.scoring.ranks import spearman
from votewise.votes.tally import entropy
from votewise.wording import counted

_CELLS = 1 << 21  # draws times items times classes in memory
_DRAWN = 500  # items in the curve


def variance(features: Any, p: Any, *, bias: bool = True) -> F64:
    """Trace of the covariance of the last layer's gradient [n], for features [n, D] and distributions p [n, C].

    >>> variance([[3.0, 4.0]], [[0.5, 0.5]]).tolist()
    [13.0]
    """
    length, p = _checked(features, p, bias)
    return np.asarray(length * (1 - np.square(p).sum(axis=1)))


def sampled_variance(
    features: Any, p: Any, *, draws: int = 100, seed: int = 0, rows: ArrayLike | None = None, bias: bool = True
) -> F64:
    """The same, estimated (n - 1) from `draws` labels an item, drawn by the counter for (seed, row).

    The gradients of an item differ in e_y alone, so that their variance is that of the drawn labels times ‖h‖² + 1: no gradient has
    to be formed.
    """
    length, p = _checked(features, p, bias)
    if draws < 2:
        raise VotewiseError(f"{counted(draws, 'draw')} for a variance", remedy="draw at least two")
    row = np.arange(len(p)) if rows is None else np.asarray(rows)
    if row.shape != (len(p),) or row.dtype.kind not in "iu":
        raise VotewiseError(
            f"rows of shape {row.shape} and type {row.dtype} for {counted(len(p), 'item')}",
            remedy="give a whole number per item",
        )
    key, turn = counter.key("noise", seed), np.arange(draws)[:, None]
    cumulated = np.cumsum(p, axis=1)
    cumulated /= cumulated[:, -1:]
    spread = np.empty(len(p))
    step = max(1, _CELLS // (draws * p.shape[1]))
    for start in range(0, len(p), step):
        part = slice(start, start + step)
        u = counter.uniform(key, turn, row[None, part])
        label = (u[:, :, None] >= cumulated[None, part, :-1]).sum(axis=2)
        share = np.stack([(label == c).mean(axis=0) for c in range(p.shape[1])])
        spread[part] = (1 - np.square(share).sum(axis=0)) * draws / (draws - 1)
    return np.asarray(length * spread)


def noise(
    features: Any, p: Any, *, draws: int = 100, seed: int = 0, rows: ArrayLike | None = None, bias: bool = True
) -> Reading:
    """How the variance that label sampling gives the last layer's gradient follows the disagreement of people.

    features  the penultimate layer [n, D], as `outputs(model, x).features` gives it
    p         votes (or shares [n, C]) of the same items
    draws     labels an item for the sampled variance, drawn by (seed, row); rows [n] are 0 ... n-1 unless given
    bias      whether the last layer has one

    noise_correlation           Spearman's, of annotator entropy and the variance in closed form; 1: noise is where people disagree
    noise_correlation_sampled   the same with the variance of drawn labels
    noise_correlation_disputed  the same without unanimous items, which tie at zero
    noise_share_high            share of all variance that the tenth of highest entropy has; 0.1 if it were even
    noise_agreement             Spearman's, of the two variances; near 1 where the draws are enough
    curve `items`               entropy and variance of up to 500 items, in rising order of entropy

    >>> found = noise([[1.0], [1.0], [1.0]], [[1.0, 0.0], [0.8, 0.2], [0.5, 0.5]])
    >>> round(found.numbers["noise_correlation"], 6)
    1.0
    """
    p = as_distributions(p)
    exact = variance(features, p, bias=bias)
    sampled = sampled_variance(features, p, draws=draws, seed=seed, rows=rows, bias=bias)
    unsure = entropy(p)
    open_ = disputed(unsure)
    if not len(open_):
        raise VotewiseError(
            "every item is unanimous: label sampling adds no noise", remedy="measure on items that people disagree on"
        )
    numbers, notes = where_defined(
        {
            "noise_correlation": lambda: spearman(unsure, exact),
            "noise_correlation_sampled": lambda: spearman(unsure, sampled),
            "noise_correlation_disputed": lambda: spearman(unsure[open_], exact[open_]),
            "noise_share_high": lambda: exact[high(unsure)].sum() / exact.sum(),
            "noise_agreement": lambda: spearman(exact, sampled),
        }
    )
    place = np.argsort(unsure, kind="stable")
    if len(place) > _DRAWN:
        place = place[np.linspace(0, len(place) - 1, _DRAWN).round().astype(np.int64)]
    return Reading(numbers, {"items": {"entropy": unsure[place].tolist(), "variance": exact[place].tolist()}}, notes)


def _checked(features: Any, p: Any, bias: bool) -> tuple[F64, F64]:
    """‖h‖² (+ 1) [n] and distributions [n, C]."""
    h = as_floats(features, "features", "n D")
    return np.einsum("nd,nd->n", h, h) + bias, as_distributions(p, len(h))
