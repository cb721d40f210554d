"""The sections of a paper's claims: how many hold, each with its numbers, the paper's own arithmetic, and what it leaves open."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from votewise.comparison import quantity
from votewise.papers.claims import FIRST, by_outcome
from votewise.reporting import Section, data_uri

if TYPE_CHECKING:
    from votewise.papers.claims import Decision, Verdict

ICONS = {
    "contradicted": "✕", "undecided": "?", "reproduced": "✓", "shown": "•",
    "does not hold": "✕", "holds": "✓", "noted": "•",
}  # fmt: skip
STYLES = {"does not hold": "contradicted", "holds": "reproduced", "noted": "shown"} | {name: name for name in FIRST}
CALCULATED = {"reproduced": "holds", "contradicted": "does not hold", "undecided": "undecided", "shown": "noted"}
TEMPLATES = "votewise.papers"


def claims_section(decisions: Sequence[Decision], title: str = "Claims and verdicts") -> Section:
    """How many claims have each outcome."""
    tiles = []
    for outcome in FIRST:
        some = [each for each in decisions if each.claim.counts and each.outcome == outcome]
        waiting = sum(each.verdict.waits for each in some)
        note = f"{waiting} for lack of runs or probes" if waiting else ""
        tiles.append(_chip(outcome) | {"count": len(some), "note": note})
    return Section("claims", title, f"{TEMPLATES}:claims.html", {"tiles": tiles})


def statements_section(decisions: Sequence[Decision], *, waiting: bool = True) -> Section:
    """Every claim, procedure and guard with its verdict and numbers, those that contradict first.

    Args:
        decisions: of all claims of a paper.
        waiting: whether claims that wait for runs or probes are shown from the start.
    """
    by_id = {decision.id: decision for decision in decisions}
    claims = [_statement(each, by_id) for each in by_outcome(d for d in decisions if d.claim.kind == "claim")]
    others = [
        _statement(each, by_id) for each in by_outcome(d for d in decisions if d.claim.kind in ("procedure", "guard"))
    ]
    context = {
        "claims": claims,
        "others": others,
        "outcomes": FIRST,
        "sections": list(dict.fromkeys(each["section"] for each in (*claims, *others))),
        "waiting": waiting,
        "csv": data_uri(claims_csv(decisions)),
    }
    return Section("each", "Claim by claim", f"{TEMPLATES}:each.html", context, scripts=[f"{TEMPLATES}:statements.js"])


def arithmetic_section(decisions: Sequence[Decision]) -> Section:
    """What follows, or does not, from the published numbers; what does not hold first."""
    rows = [
        {
            "id": decision.id,
            "statement": decision.claim.statement,
            "outcome": CALCULATED[decision.outcome],
            "chip": _chip(CALCULATED[decision.outcome]),
            "reason": sentence(decision.verdict.reason),
            "source": sentence(decision.claim.where),
        }
        for decision in decisions
        if decision.claim.kind == "arithmetic"
    ]
    rows.sort(key=lambda row: row["outcome"] != "does not hold")
    return Section("arithmetic", "The paper’s own numbers", f"{TEMPLATES}:arithmetic.html", {"rows": rows})


def limitations_section(decisions: Sequence[Decision]) -> Section:
    """What the authors say they leave open, and how this report addresses it."""
    rows = [decision.claim for decision in decisions if decision.claim.kind == "limitation"]
    return Section("limitations", "What the paper leaves open", f"{TEMPLATES}:limitations.html", {"rows": rows})


def claims_csv(decisions: Sequence[Decision]) -> str:
    """A line for each claim: its verdict and numbers."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(
        ("id", "kind", "section", "statement", "outcome", "reason", "n", "mean", "low", "high", "p", "chance")
    )
    for each in decisions:
        claim, verdict = each.claim, each.verdict
        writer.writerow(
            (claim.id, claim.kind, claim.section, claim.statement, verdict.outcome, verdict.reason, verdict.n, verdict.mean,
             verdict.low, verdict.high, verdict.p, each.chance)
        )  # fmt: skip
    return buffer.getvalue()


