"""The findings of the replication as sentences and one figure, computed from the committed results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from votewise.arrays import F64
from votewise.comparison import interval, seeds_for_direction
from votewise.papers.basins.published import HARD, published
from votewise.reporting.charts import Figure, Looks, inline, panels, save
from votewise.studies import Results

PICTURE = Path(__file__).parents[1] / "docs/replication.svg"
CHECKPOINTS = {"best": "Best epoch, as with early stopping", "last": "Last epoch"}
COMPARED = (*((m, k) for k in (5, 10, 25, 50, None) for m in ("sls", "multipass")), ("majority", None))


def difference(results: Results, method: str, k: int | None, checkpoint: str) -> F64:
    """Soft NLL minus that of soft labels, by seed [n]."""
    return results.paired(method, "soft", "soft_nll", K=k, checkpoint=checkpoint).difference


def findings(results: Results) -> str:
    """The three findings for the README, each with the numbers that it rests on. A finding that no longer holds is an error."""
    swept, few = results.votes_per_item(), min(results.votes_per_item())
    hard = {epoch: hard_minus_soft(results, swept, epoch) for epoch in CHECKPOINTS}
    fewest = hard_minus_soft(results, [few], "best")
    majority = {epoch: difference(results, "majority", None, epoch) for epoch in CHECKPOINTS}
    flatter = {epoch: log_ratio(results, "lambda_max_full", epoch) for epoch in CHECKPOINTS}
    _require(all(_sign(d) < 0 for d in hard.values()), "few votes per item")
    _require(_sign(fewest) == 0, "the fewest votes per item")
    _require(all(_sign(d) > 0 for d in majority.values()), "the majority vote")
    _require(_sign(flatter["last"]) < 0, "flatter minima")
    seeds = min(map(len, (*hard.values(), *majority.values(), *flatter.values())))
    return f"""\
Differences in soft NLL from soft labels on the held-out items of CIFAR-10H, in nats, with 95 % intervals over at least
{seeds} seeds. Negative is better. The network is smaller than the paper's ResNet-18.

1. **With {few} to {max(swept)} votes per item, hard delivery (multipass, SLS and their deterministic control) is better**, by
   {_text(hard["best"])} on average at the best epoch and {_text(hard["last"])} at the last. With {few} votes
   and early stopping alone, no difference was found: {_text(fewest)}.
2. **The majority vote is worse, with and without early stopping**: {_text(majority["best"])} at the best epoch and
   {_text(majority["last"])} at the last, with all votes.
3. **SLS ends in flatter minima.** With all votes, the largest eigenvalue of the Hessian at the last epoch is
   {_ratio(flatter["last"])} times that of soft labels. At the best epoch, which comes earlier with soft labels, it is
   {_ratio(flatter["best"])} times that of soft labels."""


def deciding(results: Results) -> str:
    """What it would take to decide whether hard delivery is better with five votes per item and early stopping."""
    improvement = -hard_minus_soft(results, [5], "best")
    low, high = interval(improvement)
    _require(low < 0 < high, "five votes per item and early stopping")
    soft, *hard = (published().table(1).mean(method, "k5") for method in ("soft", *HARD))
    paper = soft - np.mean(hard)
    as_published = improvement - improvement.mean() + paper
    best = np.mean(list(results.values("soft", "epoch", K=5).values())) + 1  # stored from 0
    return f"""\
**What would decide about five votes.** At K = 5 and the best epoch, the improvement of hard delivery over soft labels (the mean of the three deliveries) is {improvement.mean():+.3f} [{low:+.3f}, {high:+.3f}]; it is {paper:+.3f} in the paper.
With the spread of these {len(improvement)} seeds, {seeds_for_direction(as_published)} seeds would show the published improvement, and {seeds_for_direction(improvement)} the one observed here (one-sided test, power 0.8). But the claim is about a larger network. Soft labels reach their best epoch
here after {best:.0f} of 40 epochs and overfit from then on, so early stopping ends training before the delivery matters. The paper's own recipe would decide: ResNet-18 with 200 epochs and ten seeds, `votewise reproduce basins --preset paper --device cuda`."""


