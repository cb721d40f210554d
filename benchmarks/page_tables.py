"""Markdown tables of results: soft NLL by method, claims, and missing runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from votewise.comparison import interval, name, wilcoxon
from votewise.papers import Decision, by_outcome, counts, decide, paper
from votewise.papers.claims import Claim, Verdict
from votewise.studies import Results
from votewise.training import Run

METHODS = ("soft", "sls", "multipass", "deterministic", "shuffled-sls", "majority", "label-smoothing", "mixup")
OUTCOMES = ("contradicted", "undecided", "reproduced")
CELL = 64  # maximum characters of a published number in a cell
FEW = 3  # maximum number of parts listed by name


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
                (best, *against), *last = cells
                epoch = np.mean(list(results.values(method, "epoch", K=k).values())) + 1  # stored from 0
                place = ("all" if k is None else k, name(method), seeds)
                rows.append(
                    (*place, f"{best} (epoch {epoch:.0f})", *against, *(cell for pair in last for cell in pair))
                )
    return markdown(
        ("K", "method", "seeds", "best epoch", "minus soft labels", "last epoch", "minus soft labels"), rows
    )


def _against_soft(results: Results, method: str, k: int | None, checkpoint: str) -> tuple[str, str]:
    numbers = np.array(list(results.values(method, "soft_nll", K=k, checkpoint=checkpoint).values()))
    spread = f" ± {numbers.std(ddof=1):.3f}" if len(numbers) > 1 else ""
    d = results.paired(method, "soft", "soft_nll", K=k, checkpoint=checkpoint).difference
    if method == "soft" or len(d) < 2:
        return f"{numbers.mean():.3f}{spread}", ""
    low, high = interval(d)
    return (
        f"{numbers.mean():.3f}{spread}",
        f"{d.mean():+.3f} [{low:+.3f}, {high:+.3f}], p = {wilcoxon(d, 'two-sided'):.2g}",
    )


def recipe_trials(runs: Sequence[Run]) -> str:
    """How closely each run fits its targets, by recipe, closest first; the run of the study is the last one."""

    def excess(run: Run) -> float:
        return run.interpolation.train_loss_last - run.interpolation.target_entropy

    def examples(run: Run) -> float:
        return (1 - run.config.split.fraction) * run.config.recipe.epochs

    *trials, chosen = runs
    rows = [
        (
            f"{round((1 - run.config.split.fraction) * 10_000):,}", ", ".join(run.config.recipe.augment or ()) or "none", run.config.recipe.batch_size,
            run.config.recipe.epochs, f"{run.config.recipe.weight_decay:g}", run.config.seed, f"{examples(run) / examples(chosen):.2f}", f"{excess(run):.3f}",
            f"{run.best.scores['soft_nll']:.3f}", f"{run.last.scores['soft_nll']:.3f}", run.best.epoch + 1, f"{run.best.scores['accuracy']:.3f}",
        )
        for run in (*sorted(trials, key=excess), chosen)
    ]  # fmt: skip
    head = (
        "training items", "augmentation", "batch", "epochs", "weight decay", "seed", "cost", "loss above entropy", "soft NLL, best epoch",
        "soft NLL, last epoch", "best epoch", "accuracy",
    )  # fmt: skip
    return markdown(head, rows)


def claims(results: Results, known: str = "basins") -> str:
    """The claims that the current runs can decide, contradicted claims first."""
    decisions = [each for each in decide(paper(known).claims, results) if each.claim.kind == "claim"]
    ready = [each for each in by_outcome(decisions) if not each.verdict.waits and each.outcome != "shown"]
    totals = counts(ready)[""]
    counted = sum(totals.values())
    summary = ", ".join(f"{totals[outcome]} {outcome}" for outcome in OUTCOMES)
    composed = (
        f" {len(ready) - counted} more are composed of other claims and not counted." if len(ready) > counted else ""
    )
    rows = [
        (f"**{each.outcome}**", each.id, each.claim.statement, published(each.claim), here(each.verdict), _last(each))
        for each in ready
    ]
    table = markdown(("verdict", "claim", "statement", "published", "here", "at the last epoch"), rows)
    return f"{counted} claims have results so far: {summary}.{composed}\n\n{table}"


def published(claim: Claim) -> str:
    """The published numbers of a claim; only the table number if they do not fit in a cell."""
    quotes = claim.published if isinstance(claim.published, tuple) else (claim.published,)
    words = [quote if isinstance(quote, str) else quote() for quote in quotes]
    long = [one.startswith("Table ") and len(one) > CELL for one in words]
    return "; ".join(one.partition(":")[0] if cut else one for one, cut in zip(words, long, strict=True)) or "–"


def here(verdict: Verdict) -> str:
    """Mean over seeds, interval, number of seeds and p; for a claim with several parts, the number of parts by outcome."""
    if verdict.mean is None or not verdict.n:
        return _parts(verdict) if verdict.cells else verdict.reason
    ends = f" [{verdict.low:.3g}, {verdict.high:.3g}]" if verdict.low is not None and verdict.high is not None else ""
    p = f", p = {verdict.p:.2g}" if verdict.p is not None else ""
    more = verdict.outcome == "undecided" and verdict.seeds is not None and verdict.seeds > verdict.n
    seeds = f", {verdict.seeds} seeds needed" if more else ""
    below = [cell for cell in verdict.cells if cell.mean is not None and cell.mean <= 0]
    other = f"; {len(below)} of {len(verdict.cells)} cells not above zero" if below and verdict.mean > 0 else ""
    return f"{verdict.mean:.3g}{ends}, n = {verdict.n}{p}{seeds}{other}"


def _parts(verdict: Verdict) -> str:
    """The number of parts by outcome, with the names of a few parts."""
    found = [cell for cell in verdict.cells if cell.outcome != "shown"]
    named = len(found) <= FEW and not any(cell.name.startswith("(") for cell in found)
    said = []
    for outcome in reversed(OUTCOMES):
        if names := [cell.name for cell in found if cell.outcome == outcome]:
            of = "" if said else f" of {len(found)} parts"
            said.append(f"{len(names)}{of} {outcome}" + (f" ({', '.join(names)})" if named else ""))
    fewest = min(cell.n for cell in found)
    return f"{', '.join(said)}; {f'n = {fewest}' if fewest else 'no shared seeds'}"


def _last(decision: Decision) -> str:
    return decision.last.outcome if decision.last else "–"


def missing(results: Results) -> str:
    """The missing runs and probes of claims, tables and figures."""
    known = paper("basins")
    waiting: dict[str, list[str]] = {}
    for each in decide(known.claims, results):
        for need in each.verdict.needs:
            waiting.setdefault(str(need), []).append(each.id)
    tables = [str(table.key) for table in known.tables(results) if table.missing]
    figures = [str(figure.key) for figure in known.figures(results) if figure.missing]
    rows = [(need, ", ".join(dict.fromkeys(ids))) for need, ids in waiting.items()]
    still = [
        f"{what if len(keys) == 1 else f'{what}s'} {', '.join(keys)}"
        for what, keys in (("table", tables), ("figure", figures))
        if keys
    ]
    lead = f"Not complete yet: {' and '.join(still)}.\n\n" if still else ""
    return lead + (markdown(("missing", "claims that wait for it"), rows) if rows else "Nothing is missing.")
