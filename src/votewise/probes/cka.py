"""Linear centred kernel alignment of two sets of features (Kornblith et al. 2019), biased and debiased.

Both are cosines between the Gram matrices of the features. The biased estimate uses centred Gram matrices. It is too large for few
items, especially with many features. The debiased estimate uses the unbiased estimate of HSIC (Song et al. 2012; Nguyen et al. 2021) for all
three inner products. Neither needs the Gram matrix: with <A Aᵀ, B Bᵀ> = ‖Aᵀ B‖² the cost is O(n d²); features with
more columns than items are first reduced to n columns, in O(n² d).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.errors import UndefinedError, VotewiseError
from votewise.probes.reading import Reading, where_defined
from votewise.probes.validation import F64, as_floats


def linear_cka(a: Any, b: Any, *, debiased: bool = False) -> float:
    """Linear CKA of two sets of features: 1 if one is a scaled rotation of the other, 0 if they are unrelated.

    Args:
        a: features [n, d1], for example `outputs(model, x).features`.
        b: features [n, d2] of the same items.
        debiased: use the estimate that corrects the bias for few items; it can be below 0.

    >>> a = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 0.0]])
    >>> round(linear_cka(a, 5 * a[:, ::-1] + 7), 12)
    1.0
    """
    a, b = (_centred(features, name) for features, name in ((a, "a"), (b, "b")))
    if len(a) != len(b):
        raise VotewiseError(f"a and b must be of the same items, got {len(a)} and {len(b)}")
    if debiased and len(a) < 4:
        raise UndefinedError(f"the debiased estimate needs at least four items, got {len(a)}")
    product = _unbiased if debiased else _inner
    both, first, second = product(a, b), product(a, a), product(b, b)
    if min(first, second) <= 1e-12:  # of features of length one
        raise VotewiseError("the features differ in only one item", remedy="compare more items")
    return both / float(np.sqrt(first * second))


def similarity(a: Any, b: Any) -> Reading:
    """`cka` and `cka_debiased` of features [n, d1] and [n, d2] of the same items: see `linear_cka`."""
    numbers, notes = where_defined({"cka_debiased": lambda: linear_cka(a, b, debiased=True)})
    return Reading({"cka": linear_cka(a, b), **numbers}, notes=notes)


def _centred(features: Any, name: str) -> F64:
    """Features minus their mean, scaled to length one, in at most n columns."""
    features = as_floats(features, name, "n D")
    centred = features - features.mean(axis=0)
    length = np.linalg.norm(centred)
    if length <= 1e-12 * np.linalg.norm(features):
        raise VotewiseError(f"{name} must differ between items, got the same features for all")
    if centred.shape[1] > len(centred):
        centred = np.asarray(np.linalg.qr(centred.T, mode="r")).T  # the same rows in another basis
    return np.asarray(centred / length)


def _inner(a: F64, b: F64) -> float:
    """Inner product of the Gram matrices of a and b."""
    return float(np.square(a.T @ b).sum())


def _unbiased(a: F64, b: F64) -> float:
    """The inner product without the diagonals, re-centred: n (n - 3) times the unbiased HSIC."""
    n = len(a)
    diagonal = [np.einsum("nd,nd->n", side, side) for side in (a, b)]
    rows = [-own for own in diagonal]  # rows of a centred Gram matrix sum to zero
    off = _inner(a, b) - diagonal[0] @ diagonal[1]
    total = rows[0].sum() * rows[1].sum() / ((n - 1) * (n - 2))
    return float(off + total - 2 * (rows[0] @ rows[1]) / (n - 2))