def _statement(decision: Decision, by_id: dict[str, Decision]) -> dict[str, Any]:
    claim, verdict = decision.claim, decision.verdict
    return {
        "id": claim.id,
        "kind": claim.kind,
        "section": claim.section,
        "statement": claim.statement,
        "chip": _chip(verdict.outcome),
        "waits": verdict.waits,
        "reason": sentence(verdict.reason),
        "facts": facts(decision),
        "published": claim.in_print,
        "tables": [table for table in (*_comparisons(verdict), _sizes(decision)) if table],
        "aside": [
            {"name": name, "chip": _chip(part.outcome), "reason": part.reason} for name, part in decision.aside.items()
        ],
        "beside": [_line(by_id[id]) for id in claim.beside if id in by_id],
        "left_out": [str(run) for run in decision.left_out],
        "source": " ".join(sentence(text) for text in (claim.where, claim.how, claim.note) if text),
    }


def facts(decision: Decision) -> list[tuple[str, str]]:
    """Terms and numbers of a verdict; what it does not have is left out."""
    verdict, terms = decision.verdict, list[tuple[str, str]]()
    if verdict.n:
        terms.append(("seeds", str(verdict.n)))
    if verdict.mean is not None:
        terms.append(("mean difference", number(verdict.mean)))
    if verdict.low is not None and verdict.high is not None:
        terms.append(("95 % interval", interval(verdict.low, verdict.high)))
    if verdict.bootstrap is not None:
        terms.append(("95 % by resampling seeds", interval(*verdict.bootstrap)))
    if verdict.p is not None:
        terms.append((f"p, {verdict.test}", number(verdict.p, 5)))
    if verdict.flip_p is not None:
        terms.append(("p, sign-flip permutation", number(verdict.flip_p, 5)))
    if verdict.smallest_p is not None:
        terms.append(("smallest attainable p", number(verdict.smallest_p, 5)))
    if verdict.agree is not None:
        terms.append(("seeds that agree in sign", f"{verdict.agree} of {verdict.n}"))
    if verdict.seeds is not None:
        terms.append(("seeds that would decide", str(verdict.seeds)))
    elif verdict.outcome == "undecided" and verdict.mean is not None:
        terms.append(("seeds that would decide", "none at this difference"))
    if decision.chance is not None:
        terms.append(("chance of “reproduced” if the paper is right", f"{decision.chance:.0%}"))
    if decision.last is not None:
        mean = "" if decision.last.mean is None else f", mean {number(decision.last.mean)}"
        terms.append(("at the last checkpoint", f"{decision.last.outcome}{mean}"))
    return terms


def _comparisons(verdict: Verdict) -> list[dict[str, Any] | None]:
    title = "Its parts" if verdict.parts else "Comparisons"
    return [_cells(verdict, title), *(_cells(part, f"Comparisons, {name}") for name, part in verdict.parts.items())]


def _cells(verdict: Verdict, title: str) -> dict[str, Any] | None:
    """The comparisons of a verdict as a table, if there are several; columns that no cell fills are left out."""
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
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    return {"title": title, "heads": [heads[at] for at in kept], "rows": [[row[at] for at in kept] for row in rows]}


def _sizes(decision: Decision) -> dict[str, Any] | None:
    """Means over all seeds of each method beside the published ones."""
    if not decision.sizes:
        return None
    rows = [
        (
            f"{size.method}, {quantity(size.quantity).label}" + ("" if size.K is None else f", K = {size.K}"),
            str(size.n),
            number(size.mean) + ("" if size.sd is None else f" ± {number(size.sd)}"),
            number(size.published),
        )
        for size in decision.sizes
    ]
    title = "Means over all seeds" + (
        "" if decision.comparable else " (published: other data or training, sizes do not compare)"
    )
    return {"title": title, "heads": ["quantity", "n", "here", "published"], "rows": rows}


def _line(decision: Decision) -> dict[str, Any]:
    claim, outcome = decision.claim, decision.outcome
    shown = CALCULATED[outcome] if claim.kind == "arithmetic" else outcome
    reason = sentence(decision.verdict.reason)
    return {"id": claim.id, "statement": claim.statement, "chip": _chip(shown), "reason": reason}


def _chip(outcome: str) -> dict[str, Any]:
    return {"outcome": outcome, "icon": ICONS[outcome], "style": STYLES[outcome]}


def sentence(text: str) -> str:
    """A text with a capital at its start and a stop at its end.

    >>> sentence("needs runs of soft"), sentence("")
    ('Needs runs of soft.', '')
    """
    return text and text[:1].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many significant digits; nothing for None.

    >>> number(0.012345), number(-1234.5), number(None)
    ('0.0123', '−1230', '')
    """
    if value is None:
        return ""
    if abs(value) >= 10**digits:
        return f"{float(f'{value:.{digits}g}'):.0f}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def interval(low: float, high: float) -> str:
    """Two ends of an interval."""
    return f"{number(low)} to {number(high)}"
