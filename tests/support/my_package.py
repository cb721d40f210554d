"""A module of a user: a delivery, a function that creates one, and models that do not depend on votewise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import nn

from votewise import Delivery, Majority
from votewise.counter import Tables
from votewise.votes import Answers


@dataclass(frozen=True, eq=False)
class Alternating(Delivery):
    """The most and the second most frequent class in turn, `every` epochs each."""

    name = "alternating"
    kind = "hard"
    every: int = field(default=1, kw_only=True)

    def make_tables(self) -> Tables:
        return {"order": np.argsort(-self.votes.probabilities(), axis=1, kind="stable")}

    def compute(self, xp: Any, tables: Tables, index: Any, epoch: Any) -> Any:
        return tables["order"][index, epoch // self.every % 2]


@dataclass(frozen=True)
class Plain:
    """A delivery without base class, which only fulfils the contract."""

    top: Any
    num_classes: int
    kind: str = "hard"

    def __len__(self) -> int:
        return len(self.top)

    def targets(self, index: Any, epoch: Any) -> Any:
        position = np.asarray(index)
        chosen = np.broadcast_to(self.top[position], np.broadcast_shapes(position.shape, np.shape(epoch)))
        return torch.from_numpy(chosen.copy()) if isinstance(index, torch.Tensor) else chosen


def plain(votes: Answers, seed: int = 0) -> Plain:
    return Plain(votes.majority(), votes.num_classes)


def impure(votes: Answers, seed: int = 0) -> Any:
    class Impure(Majority):
        calls = 0

        def targets(self, index: Any, epoch: Any) -> Any:
            type(self).calls += 1
            return (super().targets(index, epoch) + self.calls) % self.num_classes

    return Impure(votes, seed=seed)


class Net(nn.Module):
    """A model without `features` and `head`."""

    def __init__(self, shape: tuple[int, ...], num_classes: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Flatten(), nn.Linear(int(np.prod(shape)), num_classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)  # type: ignore[no-any-return]


class WithHead(Net):
    def __init__(self, shape: tuple[int, ...], num_classes: int) -> None:
        super().__init__(shape, 8)
        self.head = nn.Linear(8, num_classes)

    def features(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x).relu()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(x))  # type: ignore[no-any-return]


def no_module(shape: tuple[int, ...], num_classes: int) -> int:
    return num_classes
