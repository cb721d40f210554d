"""A verdict on every claim of a paper: at the best checkpoint, and again at the last."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.papers.claims.verdict import Outcome, Verdict
from votewise.papers.claims.view import Asked, View
from votewise.papers.claims.worlds import Worlds, chance
from votewise.studies import Needs, NeedsError, label
from votewise.wording import listing

if TYPE_CHECKING:
    from votewise.papers.claims.claim import Claim, Claims, Decide
    from votewise.studies import Results

Arm = tuple[str, int | None]  # method, K
FIRST: tuple[Outcome, ...] = ("contradicted", "undecided", "reproduced", "shown")  # order of display
NAMED = 3  # maximum number of needs listed in a reason


@dataclass(frozen=True)
class Size:
    """The mean of a quantity over all seeds of a method, as in tables, and the published mean; on one dataset, if the claim is about several."""

    dataset: str | None
    method: str
    K: int | None
    quantity: str
    n: int
    mean: float
    sd: float | None
    published: float | None


@dataclass(frozen=True)
class LeftOut:
    """Missing runs of a claim that a plan contains; their seeds are left out."""

    dataset: str | None
    method: str
    K: int | None
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Decision:
    """A claim with its verdict.

    Attributes:
        claim: the claim.
        verdict: the verdict at the best checkpoint.
        last: the verdict at the last checkpoint; None if not applicable.
        aside: verdicts that are shown with it and do not affect it.
        chance: the probability that the claim is reproduced with these seeds if the paper is right; None if the paper does not report a spread.
        sizes: means over all seeds of each method.
        comparable: whether sizes are comparable with the published ones: same data and same recipe.
        left_out: missing runs.
    """

    claim: Claim
    verdict: Verdict
    last: Verdict | None
    aside: dict[str, Verdict]
    chance: float | None
    sizes: tuple[Size, ...]
    comparable: bool
    left_out: tuple[LeftOut, ...]

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def outcome(self) -> Outcome:
        return self.verdict.outcome

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        about = ("id", "kind", "section", "statement", "where", "how", "note", "beside", "composed_of")
        return {
            **{name: getattr(self.claim, name) for name in about},
            "published": self.claim.in_print,
            "outcome": self.outcome,
            "verdict": self.verdict.as_dict(),
            "last": self.last.as_dict() if self.last else None,
            "aside": {name: part.as_dict() for name, part in self.aside.items()},
            "chance": self.chance,
            "sizes": [vars(size) for size in self.sizes],
            "comparable": self.comparable,
            "left_out": [vars(run) for run in self.left_out],
        }


def decide(claims: Claims, results: Results, *, only: Collection[str] = ()) -> list[Decision]:
    """A verdict on every claim of a paper.

    Args:
        claims: the claims of a paper.
        results: the results of the runs. Claims about one dataset need results on one dataset: `results.select(dataset=…)`.
        only: ids of claims; default: all.

    Returns:
        The decisions, in the order of the claims.

    Raises:
        VotewiseError: if the results have several datasets and the claims are about one.
    """
    if len(results.datasets) > 1 and not claims.across_datasets:
        raise VotewiseError(
            f"the claims of {claims.paper!r} are about one dataset, but the results have {len(results.datasets)}",
            remedy=f"choose one with results.select(dataset=…): {listing(results.datasets)}",
        )
    worlds, comparable = Worlds(results, claims.printed), claims.comparable(results)
    parts = {name: results.by_dataset[name] if name else results for name in (None, *results.datasets)}
    planned = {dataset: _planned(part) for dataset, part in parts.items()}

    def decision(claim: Claim) -> Decision:
        best, last = View(results, sweep=claims.sweep), View(results, "last", sweep=claims.sweep)
        verdict, at_the_end = evaluate(claim, best), evaluate(claim, last)
        something = bool(last.asked) and not at_the_end.waits and (at_the_end.n or any(c.n for c in at_the_end.cells))
        return Decision(
            claim=claim,
            verdict=verdict,
            last=at_the_end if something else None,
            aside={name: evaluate(aside, View(results, sweep=claims.sweep)) for name, aside in claim.asides.items()},
            chance=chance(claim, worlds) if best.asked and claim.kind == "claim" else None,
            sizes=tuple(_sizes(claims, best.asked, parts)),
            comparable=comparable,
            left_out=tuple(_left_out(best.asked, parts, planned)),
        )

    return [decision(claim) for claim in claims if not only or claim.id in only]


def evaluate(claim: Claim | Decide, view: View) -> Verdict:
    """The verdict of a claim on a view of results; undecided if something is missing."""
    try:
        verdict = claim(view)
    except NeedsError as error:
        verdict = Verdict(outcome="undecided")
        view.needs.update(dict.fromkeys(error.needs))
    if not view.needs:
        return verdict
    needs = _merged(view.needs)
    more = f" and {len(needs) - NAMED} more" if len(needs) > NAMED else ""
    reason = f"needs {'; '.join(map(str, needs[:NAMED]))}{more}"
    return replace(verdict, outcome="undecided", reason=reason, needs=needs, against=None, seeds=None)


def _merged(needs: Iterable[Needs]) -> tuple[Needs, ...]:
    """Merge needs that differ only in the method."""
    methods: dict[Needs, list[str]] = {}
    for need in needs:
        methods.setdefault(replace(need, methods=()), []).extend(need.methods)
    return tuple(replace(need, methods=tuple(dict.fromkeys(names))) for need, names in methods.items())


def by_outcome(decisions: Iterable[Decision]) -> list[Decision]:
    """Sort by outcome: contradicted, undecided, reproduced, shown; claims that wait for runs or probes are last."""
    return sorted(decisions, key=lambda decision: (decision.verdict.waits, FIRST.index(decision.outcome)))


def counts(decisions: Sequence[Decision]) -> dict[str, dict[Outcome, int]]:
    """The number of claims with each outcome: in total under "", and by section. Composed claims are not counted again."""
    counted = [(decision.claim.section, decision.outcome) for decision in decisions if decision.claim.counts]
    totals = Counter([*counted, *(("", outcome) for _, outcome in counted)])
    sections = ("", *dict.fromkeys(section for section, _ in counted))
    return {section: {outcome: totals[section, outcome] for outcome in FIRST} for section in sections}


def _sizes(claims: Claims, asked: Iterable[Asked], parts: Mapping[str | None, Results]) -> Iterable[Size]:
    for dataset, method, k, quantity in asked:
        values = list(parts[dataset].values(method, quantity, K=k).values())
        if values:
            printed = claims.printed(method, k, quantity)
            sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
            yield Size(
                dataset, method, k, quantity, len(values), float(np.mean(values)), sd, printed[0] if printed else None
            )


def _planned(results: Results) -> dict[Arm, set[int]]:
    """The seeds of the plans, by method and K."""
    planned = defaultdict[Arm, set[int]](set)
    for plan in results.plans.values():
        for arm, k in product(plan.arms, plan.votes_per_item):
            planned[label(arm), None if k == "all" else k].update(plan.seeds)
    return planned


def _left_out(
    asked: Iterable[Asked], parts: Mapping[str | None, Results], planned: Mapping[str | None, Mapping[Arm, set[int]]]
) -> Iterable[LeftOut]:
    """Seeds of the plans with missing runs of a method and K."""
    for dataset, method, k in dict.fromkeys(place[:3] for place in asked):
        there = parts[dataset].seeds(method, K=k)
        missing = sorted(planned[dataset].get((method, k), set()) - set(there))
        if missing and there:
            yield LeftOut(dataset, method, k, tuple(missing))
