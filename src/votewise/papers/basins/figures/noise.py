"""Figure 7: gradient noise of drawn labels by annotator entropy."""

from __future__ import annotations

from typing import Any

from votewise.papers.basins.figures.captions import ending, span
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import HEIGHT, Figure, Looks, absent, alt, colour, inline, lanes, mean, panels, tips
from votewise.studies import Curve, Needs, Results

TITLE = "Gradient noise by annotator entropy"
KINDS = {
    "noise_correlation": "in closed form",
    "noise_correlation_sampled": "with drawn labels",
    "noise_correlation_disputed": "without unanimous items",
}


def gradient_noise(results: Results) -> Figure:
    """Figure 7: the items of one seed, and the Spearman correlation of every seed in three ways."""
    curves = results.drawn("noise", "items", method="sls", K=None)
    values = {kind: results.values("sls", kind) for kind in KINDS}
    if not curves or not values["noise_correlation"]:
        return absent(7, TITLE, Needs(("sls",), "main", probe="noise"))
    closed_form = span(values["noise_correlation"].values(), 3)
    means = "; ".join(f"{KINDS[kind]}: {mean(by_seed.values()):.3f}" for kind, by_seed in values.items() if by_seed)
    low, high = (number("n-spearman", field) for field in ("low", "high"))
    published = f"mean {number('n-spearman', 'mean'):.3f}, from {low:.3f} to {high:.3f}."
    return Figure(
        7,
        TITLE,
        f"Left: training items of seed {curves[0].seed} with SLS: variance of the last layer's gradient over drawn labels, (‖h‖² + 1)(1 − ‖p‖²), by annotator"
        " entropy. Right: Spearman correlation of the two for each seed: in closed form, with drawn labels, and over items on which annotators disagree;"
        f" ticks are means. Closed form: {closed_form}. " + ending(results, len(values["noise_correlation"]), published, "best checkpoint"),
        "Points that rise to the right mean that the noise of SLS grows with disagreement. This is close to algebra, so the correlation without unanimous items"
        " says more.",
        f"Scatter plot of gradient variance by annotator entropy. Spearman correlation per seed: {closed_form}. Means: {means}.",
        _chart(curves[0], values, Looks.of(results)),
    )  # fmt: skip


def _chart(curve: Curve, values: dict[str, dict[int, float]], looks: Looks) -> Any:
    items = [
        {"entropy": entropy, "variance": variance, "method": looks.name("sls")}
        for entropy, variance in zip(curve.data["entropy"], curve.data["variance"], strict=True)
    ]
    left = (
        alt.Chart(inline(items))
        .mark_point(filled=True, size=16, opacity=0.45)
        .encode(
            alt.X("entropy:Q", title="Annotator entropy (nats)", scale=alt.Scale(padding=6, nice=False)),
            alt.Y("variance:Q", title="Variance of the gradient"),
            color=colour([looks["sls"]], legend=None),
            tooltip=tips(("entropy:Q", "", ".3f"), ("variance:Q", "", ".3g")),
        )
        .properties(height=HEIGHT)
    )
    by_kind = {(KINDS[kind], "sls"): by_seed for kind, by_seed in values.items() if by_seed}
    return panels([left, lanes(by_kind, looks, axis="Spearman correlation, per seed", legend=False)])
