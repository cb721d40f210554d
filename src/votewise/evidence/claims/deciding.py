"""A verdict on every claim: its parts are measured, held against their rules, and put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from votewise.evidence.claims.applying import RULES, together
from votewise.evidence.claims.lacking import asked_of, lacking, left_out, seeds_there
from votewise.evidence.claims.quoting import printed, quote
from votewise.evidence.claims.rows import Claim, Decision, Part, Size, claims, margins, sections
from votewise.evidence.claims.rules import combine, undecided
from votewise.evidence.claims.special import SPECIAL
from votewise.evidence.claims.verdict import Finding, Outcome, Verdict
from votewise.evidence.results import Results

__all__ = ["FIRST", "Decision", "by_outcome", "calculated", "counts", "decide"]

FIRST: tuple[Outcome, ...] = (
    "contradicted",
    "undecided",
    "reproduced",
    "shown",
)  # the order in which people should look


def decide(
    results: Results,
    *,
    only: Collection[str] = (),
    findings: Mapping[str, Finding] | None = None,
    margin: Mapping[str, float] | None = None,
) -> tuple[Decision, ...]:
    """A verdict on every row of `claims()`, in their order.

    only      ids of rows, every one unless given
    findings  what is calculated without any run, by id: `identities()` and `arithmetic()` unless given
    margin    by score, the largest difference that does not matter, where it is not that of `margins()`
    """
    findings = calculated() if findings is None else findings
    judge = _Judge(results, findings, {**margins(), **(margin or {})})
    return tuple(judge.decision(row) for row in claims() if not only or row.id in only)


def by_outcome(decisions: Sequence[Decision]) -> list[Decision]:
    """What contradicts first, then what is undecided, what is reproduced, what is only shown; at the end what these runs cannot speak of."""
    return sorted(decisions, key=lambda each: (each.verdict.waits, FIRST.index(each.outcome)))


def counts(decisions: Sequence[Decision]) -> dict[str, dict[Outcome, int]]:
    """How many claims have each outcome: in all, under "", and by the title of the section. Only rows of kind claim."""
    found: dict[str, dict[Outcome, int]] = {}
    for title in ("", *sections().values()):
        some = Counter(
            d.outcome for d in decisions if d.claim.kind == "claim" and title in ("", sections()[d.claim.section])
        )
        if some:
            found[title] = {outcome: some[outcome] for outcome in FIRST}
    return found


@cache
def calculated() -> Mapping[str, Finding]:
    """What needs no run: identities on the example's votes, and arithmetic on the published numbers."""
    from votewise.evidence.claims.arithmetic import arithmetic
    from votewise.evidence.claims.identities import identities

    return {**identities(), **arithmetic()}


# --- putting parts together ------------------------------------------------------------------------------------------


class _Judge:
    """Decides claims on results; each claim once at a checkpoint, as claims rest on claims."""

    def __init__(self, results: Results, findings: Mapping[str, Finding], margin: Mapping[str, float]) -> None:
        self.runs, self.findings, self.margin = results.runs, findings, margin
        self.rows = {row.id: row for row in claims()}
        self._known: dict[tuple[str, str], Verdict] = {}

    def decision(self, row: Claim) -> Decision:
        """A claim with its verdict and what stands beside it."""
        results = self.runs.results
        voting, aside = ([part for part in row.parts if part.shown is shown] for shown in (False, True))
        last = self.verdict(row, "last") if any(part.rule not in ("MATH", "ARITH") for part in voting) else None
        return Decision(
            claim=row,
            verdict=self.verdict(row, "best"),
            last=last if last and (last.n or any(cell.n for cell in last.cells)) else None,
            parts={part.name or part.rule: self.part(row, part, "best") for part in voting} if len(voting) > 1 else {},
            aside={part.name or part.rule: self.part(row, part, "best") for part in aside},
            published="; ".join([*map(quote, row.published), *([row.unprinted] if row.unprinted else [])]),
            sizes=self.sizes(row),
            comparable=results.comparable,
            left_out=left_out(row.parts, results),
        )

    def verdict(self, row: Claim, checkpoint: str) -> Verdict:
        """What the parts that count say together."""
        if (row.id, checkpoint) not in self._known:
            self._known[row.id, checkpoint] = self._verdict(row, checkpoint)
        return self._known[row.id, checkpoint]

    def _verdict(self, row: Claim, checkpoint: str) -> Verdict:
        found = {part.name or part.rule: self.part(row, part, checkpoint) for part in row.parts if not part.shown}
        if not found:
            return Verdict("shown", row.how)
        if row.combine == "agree":
            return _agreeing({id: self.verdict(self.rows[id], checkpoint) for part in row.parts for id in part.claims})
        return together(found)

    def part(self, row: Claim, part: Part, checkpoint: str) -> Verdict:
        """What the rule of a part says."""
        runs = self.runs.at(part.checkpoint or checkpoint)
        if part.rule in ("MATH", "ARITH"):
            return _calculated(self.findings.get(row.id))
        if part.rule == "nested" and (why := _not_nested(runs.results)):
            return undecided(why)
        if part.claims:
            return together({id: self.verdict(self.rows[id], checkpoint) for id in part.claims})
        if (why := lacking(part, runs)) and part.rule != "survivors":
            return undecided(why, seeds_there(part, runs))
        if part.rule in SPECIAL:
            return SPECIAL[part.rule](part, runs)
        return _limited(part, RULES[part.rule](part, runs, self.margin))

    def sizes(self, row: Claim) -> tuple[Size, ...]:
        """The mean of each arm over all of its seeds."""
        asked = {
            (arm, score): None
            for part in row.parts
            for each in asked_of(part, self.runs.results)
            for arm in (each.arm, each.other)
            for score in (each.score, part.minus_score)
            if arm is not None and score
        }
        found = []
        for arm, score in asked:
            values = list(self.runs.values(arm, score).values())
            if values:
                in_print, sd = printed(arm, score), float(np.std(values, ddof=1)) if len(values) > 1 else None
                found.append(
                    Size(arm, score, len(values), float(np.mean(values)), sd, in_print.mean if in_print else None)
                )
        return tuple(found)


def _agreeing(found: Mapping[str, Verdict]) -> Verdict:
    """Reproduced if all are, contradicted if one is reproduced and another contradicted."""
    outcomes = {each.outcome for each in found.values()}
    outcome: Outcome = "reproduced" if outcomes == {"reproduced"} else "undecided"
    return replace(combine(found), outcome="contradicted" if {"reproduced", "contradicted"} <= outcomes else outcome)


def _calculated(finding: Finding | None) -> Verdict:
    if finding is None:
        return undecided("was not calculated")
    outcomes: dict[str, Outcome] = {"holds": "reproduced", "does not hold": "contradicted", "undecided": "undecided"}
    return Verdict(outcomes.get(finding.outcome, "shown"), finding.why)


def _not_nested(results: Results) -> str:
    if "sparse" not in results.plans:
        return "needs the study sparse"
    kind = results.plans["sparse"].subsample
    return "" if kind == "nested" else f"needs a sweep with nested sub-samples; this one is {kind}"


def _limited(part: Part, verdict: Verdict) -> Verdict:
    """A contradiction that the part alone cannot make is none."""
    if verdict.outcome != "contradicted" or part.contradicts != "never":
        return verdict
    return replace(verdict, outcome="undecided", uncorrected=False)
