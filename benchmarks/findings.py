"""The findings of the replication as sentences and one figure, computed from the committed results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from votewise.comparison import interval, seeds_for_direction
from votewise.papers.basins.published import HARD, published
from votewise.reporting.charts import Figure, Looks, inline, panels, save
from votewise.studies import Results

PICTURE = Path(__file__).parents[1] / "docs/replication.svg"
CHECKPOINTS = {"best": "Best epoch, as with early stopping", "last": "Last epoch"}
COMPARED = (("sls", 5), ("multipass", 5), ("sls", None), ("multipass", None), ("majority", None))


def difference(results: Results, method: str, k: int | None, checkpoint: str) -> tuple[float, float, float, int]:
    """Soft NLL minus that of soft labels over shared seeds: mean, ends of its 95 % interval, number of seeds."""
    d = np.asarray(results.paired(method, "soft", "soft_nll", K=k, checkpoint=checkpoint).difference)
    return (float(d.mean()), *interval(d), len(d))


def findings(results: Results) -> str:
    """The three findings for the README, each with the numbers that it rests on. A finding that no longer holds is an error."""
    seeds = min(difference(results, method, k, "best")[3] for method, k in COMPARED)
    *flatter, probed = _log_ratio(results, "lambda_max_full")
    _require(_levels(results, ("sls", 5), ("multipass", 5)) == {"best": "level", "last": "lower"}, "few votes")
    _require(_levels(results, ("majority", None)) == {"best": "higher", "last": "higher"}, "majority vote")
    _require(flatter[2] < 0, "flatter minima")
    few = {epoch: [_numbers(results, method, 5, epoch) for method in ("multipass", "sls")] for epoch in CHECKPOINTS}
    majority = {epoch: _numbers(results, "majority", None, epoch) for epoch in CHECKPOINTS}
    ratio, low, high = np.exp(flatter)
    return f"""\
Differences in soft NLL from soft labels on the held-out items of CIFAR-10H, in nats, with 95 % intervals over at least
{seeds} seeds. Negative is better. The network is smaller than the paper's ResNet-18.

1. **With five votes per item, multipass and SLS are better only without early stopping.** At the best epoch, no
   difference was found: {few["best"][0]} for multipass, {few["best"][1]} for SLS.
   At the last epoch, they are {few["last"][0]} and {few["last"][1]}.
2. **The majority vote is worse, with and without early stopping**: {majority["best"]} at the best epoch and
   {majority["last"]} at the last, with all votes.
3. **SLS ends in flatter minima.** With all votes, the largest eigenvalue of the Hessian is
   {ratio:.2f} times that of soft labels [{low:.2f}, {high:.2f}], n = {probed}."""


def deciding(results: Results) -> str:
    """What it would take to decide whether hard delivery is better with five votes per item and early stopping."""
    improvement = -np.mean([results.paired(m, "soft", "soft_nll", K=5).difference for m in HARD], axis=0)
    low, high = interval(improvement)
    _require(low < 0 < high, "five votes per item and early stopping")
    soft, *hard = (published().table(1).mean(method, "k5") for method in ("soft", *HARD))
    paper = soft - np.mean(hard)
    as_published = improvement - improvement.mean() + paper
    best = np.mean(list(results.values("soft", "epoch", K=5).values())) + 1  # stored from 0
    return f"""\
**What would decide the first finding.** At K = 5 and the best epoch, the improvement of hard delivery over soft labels (the mean of the three deliveries) is {improvement.mean():+.3f} [{low:+.3f}, {high:+.3f}]; it is {paper:+.3f} in the paper.
With the spread of these {len(improvement)} seeds, {seeds_for_direction(as_published)} seeds would show the published improvement, and {seeds_for_direction(improvement)} the one observed here (one-sided test, power 0.8). But the claim is about a larger network. Soft labels reach their best epoch
here after {best:.0f} of 40 epochs and overfit from then on, so early stopping ends training before the delivery matters. The paper's own recipe would decide: ResNet-18 with 200 epochs and ten seeds, `votewise reproduce basins --preset paper --device cuda`."""


def _numbers(results: Results, method: str, k: int | None, checkpoint: str) -> str:
    mean, low, high, _ = difference(results, method, k, checkpoint)
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]"


def _levels(results: Results, *cells: tuple[str, int | None]) -> dict[str, str]:
    """By epoch, whether the intervals of all cells are below zero, above it or include it; "mixed" if they differ."""

    def level(method: str, k: int | None, checkpoint: str) -> str:
        _, low, high, _ = difference(results, method, k, checkpoint)
        return "lower" if high < 0 else "higher" if low > 0 else "level"

    found = {checkpoint: {level(*cell, checkpoint) for cell in cells} for checkpoint in CHECKPOINTS}
    return {checkpoint: levels.pop() if len(levels) == 1 else "mixed" for checkpoint, levels in found.items()}


def _log_ratio(results: Results, quantity: str) -> tuple[float, float, float, int]:
    """The logarithm of the ratio of SLS to soft labels with all votes: mean, ends of its 95 % interval, number of seeds."""
    pair = results.paired("sls", "soft", quantity)
    d = np.log(pair.first / pair.second)
    return (float(d.mean()), *interval(d), len(d))


def _require(holds: bool, finding: str) -> None:
    if not holds:
        raise ValueError(f"the finding on {finding} does not hold for these results; rewrite it")


def _rows(results: Results, checkpoint: str, looks: Looks) -> Iterator[dict[str, Any]]:
    for method, k in COMPARED:
        mean, low, high, _ = difference(results, method, k, checkpoint)
        votes = "all votes" if k is None else f"{k} votes"
        yield {
            "method": looks.name(method), "category": f"{looks.name(method)}, {votes}", "value": mean, "low": low, "high": high
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
            ).properties(height=150, title=title)
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
