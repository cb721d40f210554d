"""Figure 11 and the spectrum: what lies between two solutions, and how curved the loss is at each."""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.evidence.figures.figure import Figure, absent, digits, in_print, mean_sd, rows, setting
from votewise.evidence.figures.marks import BAND, HEIGHT, colour, dash, lanes, panels, shape
from votewise.evidence.methods import in_words, listed, look
from votewise.evidence.published import published
from votewise.evidence.results import Curve, Results

BARRIER = "Loss on the line between SLS and soft labels"
SPECTRUM = "Spectrum of the Hessian"
ARMS = ("soft", "sls")
WAYS = {"loss": "buffers interpolated", "loss_reestimated": "batch norm re-estimated"}
PLACES = "datum.value == 0 ? 'SLS' : datum.value == 1 ? 'Soft' : 'halfway'"
POINTS = 160  # of a spectrum, whose kernel is a hundredth of it wide
DEEPEST = 1e-5  # of the highest density


def barrier(results: Results) -> Figure:
    """Figure 11: the loss along the line, and the barrier of each seed beside that between two runs of one method."""
    curves = results.drawn("barrier", "line", method="sls", other="soft", K=None)
    if not curves:
        return absent(11, BARRIER, "the probe 'barrier' on runs of the study 'main' (sls and soft of the same seed)")
    kinds = {
        "SLS to soft labels": results.values("main", "sls", "barrier"),
        "SLS to soft labels, re-estimated": results.values("main", "sls", "barrier_reestimated"),
        "SLS to SLS": results.values("main", "sls", "barrier_within"),
        "soft labels to soft labels": results.values("main", "soft", "barrier_within"),
    }
    kinds = {name: by_seed for name, by_seed in kinds.items() if by_seed}
    told = ", ".join(f"{name} {digits(mean_sd(list(by_seed.values()))[0], 2)}" for name, by_seed in kinds.items())
    return Figure(
        11,
        BARRIER,
        "Left: evaluation soft NLL on the straight line from the SLS solution to the soft-label solution of the same seed, mean over seeds with a band of one SD; solid with "
        "batch-norm buffers interpolated, dashed with them re-estimated on the training split; dotted, the straight line between the ends. Right: the barrier, "
        "the highest loss above that straight line, of each seed; below, between two runs of one method on one split. "
        f"Mean barriers: {told}. " + setting(results, len(curves)) + in_print(results, _paper()),
        "A hill between the ends means that the two solutions lie in different basins; if two runs of one method have the same hill, the delivery is not the reason.",
        f"Line chart of the loss between two solutions, and dots of barriers. Mean barriers: {told}.",
        _line(curves, kinds),
    )  # fmt: skip


def _paper() -> str:
    return f"mean barrier {published().number('g-barrier')['mean']:.2f} over 10 pairs."


