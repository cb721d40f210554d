"""True classes, where somebody knows them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.errors import VotewiseError, listing
from votewise.votes import Answers


def true_classes(truth: ArrayLike | Sequence[str] | None, votes: Answers) -> NDArray[np.int64] | None:
    """True classes [N] as numbers; names are looked up among the classes."""
    if truth is None:
        return None
    given = np.asarray(truth)
    if given.shape != (len(votes),):
        raise VotewiseError(f"true classes of shape {given.shape} for {len(votes)} items", remedy="give one per item")
    if given.dtype.kind not in "iu":
        place = {name: number for number, name in enumerate(votes.classes)}
        given = np.array([place.get(str(name), -1) for name in given.tolist()], dtype=np.int64)
    wrong = (given < 0) | (given >= votes.num_classes)
    if wrong.any():
        row = int(wrong.argmax())
        raise VotewiseError(
            f"the true class {np.asarray(truth).tolist()[row]!r} of item {votes.name_of(row)!r} is none of the classes",
            remedy=f"give numbers from 0 to {votes.num_classes - 1}, or names among {listing(votes.classes)}",
        )
    return given.astype(np.int64)
