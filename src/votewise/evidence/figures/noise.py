"""Figure 7: the noise that drawing labels adds to the gradient sits where annotators disagree."""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.evidence.figures.figure import Figure, absent, digits, in_print, rows, setting
from votewise.evidence.figures.marks import HEIGHT, colour, lanes, panels
from votewise.evidence.methods import look
from votewise.evidence.published import published
from votewise.evidence.results import Curve, Results

TITLE = "Gradient noise by annotator entropy"
KINDS = {
    "noise_correlation": "in closed form",
    "noise_correlation_sampled": "with drawn labels",
    "noise_correlation_disputed": "without unanimous items",
}


def gradient_noise(results: Results) -> Figure:
    """Items of one seed, and the Spearman correlation of every seed in three ways."""
    curves = results.drawn("noise", "items", method="sls", K=None)
    values = {kind: results.values("main", "sls", kind) for kind in KINDS}
    if not curves or not values["noise_correlation"]:
        return absent(7, TITLE, "the probe 'noise' on runs of the study 'main' (sls)")
    found = list(values["noise_correlation"].values())
    told = f"mean {digits(float(np.mean(found)), 3)}, from {digits(min(found), 3)} to {digits(max(found), 3)}"
    others = "; ".join(
        f"{KINDS[kind]}: {np.mean(list(by_seed.values())):.3f}" for kind, by_seed in values.items() if by_seed
    )
    return Figure(
        7,
        TITLE,
        f"Left: training items of seed {curves[0].seed} under SLS: variance of the last layer's gradient when the label is drawn, (‖h‖² + 1)(1 − ‖p‖²), "
        "by annotator entropy. Right: Spearman correlation of the two for each seed; in closed form, with drawn labels, and over the items on "
        f"which annotators disagree; the line is the mean. Closed form: {told}. "
        + setting(results, len(found))
        + in_print(results, _paper()),
        "Points that rise from left to right mean that the noise of SLS grows with disagreement; that they do is close to algebra, so the "
        "correlation without unanimous items says more.",
        f"Scatter plot of gradient variance by annotator entropy. Spearman correlation per seed: {told}. Means: {others}.",
        _chart(curves[0], values),
    )  # fmt: skip


def _paper() -> str:
    found = published().number("n-spearman")
    return f"mean {found['mean']:.3f}, from {found['low']:.3f} to {found['high']:.3f}."


def _chart(curve: Curve, values: dict[str, dict[int, float]]) -> Any:
    import altair as alt

    name = look("sls").name
    items = [
        {"entropy": entropy, "variance": variance, "method": name}
        for entropy, variance in zip(curve.data["entropy"], curve.data["variance"], strict=True)
    ]
    left = (
        alt.Chart(rows(items))
        .mark_point(filled=True, size=16, opacity=0.45)
        .encode(
            alt.X("entropy:Q", title="Annotator entropy (nats)", scale=alt.Scale(padding=6, nice=False)),
            alt.Y("variance:Q", title="Variance of the gradient"),
            color=colour(["sls"], legend=None),
            tooltip=[alt.Tooltip("entropy:Q", format=".3f"), alt.Tooltip("variance:Q", format=".3g")],
        )
        .properties(height=HEIGHT)
    )
    right = lanes(
        {(KINDS[kind], "sls"): by_seed for kind, by_seed in values.items() if by_seed},
        axis="Spearman correlation, per seed",
        legend=False,
    )
    return panels([left, right])
