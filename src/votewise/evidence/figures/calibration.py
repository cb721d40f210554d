"""Figures 3 and 10: whether confidence means what it says."""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.evidence.figures.figure import Figure, absent, digits, in_print, mean_sd, rows, setting
from votewise.evidence.figures.marks import BAND, chosen, colour, dash, faded, panels, strip
from votewise.evidence.methods import QUANTITIES, in_order, look
from votewise.evidence.published import published
from votewise.evidence.results import Curve, Results

SMOOTH = "Smooth reliability curves"
BRIER = "Brier score in parts"
DRAWN = ("soft", "sls", "majority")
ARMS = ("soft", "sls")
THIN = 0.02  # of the highest density: below it a curve is a guess from far away, and is not drawn


def reliability(results: Results) -> Figure:
    """Figure 3: the mean over seeds of smooth reliability curves, with its SD, and where the confidences lie."""
    curves = {method: results.drawn("reliability", "smooth", method=method, K=None) for method in results.arms(DRAWN)}
    points = [point for method, found in curves.items() if found for point in _mean_curve(method, found)]
    if not points:
        return absent(3, SMOOTH, "the probe 'reliability' on runs of the study 'main' (soft, sls, majority)")
    curves = {method: found for method, found in curves.items() if found}
    errors = {method: list(results.values("main", method, "smooth_ece").values()) for method in curves}
    told = ", ".join(f"{look(method).name} {np.mean(found):.3f}" for method, found in errors.items() if found)
    return Figure(
        3,
        SMOOTH,
        "Left: share of items on which the predicted class is that of most annotators, smoothed over the confidence of the prediction; mean "
        "over seeds with a band of one SD, drawn where all seeds have confidences. Right: how the confidences are spread. "
        f"Smooth ECE, mean over seeds: {told}. "
        + setting(results, max(len(found) for found in curves.values()))
        + in_print(results, _paper()),
        "A curve on the diagonal means that confidence is the share of hits; below it, the model is surer than it should be.",
        f"Reliability curves of {len(curves)} methods beside the diagonal. Smooth ECE: {told}.",
        _curves(points, list(curves)),
    )


def _paper() -> str:
    return "smooth ECE " + ", ".join(
        f"{look(method).name} {published().number(f'f-smooth-ece-{method}')['value']:.3f}" for method in DRAWN
    ) + "."  # fmt: skip


def _mean_curve(method: str, curves: list[Curve]) -> list[dict[str, Any]]:
    """The mean over seeds on their common grid, where all of them have confidences: a seed that comes or goes would be a jump."""
    grid = np.asarray(curves[0].data["confidence"])
    outcome = np.array([curve.data["outcome"] for curve in curves], dtype=np.float64)
    density = np.array([curve.data["density"] for curve in curves], dtype=np.float64)
    there = (density > THIN * density.max(axis=1, keepdims=True)) & np.isfinite(outcome)
    found = []
    for place in np.flatnonzero(there.all(axis=0)):
        mean, sd = mean_sd(outcome[:, place])
        row = {"method": look(method).name, "confidence": grid[place], "outcome": mean, "low": mean - sd}
        found.append(row | {"high": mean + sd, "density": density[:, place].mean()})
    return found


def _curves(points: list[dict[str, Any]], methods: list[str]) -> Any:
    import altair as alt

    choice = chosen()
    methods = in_order(methods)
    unit = alt.Scale(domain=[0, 1])
    low = min(point["confidence"] for point in points)
    x = alt.X(
        "confidence:Q", title="Confidence of the predicted class", scale=alt.Scale(domain=[np.floor(low * 10) / 10, 1])
    )
    base = alt.Chart(rows(points)).encode(x, color=colour(methods, legend="lines"))
    ends = [{"confidence": float(np.floor(low * 10) / 10)}, {"confidence": 1.0}]
    say = [
        alt.Tooltip("method:N"),
        alt.Tooltip("confidence:Q", format=".2f"),
        alt.Tooltip("outcome:Q", title="share of hits", format=".3f"),
    ]
    left = alt.layer(
        alt.Chart(rows(ends)).mark_line(style="zero").encode(x, alt.Y("confidence:Q", scale=unit)),
        base.mark_area(clip=True).encode(alt.Y("low:Q", scale=unit), y2=alt.Y2("high:Q"), opacity=faded(choice, BAND)),
        base.mark_line(strokeWidth=2, clip=True).encode(
            alt.Y("outcome:Q", title="Share of hits", scale=unit),
            strokeDash=dash(methods), opacity=faded(choice), tooltip=say,
        ).add_params(choice),
    ).properties(height=280)  # fmt: skip
    right = base.mark_line(strokeWidth=2).encode(
        alt.Y("density:Q", title="Density of items"), strokeDash=dash(methods), opacity=faded(choice)
    )
    return panels([left, alt.layer(right).properties(height=280)])


def brier(results: Results) -> Figure:
    """Figure 10: reliability and resolution of each method, each seed and the mean with its SD."""
    parts = ("brier_reliability", "brier_resolution")
    values = {
        part: {(part, method): results.values("main", method, part) for method in results.arms(ARMS)} for part in parts
    }
    if not any(by_seed for found in values.values() for by_seed in found.values()):
        return absent(10, BRIER, "runs of the study 'main' (soft, sls)")
    told = "; ".join(
        f"{QUANTITIES[part].name.lower()} "
        + ", ".join(f"{look(method).name} {_spread(by_seed)}" for (_, method), by_seed in found.items() if by_seed)
        for part, found in values.items()
    )
    values = {part: {at: by_seed for at, by_seed in found.items() if by_seed} for part, found in values.items()}
    arrows = {"brier_reliability": "Reliability (lower is better)", "brier_resolution": "Resolution (higher is better)"}
    return Figure(
        10,
        BRIER,
        "Parts of the Brier score of the predicted class, in the bins of equal-mass ECE: reliability (the gap of confidence and hits) and resolution (how far "
        "the hits of the bins are apart). Dots are seeds, joined by a line; large marks are means with one SD. "
        f"Means: {told}. "
        + setting(results, max(len(by_seed) for found in values.values() for by_seed in found.values()))
        + in_print(results, "close on reliability, SLS slightly higher on resolution; no numbers."),
        "Good predictions are low on the left and high on the right"
        + ("." if results.own else "; lines that rise mean that SLS has more of it."),
        f"Two panels of dots. {told}.",
        panels([strip(found, axis=arrows[part], categories=[part]) for part, found in values.items()]),
    )  # fmt: skip


def _spread(by_seed: dict[int, float]) -> str:
    mean, sd = mean_sd(list(by_seed.values()))
    return f"{digits(mean, 4)} ± {digits(sd, 4)}"
