"""The items with the most annotator disagreement."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import VotewiseError
from votewise.probes.validation import I64
from votewise.scoring import SAME, rising

HIGH = 0.1  # the share of the items in the high-disagreement slice


def high(entropy: ArrayLike, share: float = HIGH) -> I64:
    """The items with the highest annotator entropy.

    Args:
        entropy: entropy of the votes of each item [n], in nats.
        share: share of the items; exactly ⌈n · share⌉ items are selected, and ties are resolved by the order of the items.

    Returns:
        Positions in ascending order.

    >>> high([0.0, 0.7, 0.3, 0.7], share=0.25).tolist()
    [1]
    """
    entropy = np.asarray(entropy, dtype=np.float64)
    if entropy.ndim != 1 or not len(entropy) or not np.isfinite(entropy).all():
        raise VotewiseError(f"entropy must be one finite number per item, got shape {entropy.shape}")
    if not 0 < share <= 1:
        raise VotewiseError(f"share must be above 0 and at most 1, got {share:g}")
    return np.sort(rising(-entropy, SAME).place[: portion(len(entropy), share)])


def portion(count: int, share: float) -> int:
    """⌈count · share⌉ for the decimal value of the share: 7 % of 100 is 7, although 100 * 0.07 is slightly larger."""
    return math.ceil(round(count * share, 9))


def disputed(entropy: ArrayLike) -> I64:
    """Positions of the items [n] that are not unanimous."""
    return np.flatnonzero(np.asarray(entropy, dtype=np.float64) > SAME)