def _line(curves: list[Curve], kinds: dict[str, dict[int, float]]) -> Any:
    import altair as alt

    points = []
    for way, name in WAYS.items():
        for place, at in enumerate(curves[0].data["at"]):
            found = [curve.data[way][place] for curve in curves if way in curve.data]
            if found:
                mean, sd = mean_sd(found)
                points.append({"way": name, "at": at, "loss": mean, "low": mean - sd, "high": mean + sd})
    shown = [name for name in WAYS.values() if any(point["way"] == name for point in points)]
    first = [point for point in points if point["way"] == shown[0]]
    ends = [
        first[0] | {"method": look("sls").name},
        first[-1] | {"method": look("soft").name},
    ]
    x = alt.X(
        "at:Q", title="Place on the line between the two solutions", axis=alt.Axis(values=[0, 0.5, 1], labelExpr=PLACES)
    )
    y = alt.Y("loss:Q", title="Evaluation soft NLL (nats)", scale=alt.Scale(zero=False))
    dashes = alt.StrokeDash(
        "way:N",
        scale=alt.Scale(domain=shown, range=[[1, 0], [5, 3]][: len(shown)]),
        legend=alt.Legend(title=None, orient="top", columns=1, symbolType="stroke", symbolSize=300),
    )
    base = alt.Chart(rows(points)).encode(x)
    left = alt.layer(
        base.mark_area(style="muted", opacity=BAND, strokeWidth=0).encode(alt.Y("low:Q"), y2=alt.Y2("high:Q"), detail=alt.Detail("way:N")),
        alt.Chart(rows(ends)).mark_line(style="zero").encode(x, y),
        base.mark_line(style="ink", strokeWidth=2).encode(
            y, strokeDash=dashes, tooltip=[alt.Tooltip("way:N"), alt.Tooltip("at:Q", format=".2f"), alt.Tooltip("loss:Q", format=".3f")]
        ),
        alt.Chart(rows(ends)).mark_point(filled=True, size=90, opacity=1).encode(
            x, y, color=colour(ARMS, legend=None), shape=shape(ARMS, legend=False)
        ),
    ).properties(height=HEIGHT)  # fmt: skip
    if not kinds:
        return left
    right = lanes({(name, None): by_seed for name, by_seed in kinds.items()}, axis="Barrier (nats)", zero=True)
    return panels([left, right])


def spectrum(results: Results) -> Figure:
    """Not in the paper: the density of all eigenvalues of which Tables 4 and 6 have the largest and the sum."""
    curves = {method: results.drawn("spectrum", "density_full", method=method, K=None) for method in results.arms(ARMS)}
    curves = {method: found for method, found in curves.items() if found}
    if not curves:
        return absent("spectrum", SPECTRUM, "the probe 'spectrum' on runs of the study 'main' (soft, sls)")
    largest = {method: list(results.values("main", method, "lambda_max_full").values()) for method in curves}
    told = ", ".join(f"{look(method).name} {np.mean(found):.3g}" for method, found in largest.items() if found)
    return Figure(
        "spectrum",
        SPECTRUM,
        "Density of the eigenvalues of the Hessian of the evaluation soft NLL over all weights (stochastic Lanczos quadrature, smoothed), a line for each seed; the density is on a "
        f"logarithmic scale. Largest eigenvalue, mean over seeds: {told}. "
        + setting(results, max(len(found) for found in curves.values()))
        + " Not in the paper.",
        "A method whose lines end further to the left sits in a flatter place; what lies left of zero is negative curvature.",
        f"Density of Hessian eigenvalues for {listed(map(in_words, curves))}. Largest eigenvalue: {told}.",
        _spectrum(curves),
    )  # fmt: skip


def _spectrum(curves: dict[str, list[Curve]]) -> Any:
    import altair as alt

    points = []
    for method, found in curves.items():
        for curve in found:
            x, y = np.asarray(curve.data["x"]), np.asarray(curve.data["y"])
            grid = x if len(x) <= POINTS else np.linspace(x[0], x[-1], POINTS)
            density = np.interp(grid, x, y)
            keep = density > DEEPEST * density.max()
            points += [
                {"method": look(method).name, "seed": curve.seed, "eigenvalue": at, "density": high}
                for at, high in zip(grid[keep], density[keep], strict=True)
            ]
    return (
        alt.Chart(rows(points))
        .mark_line(strokeWidth=1.4, opacity=0.6)
        .encode(
            alt.X("eigenvalue:Q", title="Eigenvalue"),
            alt.Y("density:Q", title="Density", scale=alt.Scale(type="log"), axis=alt.Axis(format=".0e")),
            color=colour(list(curves), legend="lines"),
            strokeDash=dash(list(curves)),
            detail=alt.Detail("seed:N"),
            tooltip=[alt.Tooltip("method:N"), alt.Tooltip("seed:Q"), alt.Tooltip("eigenvalue:Q", format=".3g")],
        )
        .properties(height=HEIGHT)
    )
