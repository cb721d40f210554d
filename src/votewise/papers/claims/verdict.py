"""The verdict of a rule on a claim, with its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.comparison.statistics import (
    FEWEST,
    Side,
    Sides,
    agreement,
    bootstrap_interval,
    effect_size,
    interval,
    sign_flip,
    smallest_p,
    swap_interval,
    wilcoxon,
)
from votewise.papers.claims.values import F64, Values
from votewise.studies import Needs
from votewise.wording import counted

Outcome = Literal["reproduced", "contradicted", "undecided", "shown"]
LEVEL = 0.05
MOST_NAMED = 6  # maximum number of cells listed in a reason
Cells = Mapping[str, Values]  # by the name of the cell


@dataclass(frozen=True, eq=False)
class Ruling:
    """The decision of a rule, in one world or in many worlds at once.

    Attributes:
        holds: [...] whether the data show what is claimed.
        against: [...] the p-value of the opposite, corrected for all cells and parts; at most 0.05 contradicts.
    """

    holds: NDArray[np.bool_]
    against: F64

    @property
    def contradicted(self) -> NDArray[np.bool_]:
        """[...] the worlds in which the claim is contradicted."""
        return np.asarray(self.against <= LEVEL)

    @property
    def reproduced(self) -> NDArray[np.bool_]:
        """[...] the worlds in which the claim is reproduced."""
        return np.asarray(self.holds & ~self.contradicted)

    @property
    def outcome(self) -> Outcome:
        """The outcome in a single world."""
        return "contradicted" if bool(self.contradicted) else "reproduced" if bool(self.holds) else "undecided"


@dataclass(frozen=True)
class Cell:
    """A single comparison of several.

    Attributes:
        outcome: its outcome alone.
        mean: the mean over seeds; low and high are the ends of its 95 % interval.
        p: p-value of the test in the claimed direction; holm: after Holm's correction over all cells.
        agree: the number of seeds on the claimed side.
        seeds: the number of seeds with which it would be decided, after Holm's correction.
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


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict of a rule on a claim.

    Attributes:
        outcome: reproduced, contradicted, undecided, or shown if there is nothing to decide.
        reason: one clause with the numbers.
        needs: runs and probes that are missing; the claim waits for them.
        n: number of seeds shared by all methods of the claim.
        mean: mean difference over seeds; low and high are the ends of its 95 % interval, None with too few seeds.
        bootstrap: the same interval by resampling seeds.
        effect: the mean in standard deviations of a difference.
        p: p-value of `test`.
        against: p-value of the opposite of the claim, corrected for all cells and parts; at most 0.05 contradicts.
        flip_p: p-value of the sign-flip permutation test on the mean, on the same side.
        smallest_p: the smallest p that n pairs can give.
        agree: number of seeds on the claimed side; if no side is claimed, on the larger side.
        seeds: number of seeds that would decide, with this mean and spread; None if no number would.
        cells: its comparisons, if there are several.
        parts: the verdicts that it combines, by name.
        numbers: other computed numbers, by name.
        ruling: the decision as arrays; None if there is no decision.
    """

    outcome: Outcome
    reason: str = ""
    needs: tuple[Needs, ...] = ()
    n: int = 0
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    bootstrap: tuple[float, float] | None = None
    effect: float | None = None
    p: float | None = None
    test: str = ""
    against: float | None = None
    flip_p: float | None = None
    smallest_p: float | None = None
    agree: int | None = None
    seeds: int | None = None
    cells: tuple[Cell, ...] = ()
    parts: Mapping[str, Verdict] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)
    ruling: Ruling | None = field(default=None, repr=False, compare=False)

    @property
    def waits(self) -> bool:
        """Whether it is undecided only because runs or probes are missing."""
        return bool(self.needs)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        plain = asdict(replace(self, ruling=None, parts={}, needs=()))
        del plain["ruling"]
        return plain | {
            "needs": [str(needs) for needs in self.needs],
            "parts": {name: part.as_dict() for name, part in self.parts.items()},
        }


def simulated(ruling: Ruling) -> Verdict:
    """The verdict in many worlds at once, which is only its ruling."""
    return Verdict(outcome="undecided", ruling=ruling)


def ruled(verdict: Verdict, ruling: Ruling, **changes: Any) -> Verdict:
    """A verdict with another ruling; in many worlds at once, only the ruling."""
    return (
        simulated(ruling)
        if np.ndim(ruling.holds)
        else replace(verdict, outcome=ruling.outcome, ruling=ruling, **changes)
    )


def no_ruling() -> Ruling:
    """A ruling without a decision, for example because there are too few seeds."""
    return Ruling(np.asarray(False), np.asarray(1.0))


def ruling_of(n: int, holds: ArrayLike, against: ArrayLike) -> Ruling:
    """A ruling, if there are enough seeds."""
    if n < FEWEST:
        return Ruling(np.zeros_like(holds, dtype=bool), np.ones_like(against))
    return Ruling(np.asarray(holds, dtype=bool), np.asarray(against))


def decided(
    values: Values, holds: ArrayLike, against: ArrayLike, reason: Callable[[], str], side: Side, **more: Any
) -> Verdict:
    """A verdict with the numbers of values [n], as far as n allows; in simulated worlds, only the ruling.

    Args:
        values: [..., n]; positive means as claimed, unless two-sided.
        holds: [...] whether the data show what is claimed.
        against: [...] the p-value of the opposite.
        reason: function that returns the reason, called if there are enough seeds for a verdict.
        side: side of the reported numbers.
        **more: fields of the verdict; functions are called only if they are needed.
    """
    n = len(values)
    ruling = ruling_of(n, holds, against)
    if many(values):
        return simulated(ruling)
    words = too_few(n) if n < FEWEST else reason()
    if values.lost:
        words += (
            f"; {counted(values.lost, 'seed')} without a finite number {'is' if values.lost == 1 else 'are'} left out"
        )
    fields = {name: field() if callable(field) else field for name, field in more.items()}
    p = float(ruling.against)
    return replace(beside(values, side), outcome=ruling.outcome, reason=words, against=p, ruling=ruling, **fields)


def beside(values: Values, side: Side) -> Verdict:
    """The numbers of values [n] without a verdict."""
    d, n = values.numbers, len(values)
    if not n:
        return Verdict(outcome="shown")
    sides: Sides = 2 if side == "two-sided" else 1
    low, high = ((swap_interval(d) if values.swaps else interval(d)) or (None, None)) if n > 1 else (None, None)
    effect = effect_size(d) if n > 1 else math.inf
    return Verdict(
        outcome="shown",
        n=n,
        mean=float(d.mean()),
        low=low,
        high=high,
        bootstrap=bootstrap_interval(d) if n > 1 and not values.swaps else None,
        effect=effect if math.isfinite(effect) else None,
        p=(sign_flip if values.swaps else wilcoxon)(d, side),
        test=f"exact {'run-swap permutation' if values.swaps else 'paired Wilcoxon'}, {'two' if sides == 2 else 'one'}-sided",
        flip_p=sign_flip(d, side),
        smallest_p=smallest_p(n, sides),
        agree=agreement(d, side)[0],
    )


def too_few(n: int) -> str:
    """The reason why there are too few seeds for a verdict."""
    return f"a verdict needs at least {FEWEST} shared seeds, and there {'is' if n == 1 else 'are'} {n}"


def span(low: float, high: float) -> str:
    """An interval as text."""
    return f"[{low:.3g}, {high:.3g}]"


def many(values: Values) -> bool:
    """Whether there are simulated worlds."""
    return values.numbers.ndim > 1


def listed(names: Sequence[str]) -> str:
    """The first few of some names."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more
