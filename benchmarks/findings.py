"""The findings of the replication as one table and one figure for the README, computed from the committed results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np

from benchmarks.page_tables import markdown
from votewise.comparison import interval, name, votes_name
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
    """A table of differences from soft labels: few votes, all votes, and the majority instead of the votes."""
    seeds = min(difference(results, method, k, "best")[3] for method, k in COMPARED)
    rows = [
        (name(method), votes_name(k), *(_cell(results, method, k, checkpoint) for checkpoint in CHECKPOINTS))
        for method, k in COMPARED
    ]
    return (
        f"Soft NLL minus that of soft labels on held-out items of CIFAR-10H, in nats, with 95 % intervals over at least {seeds} seeds.\n"
        "Negative is better than soft labels; intervals that exclude zero are bold. The network is smaller than the paper's\nResNet-18.\n\n"
        + markdown(("method", "votes per item", "best epoch", "last epoch"), rows)
    )


def _cell(results: Results, method: str, k: int | None, checkpoint: str) -> str:
    mean, low, high, _ = difference(results, method, k, checkpoint)
    text = f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]"
    return text if low <= 0 <= high else f"**{text}**"


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
