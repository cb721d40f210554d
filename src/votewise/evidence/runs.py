"""The numbers of runs by seed: scores, what probes found, and what follows from those, looked up quickly."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from votewise.probes import reliability_gap as curve_gap
from votewise.profile.interpolation import TO_SHARES, relative_excess

if TYPE_CHECKING:
    from votewise.evidence.results import Results

Values = dict[int, float]  # by seed


@dataclass(frozen=True)
class Arm:
    """The runs of a method in a study, with so many votes per item (None: all of them)."""

    study: str
    method: str
    K: int | None = None


class Runs:
    """The runs of results at a checkpoint; the table is read once."""

    def __init__(self, results: Results, checkpoint: str = "best") -> None:
        self.results, self.checkpoint = results, checkpoint
        self._columns: dict[str, list[Any]] = {}
        self._rows: dict[tuple[Arm, str], dict[int, int]] = defaultdict(dict)
        studies = defaultdict(list)
        for study, ids in results.members.items():
            for id in ids:
                studies[id].append(study)
        columns = (results.table[name].to_list() for name in ("id", "method", "K", "seed", "checkpoint"))
        for row, (id, method, k, seed, at) in enumerate(zip(*columns, strict=True)):
            for study in studies[id]:
                self._rows[Arm(study, method, k), at][seed] = row

    def at(self, checkpoint: str) -> Runs:
        """The same runs at another checkpoint."""
        other = object.__new__(Runs)
        other.__dict__ = self.__dict__ | {"checkpoint": checkpoint}
        return other

    def seeds(self, arm: Arm) -> list[int]:
        """The seeds of an arm."""
        return sorted(self._rows.get((arm, self.checkpoint), ()))

    def values(self, arm: Arm, score: str) -> Values:
        """A score, or the number of a probe, by seed; seeds without it are left out."""
        if score in DERIVED:
            return DERIVED[score](self, arm)
        if score not in self._columns:
            table = self.results.table
            self._columns[score] = table[score].to_list() if score in table.columns else [None] * len(table)
        column = self._columns[score]
        found = {seed: column[row] for seed, row in sorted(self._rows.get((arm, self.checkpoint), {}).items())}
        return {seed: float(value) for seed, value in found.items() if value is not None and not math.isnan(value)}


def shared_seeds(some: Iterable[Mapping[int, float]]) -> list[int]:
    """Seeds that every one of them has."""
    sets = [set(values) for values in some]
    return sorted(set.intersection(*sets)) if sets else []


def mean(some: Iterable[Values]) -> Values:
    """Per shared seed, the mean.

    >>> mean([{1: 0.0, 2: 3.0}, {2: 5.0}])
    {2: 4.0}
    """
    every = list(some)
    return {seed: sum(values[seed] for values in every) / len(every) for seed in shared_seeds(every)}


def subtract(first: Values, second: Values) -> Values:
    """Per shared seed, the difference."""
    return {seed: first[seed] - second[seed] for seed in shared_seeds((first, second))}


def aligned(cells: Mapping[str, Values]) -> tuple[list[int], dict[str, list[float]]]:
    """The seeds that all cells share, and the values of each there."""
    seeds = shared_seeds(cells.values())
    return seeds, {name: [values[seed] for seed in seeds] for name, values in cells.items()}


# --- what follows from other numbers ---------------------------------------------------------------------------------


def reliability_gap(runs: Runs, arm: Arm) -> Values:
    """Mean distance between the smooth reliability curves of an arm and of soft labels, by how often a confidence occurs."""
    curves = [_curves(runs, method, arm.K) for method in (arm.method, "soft")]
    seeds = shared_seeds((dict.fromkeys(runs.seeds(arm), 0.0), *curves))
    found = {seed: curve_gap(*(by_seed[seed] for by_seed in curves)) for seed in seeds}
    return {seed: value for seed, value in found.items() if not math.isnan(value)}


def soft_nll_rise(runs: Runs, arm: Arm) -> Values:
    """How much higher soft NLL is at the last epoch than at its best, relative to its best."""
    best, last = (runs.at(checkpoint).values(arm, "soft_nll") for checkpoint in ("best", "last"))
    return {seed: last[seed] / best[seed] - 1 for seed in shared_seeds((best, last))}


def excess_last(runs: Runs, arm: Arm) -> Values:
    """How far the training loss is above the entropy of the targets at the last epoch, for methods whose expected target is the vote share."""
    if arm.method not in TO_SHARES:
        return {}
    last = runs.at("last")
    return subtract(last.values(arm, "train_loss"), last.values(arm, "target_entropy"))


def excess_last_relative(runs: Runs, arm: Arm) -> Values:
    """The same as a share of the excess of uniform predictions."""
    excess, entropy, classes = (runs.values(arm, name) for name in ("excess_last", "target_entropy", "num_classes"))
    seeds = shared_seeds((excess, entropy, classes))
    return {seed: relative_excess(excess[seed], entropy[seed], int(classes[seed])) for seed in seeds}


def _curves(runs: Runs, method: str, k: int | None) -> dict[int, Any]:
    drawn = runs.results.drawn("reliability", "smooth", method=method, K=k, checkpoint=runs.checkpoint)
    return {curve.seed: curve.data for curve in drawn}


DERIVED: dict[str, Callable[[Runs, Arm], Values]] = {
    made.__name__: made for made in (reliability_gap, soft_nll_rise, excess_last, excess_last_relative)
}
