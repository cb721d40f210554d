"""Figure 11 and the spectrum: the loss between two solutions, and the curvature at each."""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.comparison import inside, listed, name, setting
from votewise.papers.basins.figures.captions import ending, means
from votewise.papers.basins.published import METHODS
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import (
    BAND,
    HEIGHT,
    Figure,
    Looks,
    absent,
    alt,
    colour,
    dash,
    inline,
    lanes,
    mean,
    panels,
    shape,
    tips,
    with_sd,
)
from votewise.studies import Curve, Needs, Results
from votewise.wording import counted

BARRIER = "Loss on the line between SLS and soft labels"
SPECTRUM = "Spectrum of the Hessian"
WAYS = {"loss": "buffers interpolated", "loss_reestimated": "batch norm re-estimated"}
PLACES = "datum.value == 0 ? 'SLS' : datum.value == 1 ? 'Soft' : 'halfway'"
POINTS = 160  # points of a spectrum; the kernel is 1 % of its range wide
DEEPEST = 1e-5  # relative to the highest density
Row = dict[str, Any]


def barrier(results: Results) -> Figure:
    """Figure 11: the loss along the line, and the barrier of each seed compared with that between two runs of one method."""
    curves = results.drawn("barrier", "line", method="sls", other="soft", K=None)
    if not curves:
        return absent(11, BARRIER, Needs(METHODS, "main", probe="barrier"))
    kinds = {
        "SLS to soft labels": results.values("sls", "barrier"),
        "SLS to soft labels, re-estimated": results.values("sls", "barrier_reestimated"),
        "SLS to SLS": results.values("sls", "barrier_within"),
        "soft labels to soft labels": results.values("soft", "barrier_within"),
    }
    kinds = {kind: by_seed for kind, by_seed in kinds.items() if by_seed}
    words = ", ".join(f"{kind} {mean(by_seed.values()):.2f}" for kind, by_seed in kinds.items())
    left = _line(curves, Looks.of(results))
    right = {(kind, None): by_seed for kind, by_seed in kinds.items()}
    return Figure(
        11,
        BARRIER,
        "Lines: evaluation soft NLL on the straight line from the weights of SLS to those of soft labels with the same seed, mean over seeds with a band of one SD. Solid:"
        " batch-norm buffers are interpolated; dashed: they are re-estimated on the training split; dotted: linear interpolation of the losses at the ends. Dots: the barrier"
        " of each seed, which is the maximum of the loss above the dotted line. The lower lanes show barriers between two runs of one method on one split. Ticks are means. "
        f"Mean barriers: {words}. " + ending(results, len(curves), f"mean barrier {number('g-barrier', 'mean'):.2f} over 10 pairs.", "best checkpoint"),
        "A barrier between the ends means that the solutions lie in different basins. If two runs of one method have a barrier of the same height, the delivery is not its cause.",
        f"Line chart of the loss between two solutions, and dots of barriers. Mean barriers: {words}.",
        panels([left, lanes(right, Looks.of(results), axis="Barrier (nats)", zero=True)]) if kinds else left,
    )  # fmt: skip


def _line(curves: list[Curve], looks: Looks) -> Any:
    points = list[Row]()
    for way, text in WAYS.items():
        for place, at in enumerate(curves[0].data["at"]):
            losses = [curve.data[way][place] for curve in curves if way in curve.data]
            if losses:
                points.append({"way": text, "at": at, **with_sd(losses, "loss")})
    shown = list(dict.fromkeys(point["way"] for point in points))
    first = [point for point in points if point["way"] == shown[0]]
    ends = inline([first[0] | {"method": looks.name("sls")}, first[-1] | {"method": looks.name("soft")}])
    x = alt.X(
        "at:Q",
        title="Position on the line between the two solutions",
        scale=alt.Scale(padding=12, nice=False),
        axis=alt.Axis(values=[0, 0.5, 1], labelExpr=PLACES),
    )
    y = alt.Y("loss:Q", title="Evaluation soft NLL (nats)", scale=alt.Scale(zero=False))
    dashes = alt.StrokeDash(
        "way:N",
        scale=alt.Scale(domain=shown, range=[[1, 0], [5, 3]][: len(shown)]),
        legend=alt.Legend(title=None, orient="top", columns=1, symbolType="stroke", symbolSize=300),
    )
    tooltip = tips("way:N", ("at:Q", "", ".2f"), ("loss:Q", "", ".3f"))
    base = alt.Chart(inline(points)).encode(x)
    area = base.mark_area(style="muted", opacity=BAND, strokeWidth=0)
    both = looks.sorted(METHODS)
    return alt.layer(
        area.encode(alt.Y("low:Q"), y2=alt.Y2("high:Q"), detail=alt.Detail("way:N")),
        alt.Chart(ends).mark_line(style="zero").encode(x, y),
        base.mark_line(style="ink", strokeWidth=2).encode(y, strokeDash=dashes, tooltip=tooltip),
        alt.Chart(ends)
        .mark_point(filled=True, size=90, opacity=1)
        .encode(x, y, color=colour(both, legend=None), shape=shape(both, legend=False)),
    ).properties(height=HEIGHT)


def spectrum(results: Results) -> Figure:
    """Not in the paper: the density of all eigenvalues. Tables 4 and 6 have their maximum and their sum."""
    curves = {method: results.drawn("spectrum", "density_full", method=method, K=None) for method in METHODS}
    curves = {method: drawn for method, drawn in curves.items() if drawn}
    if not curves:
        return absent("spectrum", SPECTRUM, Needs(METHODS, "main", probe="spectrum"))
    largest = means({method: results.values(method, "lambda_max_full") for method in curves}, 1)
    return Figure(
        "spectrum",
        SPECTRUM,
        "Density of the eigenvalues of the Hessian of the evaluation soft NLL over all weights (stochastic Lanczos quadrature, smoothed), on a logarithmic scale, with one line"
        f" per seed. Largest eigenvalue, mean over seeds: {largest}. "
        + setting(results, "best checkpoint", counted(max(map(len, curves.values())), "seed"))
        + " Not in the paper.",
        "A method whose lines end further left has a flatter minimum; values left of zero are negative curvature.",
        f"Density of Hessian eigenvalues for {listed(map(inside, map(name, curves)))}. Largest eigenvalue: {largest}.",
        _spectrum(curves, Looks.of(results)),
    )  # fmt: skip


def _spectrum(curves: dict[str, list[Curve]], looks: Looks) -> Any:
    points = list[Row]()
    for method, drawn in curves.items():
        for curve in drawn:
            x, y = np.asarray(curve.data["x"]), np.asarray(curve.data["y"])
            grid = x if len(x) <= POINTS else np.linspace(x[0], x[-1], POINTS)
            density = np.interp(grid, x, y)
            keep = density > DEEPEST * density.max()
            points += [
                {"method": looks.name(method), "seed": curve.seed, "eigenvalue": at, "density": high}
                for at, high in zip(grid[keep], density[keep], strict=True)
            ]
    shown = looks.sorted(curves)
    return (
        alt.Chart(inline(points))
        .mark_line(strokeWidth=1.4, opacity=0.6)
        .encode(
            alt.X("eigenvalue:Q", title="Eigenvalue"),
            alt.Y("density:Q", title="Density", scale=alt.Scale(type="log"), axis=alt.Axis(format=".0e")),
            color=colour(shown, legend="lines"),
            strokeDash=dash(shown),
            detail=alt.Detail("seed:N"),
            tooltip=tips("method:N", "seed:Q", ("eigenvalue:Q", "", ".3g")),
        )
        .properties(height=HEIGHT)
    )
