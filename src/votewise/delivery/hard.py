"""Hard-label deliveries: one class per example and epoch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from votewise import counter
from votewise.counter import Tables
from votewise.delivery.delivery import Delivery
from votewise.errors import VotewiseError
from votewise.votes import Votes, drawing, tally


@dataclass(frozen=True, eq=False)
class Multipass(Delivery):
    """Cycle through the votes of each item. The m_i votes of item i are shuffled once by `seed`; epoch t gets the vote at t mod m_i.

    Each vote appears exactly once in every cycle of m_i epochs, and an epoch has N examples (Gheibi and Ghazizadeh 2026,
    section 3).

    Args:
        votes: Votes on N items, without weights.
        seed: Seed of the order of each item's votes.

    Example:
        >>> labels = Multipass(Votes.from_counts([[2, 1]]), seed=0)
        >>> sorted(int(labels.targets(0, epoch)) for epoch in range(3))
        [0, 0, 1]
    """

    name = "multipass"
    kind = "hard"
    unbiased = True
    seed_offset = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.votes, Votes):
            raise VotewiseError(
                f"{self.name} needs votes, but only probabilities are given",
                remedy="use sls, which works with probabilities",
            )
        if self.votes.weighted:
            raise VotewiseError(
                f"{self.name} counts every vote once, but these votes have weights",
                remedy="use sls on votes.distributions()",
            )

    def make_tables(self) -> Tables:
        assert isinstance(self.votes, Votes)
        return {**self.votes.tables(), "label": self.votes.shuffled(self.seed + self.seed_offset)}

    def compute(self, xp: Any, tables: Tables, index: Any, epoch: Any) -> Any:
        return tables["label"][tables["start"][index] + epoch % tables["size"][index]]


@dataclass(frozen=True, eq=False)
class Deterministic(Multipass):
    """Multipass with another order of the votes: a control for whether the order matters (appendix A.1).

    Equal to `Multipass` with seed + 1000, so use seeds below 1000 to keep the two apart.
    """

    name = "deterministic"
    seed_offset = 1000


@dataclass(frozen=True, eq=False)
class SLS(Delivery):
    """Stochastic label sampling: draws a label from each item's distribution, and draws again every `resample_every` epochs.

    Votes and their probabilities give the same labels. The expected loss equals the loss of soft labels (Proposition 1).

    Args:
        votes: `Votes` or `Distributions` on N items.
        seed: Seed of the draws.
        resample_every: Number of epochs for which a label is kept.

    Example:
        >>> labels = SLS(Votes.from_counts([[5, 5], [0, 3]]), seed=1, resample_every=2)
        >>> bool(labels.targets(0, 0) == labels.targets(0, 1)), int(labels.targets(1, 7))
        (True, 1)
    """

    name = "sls"
    kind = "hard"
    unbiased = True
    resample_every: Annotated[int, Ge(1)] = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.votes, Votes) and self.votes.weighted:
            raise VotewiseError(
                f"{self.name} draws every vote with equal probability, but these votes have weights",
                remedy="use it on votes.distributions()",
            )

    def make_tables(self) -> Tables:
        source = (
            self.votes.tables() if isinstance(self.votes, Votes) else drawing.thresholds(self.votes.probabilities())
        )
        return {**source, "row": self.votes.row, "key": counter.key("sls", self.seed)}

    def compute(self, xp: Any, tables: Tables, index: Any, epoch: Any) -> Any:
        bits = xp.draw(tables["key"], epoch // self.resample_every, tables["row"][index])
        return self.draw(xp, tables, index, bits)

    def jax(self) -> tuple[Callable[[Tables, Any, Any], Any], Tables]:
        if isinstance(self.votes, Votes) and self.votes.votes_per_item.max(initial=0) >= 1 << 16:
            raise VotewiseError(
                "an item has 65,536 votes or more, too many for JAX", remedy="use votes.distributions()"
            )
        return super().jax()

    def draw(self, xp: Any, tables: Tables, index: Any, bits: Any) -> Any:
        """A label for each of the items at `index`, from 32 random bits each."""
        by_vote = isinstance(self.votes, Votes)
        return (drawing.from_votes if by_vote else drawing.from_distribution)(xp, tables, index, bits)


@dataclass(frozen=True, eq=False)
class ShuffledSLS(SLS):
    """SLS with the distributions permuted over the items: a control in which labels do not belong to their items.

    Pass the votes of the training items only. With all items, votes of evaluation items would be used in training. With
    `derangement`, no item keeps its own distribution.
    """

    name = "shuffled-sls"
    per_item = False
    unbiased = False
    derangement: bool = field(default=False, kw_only=True)

    def make_tables(self) -> Tables:
        return {**super().make_tables(), "donor": self.donors()}

    def draw(self, xp: Any, tables: Tables, index: Any, bits: Any) -> Any:
        return super().draw(xp, tables, tables["donor"][index], bits)

    def donors(self) -> Any:
        """The position [N] of the item whose distribution each item gets: a permutation by `seed` and the rows, in any order."""
        drawn = counter.order(counter.key("permutation", self.seed), 0, self.votes.row)
        donor = np.empty(len(drawn), np.int64)
        if self.derangement:
            donor[drawn] = np.roll(drawn, 1)
        else:
            donor[np.argsort(self.votes.row)] = drawn
        return donor


@dataclass(frozen=True, eq=False)
class Majority(Delivery):
    """The class with the most votes, in every epoch.

    Args:
        votes: `Votes` or `Distributions` on N items.
        seed: Seed for tied items with `ties="random"`.
        ties: "lowest": ties go to the lowest class; "random": ties go to a random one of the tied classes.

    Example:
        >>> labels = Majority(Votes.from_counts([[1, 4], [2, 2]]))
        >>> labels.targets([0, 1], epoch=0).tolist(), labels.tied
        ([1, 0], 1)
    """

    name = "majority"
    kind = "hard"
    ties: tally.Ties = field(default="lowest", kw_only=True)

    @property
    def tied(self) -> int:
        """Number of items decided by the tie policy."""
        return int(self.votes.tied().sum())

    def make_tables(self) -> Tables:
        return {"majority": self.votes.majority(ties=self.ties, seed=self.seed)}

    def compute(self, xp: Any, tables: Tables, index: Any, epoch: Any) -> Any:
        return tables["majority"][index]
