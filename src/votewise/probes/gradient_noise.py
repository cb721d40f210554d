"""The noise that label sampling adds to the gradient of the last layer, for each example.

With a linear head on features h, the gradient for a label y is (q - e_y) times (h, 1). Over labels drawn from p its covariance
has the trace (‖h‖² + 1) (1 - ‖p‖²), by Proposition 1 of Gheibi and Ghazizadeh 2026: features times disagreement. The
prediction q cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from votewise import counter
from votewise.errors import VotewiseError
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import disputed, high
from votewise.probes.validation import F64, as_distributions, as_floats
from votewise.scoring import spearman
from votewise.votes import entropy

_CELLS = 1 << 21  # maximum of draws times items times classes in memory
_SHOWN = 500  # maximum number of items in the curve


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
    """The variance estimated (n - 1) from `draws` labels per item, drawn by the counter for (seed, row).

    No gradient is computed: the gradients of an item differ only in e_y, so their variance is that of the drawn labels times
    ‖h‖² + 1.
    """
    length, p = _checked(features, p, bias)
    if draws < 2:
        raise VotewiseError(f"draws must be at least 2 for a variance, got {draws}")
    row = np.arange(len(p)) if rows is None else np.asarray(rows)
    if row.shape != (len(p),) or row.dtype.kind not in "iu":
        raise VotewiseError(f"rows must be one integer per item [{len(p)}], got shape {row.shape} and type {row.dtype}")
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
    """Whether label sampling makes the gradient of the last layer noisy where annotators disagree.

    Args:
        features: the penultimate layer [n, D], for example `outputs(model, x).features`.
        p: votes of the same items, or shares [n, C].
        draws: number of labels per item for the sampled variance, drawn by (seed, row).
        seed: seed of the draws.
        rows: identities of the items [n]; default: 0 ... n-1.
        bias: whether the last layer has a bias.

    Returns:
        A reading with `noise_correlation`, `noise_correlation_sampled`, `noise_correlation_disputed`, `noise_share_high`,
        `noise_share_votes`, `noise_agreement`, and the curve `items`: entropy and variance of up to 500 items, sorted by entropy.

    >>> reading = noise([[1.0], [1.0], [1.0]], [[1.0, 0.0], [0.8, 0.2], [0.5, 0.5]])
    >>> round(reading.numbers["noise_correlation"], 6)
    1.0
    """
    p = as_distributions(p)
    exact = variance(features, p, bias=bias)
    sampled = sampled_variance(features, p, draws=draws, seed=seed, rows=rows, bias=bias)
    disagreement = entropy(p)
    some, top, by_votes = disputed(disagreement), high(disagreement), 1 - np.square(p).sum(axis=1)
    if not len(some):
        raise VotewiseError("all items are unanimous: label sampling adds no noise")
    numbers, notes = where_defined(
        {
            "noise_correlation": lambda: spearman(disagreement, exact),
            "noise_correlation_sampled": lambda: spearman(disagreement, sampled),
            "noise_correlation_disputed": lambda: spearman(disagreement[some], exact[some]),
            "noise_share_high": lambda: exact[top].sum() / exact.sum(),
            "noise_share_votes": lambda: by_votes[top].sum() / by_votes.sum(),
            "noise_agreement": lambda: spearman(exact, sampled),
        }
    )
    order = np.argsort(disagreement, kind="stable")
    if len(order) > _SHOWN:
        order = order[np.linspace(0, len(order) - 1, _SHOWN).round().astype(np.int64)]
    curve = {"entropy": disagreement[order].tolist(), "variance": exact[order].tolist()}
    return Reading(numbers, {"items": curve}, notes)


def _checked(features: Any, p: Any, bias: bool) -> tuple[F64, F64]:
    """‖h‖² (+ 1) [n] and distributions [n, C]."""
    h = as_floats(features, "features", "n D")
    return np.einsum("nd,nd->n", h, h) + bias, as_distributions(p, len(h))
