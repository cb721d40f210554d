"""The uncertainty of the distribution of an item, and its reduction by one more vote.

The full distribution p of an item has a posterior, a mixture of Dirichlets (`prior`). The error of its mean is the sum over
classes of the variance of p. One more vote y is drawn from the posterior mean m; by the law of total variance, it reduces
the error on average over y by the variance of the new mean,

    gain = sum over y and c of Cov(p_c, p_y)^2 / m_y,

because E[p | y] = E[p p_y] / m_y. For a single Dirichlet of concentration A it is the error divided by A + 1.
"""

from __future__ import annotations

import numpy as np

from votewise.arrays import F64, I64
from votewise.profile import prior
from votewise.profile.cells import Cells

DENSE = 32  # number of classes above which the classes without votes on an item are merged
_WORK = 1 << 21  # maximum number of numbers per block


def uncertainty(answers: Cells, base: F64, weight: F64) -> tuple[F64, F64]:
    """Expected squared error of the posterior mean of each item [n], and its reduction by one more vote [n]."""
    error, gain = np.empty(len(answers)), np.empty(len(answers))
    order = np.argsort(answers.width, kind="stable")  # items in a block have similar numbers of classes
    start = 0
    while start < len(order):
        width = len(base) if len(base) <= DENSE else int(answers.width[order[min(start + 4096, len(order)) - 1]]) + 1
        part = order[start : start + max(1, min(4096, _WORK // (len(weight) * width)))]
        start += len(part)
        block = answers.take(part)
        posterior = prior.likelihood(block, base) * weight
        posterior /= posterior.sum(axis=1, keepdims=True)
        count, share = _all(block, base) if len(base) <= DENSE else _chosen_and_rest(block, base, width)
        error[part], gain[part] = _moments(posterior, count, share, block.size)
    return error, gain


def of_no_votes(base: F64, weight: F64) -> tuple[float, float]:
    """The error and the gain of `uncertainty` for an item without votes."""
    error, gain = _moments(weight[None], np.zeros((1, len(base))), base[None], np.zeros(1, np.int64))
    return float(error[0]), float(gain[0])


def _all(block: Cells, base: F64) -> tuple[F64, F64]:
    count = np.zeros((len(block), len(base)))
    count[block.item, block.label] = block.count
    return count, np.broadcast_to(base, count.shape)


def _chosen_and_rest(block: Cells, base: F64, width: int) -> tuple[F64, F64]:
    """Counts and prior shares [n, width] of the chosen classes, then of all others together; unused entries are zero."""
    count, share = np.zeros((len(block), width)), np.zeros((len(block), width))
    place = np.arange(len(block.label)) - np.repeat(block.start[:-1], block.width)
    count[block.item, place], share[block.item, place] = block.count, base[block.label]
    share[np.arange(len(block)), block.width] = np.maximum(1 - share.sum(axis=1), 1e-12)
    return count, share


def _moments(posterior: F64, count: F64, share: F64, size: I64) -> tuple[F64, F64]:
    """Error and gain [n] by the weight of each component [n, G], counts and prior shares [n, W] and votes [n]."""
    elsewhere, concentration = prior.GRID.T
    scattered = (concentration * elsewhere)[None, :, None] * share[:, None] + count[:, None]  # [n, G, W]
    pull = (concentration * (1 - elsewhere))[None, :, None]
    favoured = prior.favoured(count, share)
    shape = scattered + pull * favoured
    total = concentration + size[:, None]  # [n, G]
    mean = np.einsum("ng,ngc->nc", posterior / total, shape)
    part = (posterior / (total * (total + 1)))[:, :, None]
    second = np.swapaxes(part * shape, 1, 2) @ shape - np.swapaxes(part * pull**2 * favoured, 1, 2) @ favoured
    across = np.arange(mean.shape[1])
    second[:, across, across] += (part * (shape + pull**2 * favoured)).sum(axis=1)
    covariance = second - mean[:, :, None] * mean[:, None, :]
    error = np.maximum(np.einsum("ncc->n", covariance), 0.0)
    gain = np.divide(np.einsum("ncy,ncy->ny", covariance, covariance), mean, out=np.zeros_like(mean), where=mean > 0)
    return error, np.minimum(gain.sum(axis=1), error)
