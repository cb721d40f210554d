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
    """The vote shares themselves, inside the loss at every step."""

    name = "soft"

    def rows(self, index: Any) -> NDArray[np.float64]:
        return self.votes.probabilities(index)


@dataclass(frozen=True, eq=False)
class LabelSmoothing(SoftDelivery):
    """(1 - epsilon) of the target plus epsilon spread evenly (Szegedy et al. 2016).

    on      what is smoothed: the "majority" class, or the "votes" shares
    spread  over "all" classes, or over the "others": those that are not the majority
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
