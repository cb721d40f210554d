"""Linear centred kernel alignment of two sets of features (Kornblith et al. 2019), usual and debiased.

Both are cosines between the Gram matrices of the features. The usual one centres them; on few items it is too large, the more
so the wider the features. The debiased one takes the unbiased estimate of HSIC (Song et al. 2012; Nguyen et al. 2021) for all
three inner products. Neither needs the Gram matrix: with <A Aᵀ, B Bᵀ> = ‖Aᵀ B‖² the cost is O(n d²); features wider than
there are items are turned into n columns first, in O(n² d).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.errors import UndefinedError, VotewiseError
from votewise.probes.arrays import F64, as_floats
from votewise.probes.reading import Reading, where_defined
from votewise.wording import counted


def linear_cka(a: Any, b: Any, *, debiased: bool = False) -> float:
    """Similarity of features a [n, d1] and b [n, d2] of the same n items: 1 where one is a rotation of the other, scaled; 0 where they
    have nothing in common. `outputs(model, x).features` gives those of a model; `debiased` is for few items and may be below 0.

    >>> a = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 0.0]])
    >>> round(linear_cka(a, 5 * a[:, ::-1] + 7), 12)
    1.0
    """
    a, b = (_centred(features, which) for features, which in ((a, "first"), (b, "second")))
    if len(a) != len(b):
        raise VotewiseError(
            f"features of {len(a)} and of {counted(len(b), 'item')}", remedy="give features of the same items"
        )
    if debiased and len(a) < 4:
        raise UndefinedError(f"{counted(len(a), 'item')} for the debiased estimate", remedy="give at least four")
    product = _unbiased if debiased else _inner
    both, first, second = product(a, b), product(a, a), product(b, b)
    if min(first, second) <= 1e-12:  # of features of length one
        raise VotewiseError("the features differ in one item only", remedy="compare on more items")
    return both / float(np.sqrt(first * second))


def similarity(a: Any, b: Any) -> Reading:
    """`cka` and `cka_debiased` of features [n, d1] and [n, d2] of the same items: see `linear_cka`."""
    numbers, notes = where_defined({"cka_debiased": lambda: linear_cka(a, b, debiased=True)})
    return Reading({"cka": linear_cka(a, b), **numbers}, notes=notes)


def _centred(features: Any, which: str) -> F64:
    """Features less their mean, scaled to length one, in at most n columns."""
    found = as_floats(features, f"{which} features", "n D")
    centred = found - found.mean(axis=0)
    length = np.linalg.norm(centred)
    if length <= 1e-12 * np.linalg.norm(found):
        raise VotewiseError(
            f"the {which} features are the same for every item",
            remedy="compare layers that tell items apart, on two items or more",
        )
    if centred.shape[1] > len(centred):
        centred = np.asarray(np.linalg.qr(centred.T, mode="r")).T  # the same rows in another basis
    return np.asarray(centred / length)


def _inner(a: F64, b: F64) -> float:
    """Inner product of the Gram matrices of a and b."""
    return float(np.square(a.T @ b).sum())


def _unbiased(a: F64, b: F64) -> float:
    """The same without the diagonals and what their absence leaves uncentred: n (n - 3) times the unbiased HSIC."""
    n = len(a)
    diagonal = [np.einsum("nd,nd->n", side, side) for side in (a, b)]
    rows = [-own for own in diagonal]  # rows of a centred Gram matrix sum to zero
    off = _inner(a, b) - diagonal[0] @ diagonal[1]
    total = rows[0].sum() * rows[1].sum() / ((n - 1) * (n - 2))
    return float(off + total - 2 * (rows[0] @ rows[1]) / (n - 2))
