"""The results of the runs of a store, for any number of datasets and studies: one long table of numbers, and curves to plot.

Tables, figures, claims and recommendations use only these results. There are two queries: the values of a method by seed (`values`), and
the values of two methods on their shared seeds (`paired`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.arrays import F64

if TYPE_CHECKING:
    import polars as pl

    from votewise.studies.plan import Plan
    from votewise.studies.store import Missing, Store

ANY: Any = object()  # every number of votes per item
COLUMNS = ("dataset", "study", "run", "method", "K", "seed", "checkpoint", "quantity", "value")
_Cell = tuple[str, int | None, str, str]  # method, K, checkpoint, quantity


@dataclass(frozen=True)
class Curve:
    """A curve that a probe stored for a run or a pair of runs: columns of equal length."""

    studies: frozenset[str]  # the studies of the run
    probe: str
    name: str
    method: str
    other: str | None  # the method of the other run
    K: int | None  # None: all votes
    seed: int
    checkpoint: str
    data: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Pair:
    """A number of a pair of runs, for example their CKA."""

    studies: frozenset[str]
    quantity: str
    checkpoint: str
    K: int | None
    methods: tuple[str, str]
    seeds: tuple[int, int]
    value: float


@dataclass(frozen=True, eq=False)
class Paired:
    """The values of two methods on their shared seeds, in the order of the seeds.

    Attributes:
        seeds: [n] shared seeds.
        first: [n] values of the first method.
        second: [n] values of the second method.
    """

    seeds: tuple[int, ...]
    first: F64
    second: F64

    @classmethod
    def of(cls, first: Mapping[int, float], second: Mapping[int, float]) -> Paired:
        """The values of two methods, by seed, on their shared seeds; empty if they have none."""
        seeds = tuple(sorted(first.keys() & second.keys()))
        return cls(seeds, *(np.array([values[seed] for seed in seeds], dtype=np.float64) for values in (first, second)))

    @property
    def difference(self) -> F64:
        """First minus second [n]."""
        return self.first - self.second

    def __len__(self) -> int:
        return len(self.seeds)


@dataclass(frozen=True, eq=False)
class Results:
    """The finished runs of the studies of a store.

    Attributes:
        table: one row per study, run, checkpoint and number, with the columns dataset, study, run (its id), method, K (null: all
            votes), seed, checkpoint ("best" or "last"), quantity and value. Twin runs, which differ only in their training seed, are not in
            the table; probes use them for comparison.
        pairs: numbers of pairs of runs.
        curves: curves stored by probes.
        plans: plans by study.
        missing: the unfinished runs of the studies.
        environment: versions, threads and machine of the runs.
        evaluated: by dataset, the number of held-out items of a run, if known.
        classes: by dataset, the number of classes, if known.
        fingerprints: by dataset, the fingerprints of the data that its runs were trained on.
        validated: the studies whose runs chose their best epoch on validation items, separate from the reported items.
    """

    table: pl.DataFrame
    pairs: tuple[Pair, ...] = ()
    curves: tuple[Curve, ...] = ()
    plans: Mapping[str, Plan] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()
    environment: Mapping[str, Any] = field(default_factory=dict)
    evaluated: Mapping[str, int] = field(default_factory=dict)
    classes: Mapping[str, int] = field(default_factory=dict)
    fingerprints: Mapping[str, frozenset[str]] = field(default_factory=dict)
    validated: frozenset[str] = frozenset()

    @classmethod
    def of(cls, store: Store, studies: Iterable[str] | None = None) -> Results:
        """The results of some studies of a store; default: all whose plan can be read."""
        from votewise.studies.gathering import gather

        return gather(store, studies)

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        """The datasets of the studies, in the order of the plans."""
        return tuple(dict.fromkeys(plan.dataset.title for plan in self.plans.values()))

    @cached_property
    def by_dataset(self) -> dict[str, Results]:
        """The results on each dataset, by its name."""
        names = self.datasets
        return {name: self.select(dataset=name) if len(names) > 1 else self for name in names}

    def select(self, *, dataset: str | None = None, studies: Iterable[str] | None = None) -> Results:
        """The results on one dataset, or of some studies."""
        import polars as pl

        kept = {
            study: plan
            for study, plan in self.plans.items()
            if (dataset is None or plan.dataset.title == dataset) and (studies is None or study in set(studies))
        }
        return replace(
            self,
            table=self.table.filter(pl.col("study").is_in(list(kept))),
            pairs=tuple(pair for pair in self.pairs if not pair.studies.isdisjoint(kept)),
            curves=tuple(curve for curve in self.curves if not curve.studies.isdisjoint(kept)),
            plans=kept,
            missing=tuple(run for run in self.missing if not run.studies.isdisjoint(kept)),
            validated=self.validated & kept.keys(),
        )

    # --- the two queries -----------------------------------------------------------------------------------------------

    def values(self, method: str, quantity: str, *, K: int | None = None, checkpoint: str = "best") -> dict[int, float]:
        """The values of a quantity by seed, in the order of the seeds; seeds without a value are left out.

        Args:
            method: its label, for example `sls` or `sls-every-5`.
            quantity: the key of a score, or of a number that a probe measures.
            K: votes per item in training; None: all votes.
            checkpoint: "best" or "last".
        """
        return self._index.get((method, K, checkpoint, quantity), {})

    def paired(
        self, first: str, second: str, quantity: str, *, K: int | None = None, checkpoint: str = "best"
    ) -> Paired:
        """The values of two methods on their shared seeds; empty if they have none."""
        return Paired.of(*(self.values(name, quantity, K=K, checkpoint=checkpoint) for name in (first, second)))

    def seeds(self, method: str, *, K: int | None = None) -> list[int]:
        """The seeds of the runs of a method."""
        return sorted(self.values(method, "soft_nll", K=K))

    def methods(self) -> tuple[str, ...]:
        """The methods of the plans, in their order."""
        from votewise.studies.plan import label

        return tuple(dict.fromkeys(label(method) for plan in self.plans.values() for method in plan.arms))

    def votes_per_item(self) -> tuple[int, ...]:
        """The numbers K of votes per item for which there are runs, ascending, without "all"."""
        return tuple(sorted({K for _, K, _, _ in self._index if K is not None}))

    def between(
        self, quantity: str, first: str, second: str | None = None, *, K: int | None = None, checkpoint: str = "best"
    ) -> dict[tuple[int, int], float]:
        """A number of a probe for pairs of runs, by their seeds: of one method, or of two different methods."""
        wanted = (first, second or first)
        found = {}
        for pair in self.pairs:
            if (pair.quantity, pair.checkpoint, pair.K) != (quantity, checkpoint, K):
                continue
            if pair.methods == wanted:
                found[pair.seeds] = pair.value
            elif pair.methods[::-1] == wanted:
                found[pair.seeds[::-1]] = pair.value
        return found

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
        """The curves of a probe, by method and seed; default: of every method, partner and K."""
        chosen = [
            curve
            for curve in self.curves
            if (curve.probe, curve.name, curve.checkpoint) == (probe, name, checkpoint)
            and (method is None or curve.method == method)
            and (other is None or curve.other == other)
            and (K is ANY or curve.K == K)
        ]
        return sorted(chosen, key=lambda curve: (curve.method, curve.other or "", curve.seed))

    def means(self, study: str) -> pl.DataFrame:
        """One row per K and method of a study, in the order of its plan: n, and mean and SD (n - 1) over seeds.

        The columns are `soft_nll_best_mean`, `soft_nll_best_sd`, the same for `soft_nll_last` and `accuracy_best`; K is null for all
        votes.
        """
        import polars as pl

        columns = [
            part.alias(f"{score}_{checkpoint}_{name}")
            for score, checkpoint in (("soft_nll", "best"), ("soft_nll", "last"), ("accuracy", "best"))
            for values in [pl.col("value").filter(quantity=score, checkpoint=checkpoint)]
            for name, part in (("mean", values.mean()), ("sd", values.std()))
        ]
        here = self.select(studies=[study])
        place = {name: n for n, name in enumerate(here.methods())}
        means = here.table.group_by("method", "K").agg(pl.col("seed").n_unique().alias("n"), *columns)
        return means.sort("K", pl.col("method").replace_strict(place, default=len(place)), "method", nulls_last=True)

    @cached_property
    def _index(self) -> dict[_Cell, dict[int, float]]:
        """The values of every cell by seed, with one pass over the table."""
        index = defaultdict[_Cell, dict[int, float]](dict)
        names = ("method", "K", "checkpoint", "quantity", "seed", "value")
        table = self.table.sort("seed")
        for *cell, seed, value in zip(*(table[name].to_list() for name in names), strict=True):
            index[tuple(cell)][seed] = value
        return dict(index)
