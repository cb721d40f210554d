"""Numbers from wherever a person has them, NumPy or torch, as arrays that are what they should be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError, counted
from votewise.votes.distributions import TOLERANCE

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


def as_floats(values: Any, what: str, axes: str) -> F64:
    """An array of finite numbers with so many axes, or an error that calls it `what`.

    >>> as_floats([[1, 2]], "features", "n D")
    array([[1., 2.]])
    """
    found = np.asarray(values.detach().cpu() if hasattr(values, "detach") else values, dtype=np.float64)
    if found.ndim != len(axes.split()) or not found.size:
        shape = axes.replace(" ", ", ")
        raise VotewiseError(f"{what} of shape {found.shape}", remedy=f"give an array [{shape}] with something in it")
    if not np.isfinite(found).all():
        raise VotewiseError(f"{what} that are not all finite numbers", remedy="look at the weights and at the inputs")
    return found


def as_distributions(values: Any, count: int | None = None, what: str = "distributions") -> F64:
    """Annotator distributions [n, C], of two classes or more and of `count` items."""
    p = as_floats(values, what, "n C")
    if count is not None and len(p) != count:
        raise VotewiseError(f"{what} of {len(p)} for {counted(count, 'item')}", remedy="give one row per item")
    if p.shape[1] < 2:
        raise VotewiseError(f"{what} over one class only", remedy="give items that can be two things or more")
    total = p.sum(axis=1)
    if p.min() < 0 or np.abs(total - 1).max() > TOLERANCE:
        raise VotewiseError(
            f"{what} with a row that is negative or does not sum to one", remedy="give shares of votes, not counts"
        )
    return p
