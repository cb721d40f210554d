"""Decisions as the page shows them: a line with its outcome, and the numbers that stand beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from votewise.evidence.claims.deciding import FIRST, by_outcome
from votewise.evidence.claims.rows import sections
from votewise.evidence.methods import QUANTITIES, look

if TYPE_CHECKING:
    from votewise.evidence.claims.deciding import Decision
    from votewise.evidence.claims.verdict import Verdict

ICONS = {
    "contradicted": "✕", "undecided": "?", "reproduced": "✓", "shown": "•",
    "does not hold": "✕", "holds": "✓", "noted": "•",
}  # fmt: skip
STYLES = {"does not hold": "contradicted", "holds": "reproduced", "noted": "shown"} | {name: name for name in FIRST}
_EPOCHS = ("epoch", "epoch_95", "best_epoch", "own_best_epoch")  # the first is 0 in files and 1 for people
_WITHOUT_DATA = ("MATH", "ARITH")  # rules that need no run
_CALCULATED = {"reproduced": "holds", "contradicted": "does not hold", "undecided": "undecided", "shown": "noted"}


def statements(decisions: Sequence[Decision], kinds: Sequence[str]) -> list[dict[str, Any]]:
    """What runs, or a calculation, say of each statement of these kinds; what contradicts first."""
    by_id = {decision.id: decision for decision in decisions}
    shown = [decision for decision in decisions if decision.claim.kind in kinds]
    return [_statement(each, by_id) for each in by_outcome(shown)]


def tiles(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """How many claims have each outcome; and how many of them need no data, or wait for runs or probes."""
    found = []
    for outcome in FIRST:
        some = [each for each in decisions if each.claim.kind == "claim" and each.outcome == outcome]
        calculated = sum(all(part.rule in _WITHOUT_DATA for part in each.claim.parts) for each in some)
        waiting = sum(each.verdict.waits for each in some)
        notes = [f"{len(some) - calculated} on this data, {calculated} by calculation alone"] if calculated else []
        notes += [f"{waiting} for want of runs or probes"] if waiting else []
        found.append({"outcome": outcome, "count": len(some), "note": "; ".join(notes)})
    return found


def titles(decisions: Sequence[Decision]) -> list[str]:
    """The sections that statements stand in, in their order."""
    there = {decision.claim.section for decision in decisions if decision.claim.kind in ("claim", "procedure", "guard")}
    return [sections()[number] for number in sorted(there)]


def _statement(decision: Decision, by_id: dict[str, Decision]) -> dict[str, Any]:
    claim, verdict = decision.claim, decision.verdict
    return {
        "id": claim.id,
        "kind": claim.kind,
        "section": sections()[claim.section],
        "statement": claim.statement,
        "outcome": verdict.outcome,
        "waits": verdict.waits,
        "why": sentence(verdict.why),
        "facts": facts(decision),
        "published": decision.published,
        "tables": [table for table in (*_comparisons(decision), sizes(decision)) if table],
        "aside": [{"name": name, "outcome": part.outcome, "why": part.why} for name, part in decision.aside.items()],
        "beside": [_line(by_id[id]) for id in claim.beside if id in by_id],
        "left_out": decision.left_out,
        "source": " ".join(sentence(text) for text in (claim.where, claim.how, claim.note) if text),
    }


def arithmetic(decisions: Sequence[Decision]) -> list[dict[str, str]]:
    """What follows, or does not, from the published numbers; what does not hold first."""
    rows = [
        {
            "id": decision.claim.id,
            "statement": decision.claim.statement,
            "outcome": _CALCULATED[decision.outcome],
            "why": sentence(decision.verdict.why),
            "source": sentence(decision.claim.where),
        }
        for decision in decisions
        if decision.claim.kind == "arithmetic"
    ]
    return sorted(rows, key=lambda row: ICONS[row["outcome"]] != "✕")


def limitations(decisions: Sequence[Decision]) -> list[dict[str, str]]:
    """What the paper says it leaves open."""
    return [
        {"id": claim.id, "statement": claim.statement, "where": claim.where, "answer": claim.how}
        for claim in (decision.claim for decision in decisions)
        if claim.kind == "limitation"
    ]


def _line(decision: Decision) -> dict[str, str]:
    claim, outcome = decision.claim, decision.outcome
    return {
        "id": claim.id,
        "statement": claim.statement,
        "outcome": _CALCULATED[outcome] if claim.kind == "arithmetic" else outcome,
        "why": sentence(decision.verdict.why),
    }


def facts(decision: Decision) -> list[tuple[str, str]]:
    """Terms and numbers of a verdict; what it does not have is left out."""
    verdict, found = decision.verdict, list[tuple[str, str]]()
    if verdict.n:
        found.append(("seeds", str(verdict.n)))
    if verdict.mean is not None:
        found.append(("mean difference", number(verdict.mean)))
    if verdict.low is not None and verdict.high is not None:
        found.append(("95 % interval", interval(verdict.low, verdict.high)))
    if verdict.bootstrap is not None:
        found.append(("95 % by resampling seeds", interval(*verdict.bootstrap)))
    if verdict.p is not None:
        found.append((f"p, {verdict.test}", number(verdict.p, 5)))
    if verdict.flip_p is not None:
        found.append(("p, sign-flip permutation", number(verdict.flip_p, 5)))
    if verdict.smallest_p is not None:
        found.append(("smallest attainable p", number(verdict.smallest_p, 5)))
    if verdict.agree is not None:
        found.append(("seeds that agree in sign", f"{verdict.agree} of {verdict.n}"))
    if verdict.seeds is not None:
        found.append(("seeds that would decide", str(verdict.seeds)))
    elif verdict.outcome == "undecided" and verdict.mean is not None:
        found.append(("seeds that would decide", "none at this difference"))
    if decision.last is not None:
        found.append(("at the last checkpoint", _short(decision.last)))
    if verdict.uncorrected:
        found.append(("correction", "none: too few seeds for Holm"))
    return found


def _short(verdict: Verdict) -> str:
    mean = "" if verdict.mean is None else f", mean {number(verdict.mean)}"
    return f"{verdict.outcome}{mean}"


def _comparisons(decision: Decision) -> list[dict[str, Any] | None]:
    title = "Its parts" if decision.parts else "Comparisons"
    return [
        cells(decision.verdict, title),
        *(cells(part, f"Comparisons, {name}") for name, part in decision.parts.items()),
    ]


def cells(verdict: Verdict, title: str) -> dict[str, Any] | None:
    """The comparisons of a verdict as a table, where there are several; columns that no cell fills are left out."""
    heads = ("comparison", "outcome", "n", "mean", "95 % interval", "p", "p after Holm", "agree")
    rows = [
        (
            cell.name,
            cell.outcome,
            str(cell.n),
            number(cell.mean),
            "" if cell.low is None or cell.high is None else interval(cell.low, cell.high),
            number(cell.p, 5),
            number(cell.holm, 5),
            "" if cell.agree is None else f"{cell.agree} of {cell.n}",
        )
        for cell in verdict.cells
    ]
    if not rows:
        return None
    return _filled(title, heads, rows)


def sizes(decision: Decision) -> dict[str, Any] | None:
    """The means of each arm over all its seeds, with the published ones beside them."""
    if not decision.sizes:
        return None
    rows = [
        (
            look(size.arm.method).name + ("" if size.arm.K is None else f", K = {size.arm.K}"),
            QUANTITIES[size.score].name if size.score in QUANTITIES else size.score,
            str(size.n),
            number(size.mean + (size.score in _EPOCHS)) + ("" if size.sd is None else f" ± {size.sd:.2g}"),
            number(size.published),
        )
        for size in decision.sizes
    ]
    published = "published" if decision.comparable else "published (sizes do not compare)"
    return _filled("Means over all seeds of an arm", ("arm", "score", "n", "mean ± SD", published), rows)


def _filled(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    """A table without the columns that no row fills."""
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    return {
        "title": title,
        "heads": [heads[place] for place in kept],
        "rows": [[row[place] for place in kept] for row in rows],
    }


def as_csv(decisions: Sequence[Decision]) -> str:
    """A row for each decision, numbers in full."""
    buffer = io.StringIO()
    write = csv.writer(buffer, lineterminator="\n").writerow
    names = ("n", "mean", "low", "high", "p", "test", "flip_p", "smallest_p", "agree", "seeds")
    write(("id", "kind", "section", "statement", "where", "outcome", "why", *names, "last", "published"))
    for decision in decisions:
        claim, verdict = decision.claim, decision.verdict
        last = decision.last.outcome if decision.last else ""
        about = (claim.id, claim.kind, claim.section, claim.statement, claim.where, verdict.outcome, verdict.why)
        write((*about, *(getattr(verdict, name) for name in names), last, decision.published))
    return buffer.getvalue()


def number(value: float | None, digits: int = 4) -> str:
    """Four digits, or as many as are wanted, with a real minus.

    >>> number(-0.012345), number(0.03125), number(None)
    ('−0.01235', '0.03125', '')
    """
    return "" if value is None else f"{value:.{digits}g}".replace("-", "−")


def interval(low: float, high: float) -> str:
    """Two ends in one.

    >>> interval(-1, 2.5)
    '−1 to 2.5'
    """
    return f"{number(low)} to {number(high)}"


def sentence(text: str) -> str:
    """A clause as a sentence.

    >>> sentence("p is above 0.05")
    'P is above 0.05.'
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".") if text else text
