"""The parts of `docs/replication.md` and the README that are computed from committed results: `python -m benchmarks.replication_page`.

A part stands between `<!-- name -->` and `<!-- /name -->`. The tests compute every part again and compare.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.findings import draw, findings
from votewise.comparison import interval, name, wilcoxon
from votewise.papers import Decision, by_outcome, counts, decide, paper
from votewise.studies import Results, Store

ROOT = Path(__file__).parents[1]
PAGES = ("docs/replication.md", "README.md")
FOLDER = ROOT / "results/cifar10h-cpu"
METHODS = ("soft", "sls", "multipass", "deterministic", "shuffled-sls", "majority", "label-smoothing", "mixup")


def cifar10h() -> Results:
    """The committed results of the paper's studies on CIFAR-10H."""
    return Results.of(Store(FOLDER))


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |" for line in lines)


def soft_nll(results: Results) -> str:
    """Soft NLL by method and votes per item, best and last epoch, and how it compares with soft labels."""
    rows = []
    for k in (*results.votes_per_item(), None):
        for method in METHODS:
            cells = [
                _against_soft(results, method, k, checkpoint)
                for checkpoint in ("best", "last")
                if results.values(method, "soft_nll", K=k, checkpoint=checkpoint)
            ]
            if cells:
                seeds = len(results.values(method, "soft_nll", K=k))
                rows.append(
                    ["all" if k is None else k, name(method), seeds, *(cell for pair in cells for cell in pair)]
                )
    return markdown(
        ("K", "method", "seeds", "best epoch", "minus soft labels", "last epoch", "minus soft labels"), rows
    )


def _against_soft(results: Results, method: str, k: int | None, checkpoint: str) -> tuple[str, str]:
    own = results.values(method, "soft_nll", K=k, checkpoint=checkpoint)
    soft = results.values("soft", "soft_nll", K=k, checkpoint=checkpoint)
    numbers = np.array(list(own.values()))
    spread = f" ± {numbers.std(ddof=1):.3f}" if len(numbers) > 1 else ""
    d = np.array([own[seed] - soft[seed] for seed in sorted(own.keys() & soft.keys())])
    if method == "soft" or len(d) < 2:
        return f"{numbers.mean():.3f}{spread}", ""
    low, high = interval(d)
    return (
        f"{numbers.mean():.3f}{spread}",
        f"{d.mean():+.3f} [{low:+.3f}, {high:+.3f}], p = {wilcoxon(d, 'two-sided'):.2g}",
    )


def claims(results: Results, known: str = "basins") -> str:
    """The claims that the runs so far can speak of, contradictions first."""
    decisions = [each for each in decide(paper(known).claims, results) if each.claim.kind == "claim"]
    ready = [each for each in by_outcome(decisions) if not each.verdict.waits and each.outcome != "shown"]
    totals = counts(ready)[""]
    summary = ", ".join(f"{totals[outcome]} {outcome}" for outcome in ("contradicted", "undecided", "reproduced"))
    rows = [
        (f"**{each.outcome}**", each.id, each.claim.statement, each.claim.in_print or "–", _here(each), _last(each))
        for each in ready
    ]
    table = markdown(("verdict", "claim", "statement", "published", "here", "at the last epoch"), rows)
    return (
        f"{len(ready)} claims can be judged so far ({summary}; claims composed of others are not counted).\n\n{table}"
    )


def _here(decision: Decision) -> str:
    verdict = decision.verdict
    if verdict.mean is None or not verdict.n:
        return verdict.reason
    ends = f" [{verdict.low:.3g}, {verdict.high:.3g}]" if verdict.low is not None and verdict.high is not None else ""
    p = f", p = {verdict.p:.2g}" if verdict.p is not None else ""
    seeds = f", {verdict.seeds} seeds would decide" if decision.outcome == "undecided" and verdict.seeds else ""
    return f"{verdict.mean:.3g}{ends}, n = {verdict.n}{p}{seeds}"


def _last(decision: Decision) -> str:
    return decision.last.outcome if decision.last else "–"


def missing(results: Results) -> str:
    """What claims, tables and figures wait for."""
    known = paper("basins")
    waiting: dict[str, list[str]] = {}
    for each in decide(known.claims, results):
        for need in each.verdict.needs:
            waiting.setdefault(str(need), []).append(each.id)
    tables = [str(table.key) for table in known.tables(results) if table.missing]
    figures = [str(figure.key) for figure in known.figures(results) if figure.missing]
    rows = [(need, ", ".join(dict.fromkeys(ids))) for need, ids in waiting.items()]
    still = [f"{what} {', '.join(keys)}" for what, keys in (("tables", tables), ("figures", figures)) if keys]
    lead = f"Not filled yet: {' and '.join(still)}.\n\n" if still else ""
    return lead + (markdown(("needed", "claims that wait"), rows) if rows else "Nothing is missing.")


def runs() -> str:
    """How many runs are finished, in a sentence."""
    store = Store(FOLDER)
    planned = {id for study in store.studies() for id in store.runs(study)}
    return f"{len(store.all_runs())} of {len(planned)} planned runs are finished."


PARTS: dict[str, Callable[[], str]] = {
    "runs": runs,
    "soft-nll": lambda: soft_nll(cifar10h()),
    "claims": lambda: claims(cifar10h()),
    "missing": lambda: missing(cifar10h()),
    "findings": lambda: findings(cifar10h()),
}


def filled(text: str) -> str:
    """A page with its computed parts computed again."""

    def part(match: re.Match[str]) -> str:
        return f"<!-- {match[1]} -->\n\n{PARTS[match[1]]()}\n\n<!-- /{match[1]} -->"

    return re.sub(r"<!-- (\S+) -->.*?<!-- /\1 -->", part, text, flags=re.DOTALL)


if __name__ == "__main__":
    for page in PAGES:
        path = ROOT / page
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    draw(cifar10h())
