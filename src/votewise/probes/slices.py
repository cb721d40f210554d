"""The items that people disagree on most."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.errors import VotewiseError
from votewise.scoring.ranks import SAME, rising

I64 = NDArray[np.int64]
HIGH = 0.1  # the share of items that is called high


def high(entropy: ArrayLike, share: float = HIGH, *, threshold: float | None = None) -> I64:
    """Positions, in rising order, of the items [n] with the highest annotator entropy.

    Exactly the first ⌈n · share⌉ from the top, equal entropies in the order of the items; with `threshold` (nats) all
    items of at least that entropy instead.

    >>> high([0.0, 0.7, 0.3, 0.7], share=0.25).tolist(), high([0.0, 0.7, 0.3, 0.7], threshold=0.3).tolist()
    ([1], [1, 2, 3])
    """
    entropy = np.asarray(entropy, dtype=np.float64)
    if entropy.ndim != 1 or not len(entropy) or not np.isfinite(entropy).all():
        raise VotewiseError(
            f"no slice of entropies with shape {entropy.shape}", remedy="give one finite entropy per item"
        )
    if threshold is not None:
        chosen = np.flatnonzero(entropy >= threshold - SAME)
        if not len(chosen):
            raise VotewiseError(
                f"no item has an entropy of {threshold:g} nats or more: the highest is {entropy.max():.3g}",
                remedy="lower the threshold, or take a share of the items",
            )
        return chosen
    if not 0 < share <= 1:
        raise VotewiseError(f"a share of {share:g} of the items", remedy="give a share above 0 and up to 1")
    return np.sort(rising(-entropy, SAME).place[: portion(len(entropy), share)])


def portion(count: int, share: float) -> int:
    """⌈count · share⌉, for the share as it is written: 7 % of 100 is 7, though 100 * 0.07 is a little more."""
    return math.ceil(round(count * share, 9))


def disputed(entropy: ArrayLike) -> I64:
    """Positions of the items [n] that are not unanimous."""
    return np.flatnonzero(np.asarray(entropy, dtype=np.float64) > SAME)