def hard_minus_soft(results: Results, votes: Sequence[int], checkpoint: str) -> F64:
    """The mean difference of the three hard deliveries from soft labels over numbers of votes per item, by seed [n]."""
    pairs = [results.paired(m, "soft", "soft_nll", K=k, checkpoint=checkpoint) for m in HARD for k in votes]
    return np.mean([pair.difference for pair in pairs], axis=0)


def log_ratio(results: Results, quantity: str, checkpoint: str) -> F64:
    """The logarithm of the ratio of SLS to soft labels with all votes, by seed [n]."""
    pair = results.paired("sls", "soft", quantity, checkpoint=checkpoint)
    return np.log(pair.first / pair.second)


def _text(d: F64) -> str:
    low, high = interval(d)
    return f"{d.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def _ratio(d: F64) -> str:
    """The geometric mean of ratios, from their logarithms [n]."""
    low, high = np.exp(interval(d))
    return f"{np.exp(d.mean()):.2f} [{low:.2f}, {high:.2f}]"


def _sign(d: F64) -> int:
    """The sign of a mean difference [n] whose 95 % interval excludes zero; otherwise 0."""
    low, high = interval(d)
    return -1 if high < 0 else 1 if low > 0 else 0


def _require(holds: bool, finding: str) -> None:
    if not holds:
        raise ValueError(f"the finding on {finding} does not hold for these results; rewrite it")


def _rows(results: Results, checkpoint: str, looks: Looks) -> Iterator[dict[str, Any]]:
    for method, k in COMPARED:
        d = difference(results, method, k, checkpoint)
        low, high = interval(d)
        votes = "all votes" if k is None else f"{k} votes"
        yield {
            "method": looks.name(method), "category": f"{looks.name(method)}, {votes}", "value": float(d.mean()), "low": low, "high": high
        }  # fmt: skip


def figure(results: Results) -> Figure:
    """The differences at both checkpoints."""
    looks = Looks.of(results)
    shown = looks.sorted(dict.fromkeys(method for method, _ in COMPARED))
    colour = alt.Color(
        "method:N", legend=None, scale=alt.Scale(domain=[x.name for x in shown], range=[x.colour for x in shown])
    )
    charts = []
    for checkpoint, title in CHECKPOINTS.items():
        rows = list(_rows(results, checkpoint, looks))
        y = alt.Y("category:N", sort=[row["category"] for row in rows], title=None)
        scale = alt.Scale(domain=[-0.2, 0.5])
        base = alt.Chart(inline(rows)).encode(y=y, color=colour)
        x = alt.X("value:Q", title="Soft NLL minus that of soft labels (nats)", scale=scale)
        charts.append(
            alt.layer(
                alt.Chart(inline([{"value": 0.0}])).mark_rule(style="zero").encode(x),
                base.mark_rule(strokeWidth=2).encode(alt.X("low:Q", title=""), alt.X2("high:Q")),
                base.mark_point(filled=True, size=90, opacity=1).encode(x),
            ).properties(height=280, title=title)
        )
    return Figure("findings", "Soft NLL on CIFAR-10H", alt=_alt(results), chart=panels(charts))


def _alt(results: Results) -> str:
    """The differences as one sentence per epoch."""

    def sentence(checkpoint: str, title: str) -> str:
        rows = _rows(results, checkpoint, Looks.of(results))
        numbers = ", ".join(f"{row['category']} {row['value']:+.3f}" for row in rows)
        return f"{title}: {numbers}."

    return "Soft NLL minus that of soft labels. " + " ".join(sentence(*each) for each in CHECKPOINTS.items())


def draw(results: Results) -> None:
    """Write the figure."""
    save(figure(results), PICTURE, width=1080)
