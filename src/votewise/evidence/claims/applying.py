"""The rules on the cells of a part of a claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from votewise.comparison.statistics.trend import MOST_ARMS
from votewise.comparison.statistics.wilcoxon import holm, wilcoxon
from votewise.evidence.claims.lacking import seeds_there
from votewise.evidence.claims.measures import cell_name, cells, columns, every_difference, sign
from votewise.evidence.claims.quoting import printed
from votewise.evidence.claims.rows import Part
from votewise.evidence.claims.rules import (
    LEVEL,
    all_cells,
    combine,
    count,
    direction,
    equivalent,
    monotone,
    number,
    shown,
    undecided,
)
from votewise.evidence.claims.verdict import Verdict
from votewise.evidence.runs import Runs, aligned, shared_seeds
from votewise.wording import counted

Margins = Mapping[str, float]  # by score
MOST = 6  # things that a sentence names


def together(found: Mapping[str, Verdict]) -> Verdict:
    """Several verdicts as one; of many, a sentence names those that are not as claimed."""
    if len(found) == 1:
        return next(iter(found.values()))
    verdict = combine(found)
    if len(found) <= 3 or verdict.outcome == "shown":
        return verdict
    by_outcome: dict[str, list[str]] = {}
    for name, each in found.items():
        by_outcome.setdefault(each.outcome, []).append(name)
    told = [f"{len(by_outcome.pop('reproduced', []))} of {len(found)} reproduced"]
    for outcome, names in by_outcome.items():
        more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
        told.append(f"{len(names)} {outcome} ({', '.join(names[:MOST])}{more})")
    needs = dict.fromkeys(each.why for each in found.values() if each.waits)
    return replace(verdict, why="; ".join([*told, *list(needs)[:2]]))


def _direction(part: Part, runs: Runs, margin: Margins) -> Verdict:
    (differences,) = _shared(part, runs).values()
    verdict = direction(differences)
    if part.interval == "resampling" and verdict.bootstrap:
        return replace(verdict, low=verdict.bootstrap[0], high=verdict.bootstrap[1])
    return verdict


def _all(part: Part, runs: Runs, margin: Margins) -> Verdict:
    return all_cells(_shared(part, runs))


def _each(part: Part, runs: Runs, margin: Margins) -> Verdict:
    """Direction in each cell for itself; Holm's correction over them and, of few, the two-sided p are told."""
    given = _shared(part, runs)
    found = together({name: direction(d, family=len(given)) for name, d in given.items()})
    if not found.n or len(given) == 1:
        return found
    p = [cell.p for cell in found.cells if cell.p is not None]
    told = f"{found.why}; after Holm {int((holm(p) <= LEVEL).sum())} of {counted(len(given), 'cell')} pass"
    if len(given) <= MOST:
        told += f"; two-sided p: {', '.join(f'{name} {wilcoxon(d):.3g}' for name, d in given.items())}"
    some = tuple(replace(cell, holm=float(q)) for cell, q in zip(found.cells, holm(p), strict=True))
    return replace(found, cells=some, why=told)


def _equivalent(part: Part, runs: Runs, margin: Margins) -> Verdict:
    if part.K == "end" and None in runs.results.sweep:
        return Verdict("shown", "the sweep is nested: all votes are its end", n=seeds_there(part, runs))
    every = every_difference(part, runs)
    scores = {cell_name(each, every, runs.results): each.score for each in every}
    found = {
        name: _one_side(part, equivalent(d, part.margin or margin[scores.get(name, part.scores[0])]))
        for name, d in _shared(part, runs).items()
    }
    return together(found)


def _one_side(part: Part, verdict: Verdict) -> Verdict:
    """Where one side of the margin alone contradicts, the other leaves it undecided."""
    if verdict.outcome != "contradicted" or part.contradicts not in ("higher", "lower"):
        return verdict
    higher = verdict.mean is not None and verdict.mean > 0
    if higher is (part.contradicts == "higher"):
        return verdict
    return replace(verdict, outcome="undecided", why=f"{verdict.why}, on the side that does not contradict")


def _number(part: Part, runs: Runs, margin: Margins) -> Verdict:
    (values,) = _shared(part, runs).values()
    return number(values, above=part.above, below=part.below, against=part.contradicted_below)


def _monotone(part: Part, runs: Runs, margin: Margins) -> Verdict:
    arms = aligned(columns(part, runs))[1]
    if not 2 <= len(arms) <= MOST_ARMS:
        return undecided(f"needs 2 to {MOST_ARMS} columns for a trend")
    return monotone(arms, falling=part.claim == "decreasing")


def _count(part: Part, runs: Runs, margin: Margins) -> Verdict:
    given = _shared(part, runs)
    at_least = part.at_least if len(given) == part.of else -(-part.at_least * len(given) // part.of)
    return count(given, at_least, published=_published_effects(part, runs))


def _not_worse(part: Part, runs: Runs, margin: Margins) -> Verdict:
    """Not worse than the better of the arms it is compared with, by the margin: one-sided 95 % intervals."""
    every = every_difference(part, runs)
    alone = [replace(each, other=None) for each in every]
    rivals: dict[str, list[list[float]]] = {}
    seeds = shared_seeds(every.values())
    for each, values in zip(alone, every.values(), strict=True):
        rivals.setdefault(cell_name(each, alone, runs.results), []).append([values[seed] for seed in seeds])
    bound = part.margin or margin[part.scores[0]]
    return together({name: number(max(some, key=sum), below=bound, level=0.9) for name, some in rivals.items()})


def _show(part: Part, runs: Runs, margin: Margins) -> Verdict:
    given = _shared(part, runs)
    found = {
        name: shown(values, f"mean {np.mean(values):.3g}" if values else "no shared seed")
        for name, values in given.items()
    }
    if len(found) == 1:
        return next(iter(found.values()))
    told = "; ".join(f"{name}: {each.why}" for name, each in found.items())
    return replace(combine(found), n=min(each.n for each in found.values()), why=told)


def _shared(part: Part, runs: Runs) -> dict[str, list[float]]:
    return aligned(cells(part, runs))[1]


def _published_effects(part: Part, runs: Runs) -> dict[str, float]:
    """By cell, the published improvement; none where sizes cannot be compared."""
    if not runs.results.comparable:
        return {}
    every, found = every_difference(part, runs), {}
    for each in every:
        first, second = (printed(arm, each.score) if arm else None for arm in (each.arm, each.other))
        if first and second and first.mean is not None and second.mean is not None:
            found[cell_name(each, every, runs.results)] = sign(part, each.score) * (first.mean - second.mean)
    return found


RULES: dict[str, Callable[[Part, Runs, Margins], Verdict]] = {
    "DIR": _direction, "ALL": _all, "EACH": _each, "EQ": _equivalent, "NUM": _number, "MONO": _monotone, "COUNT": _count,
    "NOT-WORSE": _not_worse, "SHOW": _show,
}  # fmt: skip
