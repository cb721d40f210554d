"""Combined verdicts, and verdicts that need no test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from votewise.comparison import sentence
from votewise.papers.claims.values import F64, Values
from votewise.papers.claims.verdict import (
    LEVEL,
    Cell,
    Cells,
    Outcome,
    Ruling,
    Verdict,
    beside,
    listed,
    many,
    ruled,
    simulated,
)


def all_of(parts: Mapping[str, Verdict]) -> Verdict:
    """Reproduced if every part is; contradicted if one part is, after Holm's correction over the parts. Parts that are only shown do not count."""
    return _together(parts, lambda against: np.asarray(len(against) * against.min(axis=0)))


def composed(parts: Mapping[str, Verdict]) -> Verdict:
    """Claims that are counted separately: reproduced if all are, contradicted if one is."""
    return _together(parts, lambda against: np.asarray(against.min(axis=0)))


def both_outcomes(majority: Verdict, votes: Verdict) -> Verdict:
    """A claim about calibration with the majority and with the vote share as the outcome: decided only if both agree."""
    found = _together({"majority": majority, "vote share": votes}, lambda against: np.asarray(against.max(axis=0)))
    if _decides(majority) and _decides(votes) and majority.outcome != votes.outcome and not found.waits:
        reason = f"{majority.outcome} against the majority, {votes.outcome} against the vote share"
        return replace(found, reason=f"{sentence(reason)} {found.reason}" if found.reason else reason)
    return found


def agreeing(parts: Mapping[str, Verdict]) -> Verdict:
    """Claims that should point in the same direction: reproduced if all are, contradicted if they point in opposite directions."""
    found = composed(parts)
    holds, against = _rulings(parts)
    for_it, against_it = holds & (against > LEVEL), against <= LEVEL
    opposite = for_it.any(axis=0) & against_it.any(axis=0)
    return ruled(found, Ruling(np.asarray(for_it.all(axis=0)), np.where(opposite, 0.0, 1.0)), against=None)


def _rulings(parts: Mapping[str, Verdict]) -> tuple[NDArray[np.bool_], F64]:
    """Whether each part holds [parts, ...], and the p-value against each [parts, ...]."""
    rulings = [part.ruling for part in parts.values() if part.ruling is not None]
    return (
        np.stack(np.broadcast_arrays(*(ruling.holds for ruling in rulings))),
        np.stack(np.broadcast_arrays(*(ruling.against for ruling in rulings))),
    )


def _together(parts: Mapping[str, Verdict], correct: Callable[[F64], F64]) -> Verdict:
    if len(parts) == 1:
        return next(iter(parts.values()))
    if not any(map(_decides, parts.values())):
        return replace(_summary(parts), outcome="shown")
    holds, against = _rulings(parts)
    p = np.asarray(np.minimum(correct(against), 1.0))
    ruling = Ruling(np.asarray(np.all(holds, axis=0)), p)
    return simulated(ruling) if p.ndim else ruled(_summary(parts), ruling, against=float(p))


def _summary(parts: Mapping[str, Verdict]) -> Verdict:
    deciding = [part for part in parts.values() if _decides(part)] or list(parts.values())
    open_ = [part.seeds for part in deciding if part.outcome == "undecided"] or [part.seeds for part in deciding]
    cells = tuple(
        Cell(name, part.outcome, part.n, part.mean, part.low, part.high, part.p, None, part.agree, part.seeds)
        for name, part in parts.items()
    )
    n, seeds = min(part.n for part in deciding), None if None in open_ else max(s for s in open_ if s is not None)
    reason = _summary_reason(parts)
    return Verdict(outcome="undecided", reason=reason, n=n, seeds=seeds, cells=cells, parts=dict(parts))


def _summary_reason(parts: Mapping[str, Verdict]) -> str:
    if all(part.outcome == "shown" for part in parts.values()):
        return "; ".join(f"{name}: {part.reason}" for name, part in parts.items())
    if len(parts) <= 3:
        return " ".join(
            f"{sentence(f'{name}: {part.outcome}')} {sentence(part.reason)}" for name, part in parts.items()
        )
    names: dict[str, list[str]] = {}
    for name, part in parts.items():
        names.setdefault(part.outcome, []).append(name)
    done = len(names.pop("reproduced", []))
    return "; ".join(
        [f"{done} of {len(parts)} parts {'is' if done == 1 else 'are'} reproduced"]
        + [
            f"{len(some)} {'is' if len(some) == 1 else 'are'} {outcome} ({listed(some)})"
            for outcome, some in names.items()
        ]
    )


def shown(values: Values | Cells) -> Verdict:
    """The mean of values, or of several by name, with its interval; no verdict."""
    if isinstance(values, Mapping):
        return all_of({name: shown(some) for name, some in values.items()})
    values = values.finite()
    if many(values):
        return Verdict(outcome="shown")
    found = beside(values, "two-sided")
    reason = f"mean {found.mean:.3g}" if found.mean is not None else "no shared seeds"
    return replace(found, reason=reason, p=None, flip_p=None, test="", smallest_p=None)


def verdict(outcome: Outcome, reason: str, **numbers: float) -> Verdict:
    """A verdict from a calculation."""
    ruling = Ruling(np.asarray(outcome == "reproduced"), np.asarray(0.0 if outcome == "contradicted" else 1.0))
    return Verdict(outcome=outcome, reason=reason, numbers=numbers, ruling=None if outcome == "shown" else ruling)


def holds(condition: bool, reason: str, **numbers: float) -> Verdict:
    """A verdict from a calculation that holds or does not hold."""
    return verdict("reproduced" if condition else "contradicted", reason, **numbers)


def _decides(part: Verdict) -> bool:
    return part.ruling is not None
