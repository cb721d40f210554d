"""What a store holds, ready for statistics: one table of runs with their scores and probes, and the curves to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.evidence.methods import DATASETS
from votewise.evidence.runs import Arm, Runs

if TYPE_CHECKING:
    import polars as pl

    from votewise.studies import Missing, Plan, Store

ANY: Any = object()  # matches every K


@dataclass(frozen=True)
class Curve:
    """What a probe left to draw of a run, or of a run and another one: columns of equal length."""

    probe: str
    name: str
    method: str
    other: str | None  # the method of the other run
    K: int | None  # None: all votes
    seed: int
    checkpoint: str
    data: Mapping[str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class Results:
    """The finished runs of the studies of a store.

    table        a row for each run and checkpoint ("best", "last"): id, method, K (null: all votes), seed, checkpoint, epoch, every
                 score, and the numbers of the probes; what a probe says of pairs is averaged over the other seeds of the method
    curves       what the probes left to draw
    plans        by study
    members      by study, the ids of its runs
    missing      runs that a study needs and that are not there
    environment  versions, threads, machine
    left_out     studies of the store that are on other data, or trained in another way
    evaluated    items that a run holds out; None where nobody counted them
    """

    dataset: str
    preset: str
    table: pl.DataFrame
    curves: tuple[Curve, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    members: Mapping[str, frozenset[str]] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    environment: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    evaluated: int | None = None

    @classmethod
    def of(cls, store: Store, study: str | None = None) -> Results:
        """What is in a store: the paper's studies, or the `study` of a person's own data."""
        from votewise.evidence.gathering import gather

        return gather(store, study)

    @property
    def own(self) -> bool:
        """Whether the runs are on a person's own data and not on the papers'."""
        return self.dataset not in DATASETS

    def arms(self, papers: Sequence[str]) -> tuple[str, ...]:
        """The methods that a table or a figure shows: the paper's, and on a person's own data those of the comparison."""
        if not self.own:
            return tuple(papers)
        from votewise.studies import label

        return tuple(dict.fromkeys(label(method) for plan in self.plans.values() for method in plan.arms))

    @cached_property
    def sweep(self) -> tuple[int | None, ...]:
        """The votes per item of the study `sparse` for which there are runs; in a nested sweep all votes (None) are its end."""
        if "sparse" not in self.plans:
            return ()
        import polars as pl

        plan = self.plans["sparse"]
        there = self.table.filter(pl.col("id").is_in(list(self.members["sparse"])))["K"].unique()
        numbers = sorted(k for k in plan.votes_per_item if k != "all" and k in there)
        nested = plan.subsample == "nested" and bool(numbers) and there.has_nulls()
        return (*numbers, None) if nested else tuple(numbers)

    @property
    def comparable(self) -> bool:
        """Whether sizes may be compared with the published ones: the paper's data under the paper's recipe."""
        from votewise.training import Recipe

        paper = Recipe.preset("paper")
        return self.dataset == "cifar10h" and all(plan.trained_with == paper for plan in self.plans.values())

    @property
    def intervals(self) -> tuple[int, ...]:
        """The epochs between two draws in the study `resampling`."""
        return self.plans["resampling"].resample_every if "resampling" in self.plans else ()

    @cached_property
    def runs(self) -> Runs:
        """The same numbers by study, method and votes per item, at the best checkpoint."""
        return Runs(self)

    def values(
        self, study: str, method: str, score: str, *, K: int | None = None, checkpoint: str = "best"
    ) -> dict[int, float]:
        """A score, or the number of a probe, by seed; seeds without it are left out."""
        return self.runs.at(checkpoint).values(Arm(study, method, K), score)

    def paired(
        self, study: str, first: str, second: str, score: str, *, K: int | None = None, checkpoint: str = "best"
    ) -> tuple[list[int], NDArray[np.float64], NDArray[np.float64]]:
        """The seeds that two methods share, and the score of each: seeds, first [n], second [n]."""
        one, two = (self.values(study, method, score, K=K, checkpoint=checkpoint) for method in (first, second))
        seeds = sorted(one.keys() & two.keys())
        return seeds, np.array([one[seed] for seed in seeds]), np.array([two[seed] for seed in seeds])

    def drawn(
        self,
        probe: str,
        name: str,
        *,
        method: str | None = None,
        other: str | None = None,
        K: int | None = ANY,
        checkpoint: str = "best",
    ) -> list[Curve]:
        """The curves of a probe, by method and seed; every method, partner and K unless one is named."""
        found = [
            curve
            for curve in self.curves
            if (curve.probe, curve.name, curve.checkpoint) == (probe, name, checkpoint)
            and (method is None or curve.method == method)
            and (other is None or curve.other == other)
            and (K is ANY or curve.K == K)
        ]
        return sorted(found, key=lambda curve: (curve.method, curve.other or "", curve.seed))
