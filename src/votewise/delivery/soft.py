"""Soft-label deliveries: a distribution per example, the same in every epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from votewise.delivery.delivery import SoftDelivery
from votewise.votes import tally


@dataclass(frozen=True, eq=False)
class Soft(SoftDelivery):
    """The vote shares, in every epoch.

    Args:
        votes: `Votes` or `Distributions` on N items.

    Example:
        >>> from votewise import Votes
        >>> Soft(Votes.from_counts([[1, 3]])).targets([0], epoch=0).tolist()
        [[0.25, 0.75]]
    """

    name = "soft"

    def rows(self, index: Any) -> NDArray[np.float64]:
        return self.votes.probabilities(index)


@dataclass(frozen=True, eq=False)
class LabelSmoothing(SoftDelivery):
    """(1 - epsilon) of the target plus epsilon spread evenly (Szegedy et al. 2016).

    Args:
        votes: `Votes` or `Distributions` on N items.
        seed: Seed for tied items with `ties="random"`.
        epsilon: The share that is spread.
        on: The target to smooth: the "majority" class, or the "votes" shares.
        spread: The classes that share it: "all", or the "others", which are not the majority.
        ties: "lowest" or "random", as for `Majority`.

    Example:
        >>> from votewise import Votes
        >>> LabelSmoothing(Votes.from_counts([[1, 3]]), epsilon=0.5).targets([0], epoch=0).tolist()
        [[0.25, 0.75]]
    """

    name = "label-smoothing"
    epsilon: Annotated[float, Interval(ge=0, le=1)] = field(default=0.1, kw_only=True)
    on: Literal["majority", "votes"] = field(default="majority", kw_only=True)
    spread: Literal["all", "others"] = field(default="all", kw_only=True)
    ties: tally.Ties = field(default="lowest", kw_only=True)

    def rows(self, index: Any) -> NDArray[np.float64]:
        row, c = self.votes.row[index], self.num_classes
        top = np.zeros((len(row), c))
        top[np.arange(len(row)), tally.majority(self.votes.mass(index), self.ties, self.seed, row)] = 1
        target = top if self.on == "majority" else self.votes.probabilities(index)
        rest = np.full_like(top, 1 / c) if self.spread == "all" else (1 - top) / (c - 1)
        return (1 - self.epsilon) * target + self.epsilon * rest
