"""The page sections about a paper's claims: counts by outcome, each claim with its numbers, arithmetic on the published numbers, and limitations."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from votewise.comparison import inside, listed, quantity, sentence
from votewise.comparison import name as method_name
from votewise.papers.claims import FIRST, by_outcome
from votewise.reporting import Section, chart_specs, data_uri, figure_context

if TYPE_CHECKING:
    from votewise.papers.claims import Decision, Verdict
    from votewise.reporting import Figure

ICONS = {"contradicted": "✕", "undecided": "?", "reproduced": "✓", "shown": "•"}
CALCULATED = {"reproduced": "holds", "contradicted": "does not hold", "undecided": "undecided", "shown": "noted"}
TEMPLATES = "votewise.papers"


def claims_section(decisions: Sequence[Decision], story: Figure | None = None) -> Section:
    """The number of claims by outcome, beside the opening chart."""
    tiles = []
    for outcome in FIRST:
        some = [each for each in decisions if each.claim.counts and each.outcome == outcome]
        waiting = sum(each.verdict.waits for each in some)
        note = f"{waiting} of them because runs or probes are missing" if waiting else ""
        tiles.append(_chip(outcome) | {"count": len(some), "note": note})
    context: dict[str, Any] = {"tiles": tiles, "story": None}
    charts: dict[str, Any] = {}
    if story is not None and not story.missing:
        context |= {"answer": story.reading, "story": figure_context(story) | {"reading": ""}}
        charts = chart_specs([story])
    return Section("claims", "Claims and verdicts", f"{TEMPLATES}:claims.html", context, charts=charts)


def statements_section(decisions: Sequence[Decision]) -> Section:
    """Every claim, procedure and guard with its verdict and numbers, contradicted claims first."""
    by_id = {decision.id: decision for decision in decisions}
    claims, others = (
        [_statement(each, by_id) for each in by_outcome(d for d in decisions if d.claim.kind in kinds)]
        for kinds in (("claim",), ("procedure", "guard"))
    )
    context = {
        "claims": claims,
        "others": others,
        "outcomes": FIRST,
        "sections": list(dict.fromkeys(each["section"] for each in (*claims, *others))),
        "csv": data_uri(claims_csv(decisions)),
    }
    return Section("each", "Claim by claim", f"{TEMPLATES}:each.html", context, scripts=[f"{TEMPLATES}:statements.js"])


def arithmetic_section(decisions: Sequence[Decision]) -> Section:
    """What follows or does not follow from the published numbers; statements that do not hold come first."""
    rows = [
        _line(decision) | {"where": _where(decision.claim.where)}
        for decision in sorted(decisions, key=lambda decision: decision.outcome != "contradicted")
        if decision.claim.kind == "arithmetic"
    ]
    return Section("arithmetic", "Checks of the published numbers", f"{TEMPLATES}:arithmetic.html", {"rows": rows})


def limitations_section(decisions: Sequence[Decision]) -> Section:
    """Limitations stated by the authors, and how this report addresses them."""
    rows = [decision.claim for decision in decisions if decision.claim.kind == "limitation"]
    return Section("limitations", "Limitations of the paper", f"{TEMPLATES}:limitations.html", {"rows": rows})


def claims_csv(decisions: Sequence[Decision]) -> str:
    """One line per claim, with its verdict and numbers."""
    buffer = io.StringIO()
    of_claim, of_verdict = (
        ("id", "kind", "section", "statement"),
        ("outcome", "reason", "n", "mean", "low", "high", "p"),
    )
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow((*of_claim, *of_verdict, "chance"))
    for each in decisions:
        about = [getattr(each.claim, name) for name in of_claim]
        writer.writerow((*about, *(getattr(each.verdict, name) for name in of_verdict), each.chance))
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
        "left_out": _left_out(decision),
        "where": _where(claim.where),
        "rule": " ".join(sentence(text) for text in (claim.how, claim.note) if text),
    }


def facts(decision: Decision) -> list[tuple[str, str]]:
    """Terms and numbers of a verdict; missing numbers are left out."""
    verdict, last = decision.verdict, decision.last
    open_ = verdict.outcome == "undecided" and verdict.mean is not None
    terms = [
        ("seeds", str(verdict.n or "")),
        ("mean difference", number(verdict.mean)),
        ("95 % interval", interval(verdict.low, verdict.high)),
        ("95 % interval by resampling seeds", interval(*(verdict.bootstrap or (None, None)))),
        (f"p, {verdict.test}", number(verdict.p, 5)),
        ("p, sign-flip permutation test", number(verdict.flip_p, 5)),
        ("smallest possible p", number(verdict.smallest_p, 5)),
        ("seeds that agree in sign", "" if verdict.agree is None else f"{verdict.agree} of {verdict.n}"),
        ("seeds needed for a verdict", str(verdict.seeds or ("no number, with this difference" if open_ else ""))),
        (
            "probability of “reproduced” if the paper is right",
            "" if decision.chance is None else f"{decision.chance:.0%}",
        ),
    ]
    if last is not None:
        mean = "" if last.mean is None else f", mean {number(last.mean)}"
        terms.append(("at the last checkpoint", f"{last.outcome}{mean}"))
    return [(term, text) for term, text in terms if text]


def _comparisons(verdict: Verdict) -> list[dict[str, Any] | None]:
    title = "Parts" if verdict.parts else "Comparisons"
    return [_cells(verdict, title), *(_cells(part, f"Comparisons, {name}") for name, part in verdict.parts.items())]


def _cells(verdict: Verdict, title: str) -> dict[str, Any] | None:
    """The comparisons of a verdict as a table, if there are several; empty columns are left out."""
    heads = ("comparison", "outcome", "n", "mean", "95 % interval", "p", "p after Holm", "seeds that agree")
    rows = [
        (cell.name, cell.outcome, str(cell.n), number(cell.mean), interval(cell.low, cell.high), number(cell.p, 5), number(cell.holm, 5),
         "" if cell.agree is None else f"{cell.agree} of {cell.n}")
        for cell in verdict.cells
    ]  # fmt: skip
    if not rows:
        return None
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    return {"title": title, "heads": [heads[at] for at in kept], "rows": [[row[at] for at in kept] for row in rows]}


def _sizes(decision: Decision) -> dict[str, Any] | None:
    """Means over all seeds of each method, with the published means."""
    if not decision.sizes:
        return None
    rows = [
        (("" if size.dataset is None else f"{size.dataset}: ") + f"{method_name(size.method)}, {quantity(size.quantity).label}"
         + ("" if size.K is None else f", K = {size.K}"), str(size.n),
         number(size.mean) + ("" if size.sd is None else f" ± {number(size.sd)}"), number(size.published))
        for size in decision.sizes
    ]  # fmt: skip
    other = (
        ""
        if decision.comparable
        else ". The published numbers are for other data or training, so sizes are not comparable"
    )
    title = f"Means over all seeds{other}"
    return {"title": title, "heads": ["quantity", "n", "here", "published"], "rows": rows}


def _left_out(decision: Decision) -> list[str]:
    """The missing runs of a claim, methods with the same dataset, K and seeds together."""
    methods: dict[tuple[str | None, int | None, tuple[int, ...]], list[str]] = {}
    for run in decision.left_out:
        methods.setdefault((run.dataset, run.K, run.seeds), []).append(inside(method_name(run.method)))
    return [
        f"runs of {listed(names)}{'' if dataset is None else f' on {dataset}'}{'' if K is None else f' at K = {K}'}"
        f" for {'seed' if len(seeds) == 1 else 'seeds'} {listed(map(str, seeds))}"
        for (dataset, K, seeds), names in methods.items()
    ]


def _where(places: str) -> str:
    """The places of a claim in a paper; bare numbers are sections.

    >>> _where("abstract, 5.2, Table 2")
    'abstract, section 5.2, Table 2'
    """
    if "sections" in places:
        return places
    return ", ".join(f"section {place}" if re.match(r"(\d|A)\.", place) else place for place in places.split(", "))


def _line(decision: Decision) -> dict[str, Any]:
    claim, reason = decision.claim, sentence(decision.verdict.reason)
    chip = _chip(decision.outcome, calculated=claim.kind == "arithmetic")
    return {"id": claim.id, "statement": claim.statement, "chip": chip, "reason": reason}


def _chip(outcome: str, *, calculated: bool = False) -> dict[str, Any]:
    return {"outcome": CALCULATED[outcome] if calculated else outcome, "icon": ICONS[outcome], "style": outcome}


def number(value: float | None, digits: int = 3) -> str:
    """A number with a few significant digits; an empty text for None.

    >>> number(0.012345), number(-1234.5), number(None)
    ('0.0123', '−1230', '')
    """
    if value is None:
        return ""
    if abs(value) >= 10**digits:
        return f"{float(f'{value:.{digits}g}'):.0f}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def interval(low: float | None, high: float | None) -> str:
    """An interval as text; empty if there is none."""
    return "" if low is None or high is None else f"{number(low)} to {number(high)}"
