"""Reliability curves: whether confidence matches accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from votewise.comparison import setting
from votewise.reporting.charts.figure import Figure, absent, alt, inline, mean, tips, with_sd
from votewise.reporting.charts.looks import Look, Looks
from votewise.reporting.charts.marks import band, colour, dash, fade, panels, selection
from votewise.studies import Curve, Needs, Results
from votewise.wording import counted

KEY = "reliability-curves"
TITLE = "Smooth reliability curves"
RARE = (
    0.025  # share of the items cut off at either end, where smoothing extends a curve beyond the observed confidences
)
TALL = 280  # pixels
Row = dict[str, Any]


def reliability_curves(results: Results, methods: Sequence[str] | None = None) -> Figure:
    """The mean over seeds of smooth reliability curves on one dataset with its SD, and the density of the confidences, for `methods` or all that have a curve."""
    chosen = tuple(methods or results.methods())
    looks = Looks.of(results)
    curves = {method: results.drawn("reliability", "smooth", method=method, K=None) for method in chosen}
    curves = {method: found for method, found in curves.items() if found}
    rows = [row for method, found in curves.items() for row in _mean_curve(looks.name(method), found)]
    if not rows:
        return absent(KEY, TITLE, Needs(chosen, probe="reliability"))
    errors = {method: mean(results.values(method, "smooth_ece").values()) for method in curves}
    numbers = ", ".join(f"{looks.name(method)} {error:.3f}" for method, error in errors.items() if np.isfinite(error))
    return Figure(
        KEY,
        TITLE,
        "Accuracy: share of items whose predicted class is the majority of the votes, smoothed over the confidence of the prediction; mean over seeds with a"
        " band of one SD, drawn over the middle 95 % of the confidences of every seed. Density: the frequency of each confidence. "
        f"Smooth ECE against the majority, mean over seeds: {numbers}. Against the vote shares, methods may rank differently. "
        + setting(results, "all votes", "best checkpoint", counted(max(map(len, curves.values())), "seed")),
        "On the diagonal, confidence equals accuracy; below it, the model is overconfident.",
        f"Reliability curves of {counted(len(curves), 'method')} and the diagonal. Smooth ECE: {numbers}.",
        _chart(rows, looks.sorted(curves)),
    )  # fmt: skip


def _mean_curve(name: str, curves: Sequence[Curve]) -> list[Row]:
    """The mean over seeds on their common grid, only where all seeds have predictions, to avoid jumps."""
    grid = np.asarray(curves[0].data["confidence"])
    outcome = np.array([curve.data["outcome"] for curve in curves], dtype=np.float64)
    density = np.array([curve.data["density"] for curve in curves], dtype=np.float64)
    share = density / density.sum(axis=1, keepdims=True)
    below = share.cumsum(axis=1)
    dense = (below > RARE) & (below - share < 1 - RARE) & np.isfinite(outcome)
    rows = []
    for place in np.flatnonzero(dense.all(axis=0)):
        row = {"method": name, "confidence": grid[place], **with_sd(outcome[:, place])}
        rows.append(row | {"density": density[:, place].mean()})
    return rows


def _chart(rows: list[Row], looks: list[Look]) -> Any:
    choice = selection()
    least = float(np.floor(min(row["confidence"] for row in rows) * 10) / 10)
    unit = alt.Scale(domain=[0, 1])
    x = alt.X("confidence:Q", title="Confidence of the predicted class", scale=alt.Scale(domain=[least, 1]))
    ends = alt.Chart(inline([{"confidence": least, "value": least}, {"confidence": 1.0, "value": 1.0}]))
    tooltip = tips("method:N", ("confidence:Q", "", ".2f"), ("value:Q", "accuracy", ".3f"))
    lines = band(
        rows, x, title="Accuracy", looks=looks, choice=choice, scale=unit, marked=False, legend="lines", tooltip=tooltip
    )
    lines[0] = lines[0].add_params(choice)  # on the layer with the legend
    left = alt.layer(ends.mark_line(style="zero").encode(x, alt.Y("value:Q", scale=unit)), *lines)
    spread = alt.Chart(inline(rows)).encode(x, color=colour(looks, legend="lines"))
    right = spread.mark_line(strokeWidth=2).encode(
        alt.Y("density:Q", title="Density of items"), strokeDash=dash(looks), opacity=fade(choice)
    )
    return panels([left.properties(height=TALL), alt.layer(right).properties(height=TALL)])
