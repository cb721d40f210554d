"""What a rule says of a claim, with the numbers that stand beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from votewise.comparison.statistics.intervals import bootstrap_interval, effect_size, interval
from votewise.comparison.statistics.power import smallest_p
from votewise.comparison.statistics.wilcoxon import F64, Side, agreement, sign_flip, wilcoxon
from votewise.errors import VotewiseError
from votewise.wording import counted, listing

Outcome = Literal["reproduced", "contradicted", "undecided", "shown"]


@dataclass(frozen=True)
class Cell:
    """One comparison among several: what it says on its own, and its p after Holm's correction over all of them.

    In a claim of several parts a cell is a part, and there is no correction.
    """

    name: str
    outcome: Outcome
    n: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    holm: float | None = None
    agree: int | None = None
    seeds: int | None = None


@dataclass(frozen=True)
class Verdict:
    """What a rule says of a claim, and the numbers that stand beside it.

    why          one sentence
    n            seeds that all arms of the claim share
    mean         mean difference over seeds; low and high are the ends of its 95 % interval (t), None with too few seeds
    bootstrap    the same interval by resampling seeds
    effect       the mean in standard deviations of a difference
    p            of `test`: the paper's own where the caller names its side, else that of the rule
    flip_p       of the sign-flip permutation test on the mean, same side
    smallest_p   that n pairs can give in that test
    agree        seeds on the claimed side; where no side is claimed, on the side where more of them are
    seeds        that would decide, at this mean and this spread; None: no number would
    cells        the comparisons that it rests on, where there are several
    uncorrected  contradicted without Holm's correction, because n is too small for that to reject anything
    """

    outcome: Outcome
    why: str
    n: int = 0
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    bootstrap: tuple[float, float] | None = None
    effect: float | None = None
    p: float | None = None
    test: str = ""
    flip_p: float | None = None
    smallest_p: float | None = None
    agree: int | None = None
    seeds: int | None = None
    cells: tuple[Cell, ...] = ()
    uncorrected: bool = False

    @property
    def waits(self) -> bool:
        """Whether it is open only because runs or probes are not there."""
        return self.why.startswith("needs ")


@dataclass(frozen=True)
class Finding:
    """What a calculation says that needs no run: an outcome and a sentence with its numbers."""

    outcome: Literal["holds", "does not hold", "noted", "shown", "undecided"]
    why: str


def combine(parts: Mapping[str, Verdict]) -> Verdict:
    """A claim of several parts: contradicted if any is, reproduced if all are, else undecided.

    Parts that are only shown do not count.
    """
    voting = [part for part in parts.values() if part.outcome != "shown"]
    outcomes = {part.outcome for part in voting}
    outcome: Outcome = "undecided"
    if not voting:
        outcome = "shown"
    elif "contradicted" in outcomes:
        outcome = "contradicted"
    elif outcomes == {"reproduced"}:
        outcome = "reproduced"
    waiting = [part.seeds for part in voting if part.outcome in ("undecided", outcome)]
    known = [seeds for seeds in waiting if seeds is not None]
    return Verdict(
        outcome,
        _summary(parts),
        n=min((part.n for part in voting), default=0),
        seeds=max(known) if known and len(known) == len(waiting) else None,
        cells=tuple(_part(name, part) for name, part in parts.items()),
        uncorrected=outcome == "contradicted" and all(p.uncorrected for p in voting if p.outcome == outcome),
    )


def shown(values: ArrayLike, why: str) -> Verdict:
    """Numbers without a verdict: the mean of values [n] over seeds, its interval and its sign."""
    v, remark = finite(values)
    verdict = beside(v, "two-sided", None, "shown", why + remark)
    return replace(verdict, p=None, flip_p=None, test="", smallest_p=None)


def undecided(why: str, n: int = 0) -> Verdict:
    """No verdict, because what it needs is not there."""
    return Verdict("undecided", why, n=n)


def beside(
    d: F64,
    claimed: Side,
    side: Side | None,
    outcome: Outcome,
    why: str,
    *,
    seeds: int | None = None,
    cells: tuple[Cell, ...] = (),
    uncorrected: bool = False,
) -> Verdict:
    """A verdict with the numbers of differences [n] beside it, as far as n allows them."""
    n, side = len(d), side or claimed
    several, effect = n > 1, effect_size(d) if n > 1 else math.inf
    return Verdict(
        outcome,
        why,
        n=n,
        mean=float(d.mean()) if n else None,
        low=interval(d)[0] if several else None,
        high=interval(d)[1] if several else None,
        bootstrap=bootstrap_interval(d) if several else None,
        effect=effect if math.isfinite(effect) else None,
        p=wilcoxon(d, side) if n else None,
        test=f"exact paired Wilcoxon, {side if side == 'two-sided' else f'one-sided ({side})'}",
        flip_p=sign_flip(d, side) if n else None,
        smallest_p=smallest_p(n, 2 if side == "two-sided" else 1) if n else None,
        agree=agreement(d, claimed)[0] if n else None,
        seeds=seeds,
        cells=cells,
        uncorrected=uncorrected,
    )


def finite(values: ArrayLike) -> tuple[F64, str]:
    """The finite ones of values [n], and what to say of the others."""
    given = np.asarray(values, dtype=np.float64).reshape(-1)
    kept = given[np.isfinite(given)]
    return kept, _left_out(len(given) - len(kept))


def shared(cells: Mapping[str, ArrayLike]) -> tuple[list[str], F64, str]:
    """Names [m], the values [m, n] of the seeds that have a finite one in every cell, and what to say of the other seeds."""
    rows = [np.asarray(values, dtype=np.float64).reshape(-1) for values in cells.values()]
    sizes = sorted({len(row) for row in rows})
    if len(sizes) != 1:
        raise VotewiseError(
            f"cells with {listing(sizes) or 'no'} seeds cannot be compared",
            remedy="give one cell or more, each with the seeds that all of them share",
        )
    table = np.stack(rows)
    kept = np.isfinite(table).all(axis=0)
    return list(cells), table[:, kept], _left_out(int((~kept).sum()))


def _left_out(seeds: int) -> str:
    return f"; {counted(seeds, 'seed')} without a finite value left out" if seeds else ""


def _part(name: str, part: Verdict) -> Cell:
    return Cell(name, part.outcome, part.n, part.mean, part.low, part.high, part.p, agree=part.agree, seeds=part.seeds)


def _summary(parts: Mapping[str, Verdict]) -> str:
    if len(parts) <= 3:
        return "; ".join(f"{name}: {part.outcome}, {part.why}" for name, part in parts.items())
    return "; ".join(_by_outcome(parts))


def _by_outcome(parts: Mapping[str, Verdict]) -> Sequence[str]:
    names: dict[str, list[str]] = {}
    for name, part in parts.items():
        names.setdefault(part.outcome, []).append(name)
    return [f"{len(some)} {outcome} ({', '.join(some)})" for outcome, some in names.items()]
