"""Soft-label deliveries: a distribution per example, the same in every epoch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.delivery.delivery import SoftDelivery
from votewise.errors import VotewiseError
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
    epsilon: float = field(default=0.1, kw_only=True)
    on: Literal["majority", "votes"] = field(default="majority", kw_only=True)
    spread: Literal["all", "others"] = field(default="all", kw_only=True)
    ties: tally.Ties = field(default="lowest", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        tally.check_ties(self.ties)
        if not 0 <= self.epsilon <= 1:
            raise VotewiseError(f"epsilon is {self.epsilon}", remedy="use a share between 0 and 1, as 0.1")
        if self.on not in ("majority", "votes") or self.spread not in ("all", "others"):
            raise VotewiseError(
                f"cannot smooth on {self.on!r} over {self.spread!r}",
                remedy="use on='majority' or 'votes' and spread='all' or 'others'",
            )

    def rows(self, index: Any) -> NDArray[np.float64]:
        row, c = self.votes.row[index], self.num_classes
        top = np.zeros((len(row), c))
        top[np.arange(len(row)), tally.majority(self.votes.mass(index), self.ties, self.seed, row)] = 1
        target = top if self.on == "majority" else self.votes.probabilities(index)
        rest = np.full_like(top, 1 / c) if self.spread == "all" else (1 - top) / (c - 1)
        return (1 - self.epsilon) * target + self.epsilon * rest
