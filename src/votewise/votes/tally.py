"""Plain functions over rows of counts or probabilities [n, C], shared by `Votes` and `Distributions`."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.arrays import F64, I64
from votewise.errors import VotewiseError

Ties = Literal["lowest", "random"]


def entropy(probability: F64) -> F64:
    """Entropy of each row [n, C], in nats; zero times log zero is zero."""
    safe = np.where(probability > 0, probability, 1.0)
    return np.asarray(-(probability * np.log(safe)).sum(axis=-1) + 0.0)  # + 0.0: never minus zero


def tied(mass: NDArray[Any]) -> NDArray[np.bool_]:
    """Rows [n, C] whose largest mass is shared by several classes. Masses that differ only by rounding are equal."""
    return np.asarray(at_top(mass).sum(axis=1) > 1)


def majority(mass: NDArray[Any], ties: Ties = "lowest", seed: int = 0, row: I64 | None = None) -> I64:
    """The class of largest mass of each row [n, C]; ties go to the lowest class, or to one drawn from `seed` and `row`."""
    check_ties(ties)
    top = at_top(mass)
    if ties == "lowest":
        return np.asarray(top.argmax(axis=1))
    place = counter.below(
        counter.draw(counter.key("ties", seed), 0, np.arange(len(top)) if row is None else row), top.sum(axis=1)
    )
    return np.asarray((top.cumsum(axis=1) > place[:, None]).argmax(axis=1))


def at_top(mass: NDArray[Any]) -> NDArray[np.bool_]:
    """Which classes of each row [n, C] hold the largest mass, up to 1e-12 of it (0.1 + 0.2 ties with 0.3)."""
    return np.asarray(mass >= mass.max(axis=1, keepdims=True) * (1 - 1e-12))


def check_ties(ties: Ties) -> None:
    """Refuse an unknown tie policy."""
    if ties not in get_args(Ties):
        raise VotewiseError(
            f"unknown tie policy {ties!r}",
            remedy="use 'lowest' or 'random'; votes.select(~votes.tied()) leaves tied items out",
        )
