"""Figures 4, 7 and 8: how long labels are kept, gradient noise, and training speed."""

from __future__ import annotations

from typing import Any

from votewise.comparison import Methods, base, fixed, name, resample_interval
from votewise.papers.basins.figures.captions import ending, means, most_seeds, span
from votewise.papers.basins.published import METHODS
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import (
    HEIGHT,
    LOSSES,
    TITLE,
    Figure,
    Look,
    Looks,
    absent,
    alt,
    colour,
    histories,
    history_panels,
    inline,
    lanes,
    mean,
    mean_sd,
    panels,
    shape,
    tips,
)
from votewise.studies import Curve, Needs, Results

Row = dict[str, Any]
MARKS = {"epoch_95": "first within 5 % of its best", "best_epoch": "at its best"}
KEPT = "Soft NLL by the number of epochs between draws"
INTERVALS = (1, 5, 10, 50)  # in the paper
NOISE = "Gradient noise by annotator entropy"
KINDS = {
    "noise_correlation": "in closed form", "noise_correlation_sampled": "with drawn labels", "noise_correlation_disputed": "without unanimous items",
}  # fmt: skip


def dynamics(results: Results) -> Figure:
    """Figure 8: evaluation soft NLL by epoch, and the epochs at which each seed is within 5 % of its best and at its best."""
    curves = histories(results, METHODS)
    if not curves:
        return absent(8, TITLE, Needs(METHODS, "main", probe="dynamics"))
    looks = Looks.of(results)
    values = {
        (mark, method): {seed: epoch + 1 for seed, epoch in results.values(method, key).items()}  # stored from 0
        for key, mark in MARKS.items()
        for method in curves
    }
    words = "; ".join(
        f"{mark}: "
        + ", ".join(f"{name(method)} epoch {fixed(mean(values[mark, method].values()), 1)}" for method in curves)
        for mark in MARKS.values()
    )
    ends = means({method: results.values(method, "soft_nll_end") for method in curves}, 4)
    early, best = number("d-epochs-95"), number("d-epochs-best")
    published = f"SLS comes within 5 % of its best {early:.1f} epochs earlier than soft labels, and reaches its best {best:.1f} epochs earlier (of 200 epochs)."
    left = history_panels(curves, looks, {"soft_nll": LOSSES["soft_nll"]})
    return Figure(
        8,
        TITLE,
        "Lines: evaluation soft NLL by epoch, mean over seeds with a band of one SD. The first fifth of the epochs, and a method far above the other, may lie outside the chart. Dots: the"
        " first epoch of each seed with a soft NLL of at most best / 0.95 (within 5 % of its best), and its best epoch. Ticks are means."
        f" Means: {words}. Soft NLL after the last epoch: {ends}. " + ending(results, max(map(len, curves.values())), published),
        "A method that learns faster has a line that falls earlier and dots at earlier epochs.",
        f"Line chart of soft NLL by epoch, and dots of epochs. {words}. Soft NLL after the last epoch: {ends}.",
        panels([*left, lanes(values, looks, axis="Epoch", legend="lines")]).resolve_scale(shape="independent"),  # otherwise the legend of the lines shows the shapes of the dots
    )  # fmt: skip


def resampling(results: Results) -> Figure:
    """Figure 4."""
    variants = {resample_interval(m): label for label, m in Methods.of(results).by_label.items() if base(m) == "sls"}
    values = {every: results.values(variants[every], "soft_nll") for every in sorted(variants)}
    values = {every: by_seed for every, by_seed in values.items() if by_seed}
    if len(values) < 2:
        return absent(4, KEPT, Needs(("sls",), "resampling"))
    look = Looks.of(results)["sls"]
    epochs = max(plan.trained_with.epochs for plan in results.plans.values() if len(plan.resample_every) > 1)
    names = {every: f"{every} (one draw)" if every >= epochs else str(every) for every in values}
    seeds = [
        {"kept": names[every], "seed": seed, "value": value, "method": look.name}
        for every, by_seed in values.items()
        for seed, value in by_seed.items()
    ]
    centres = list[Row]()
    for every, by_seed in values.items():
        centre, sd = mean_sd(list(by_seed.values()))
        row = {"kept": names[every], "value": centre, "low": centre - sd, "high": centre + sd, "sd": sd}
        centres.append(row | {"label": f"{centre:.4f}", "method": look.name, "n": len(by_seed)})
    words = ", ".join(f"{names[every]}: {row['label']}" for every, row in zip(values, centres, strict=True))
    published = ", ".join(f"{number(f't-resample-{every}'):.4f} at {every}" for every in INTERVALS)
    once = "With one draw, the first label is kept until the end of training. " if max(values) >= epochs else ""
    return Figure(
        4,
        KEPT,
        f"Mean soft NLL of SLS by the number of epochs for which a drawn label is kept (training has {epochs} epochs), with one SD across seeds. Thin lines are seeds. {once}"
        + ending(results, most_seeds(values.values()), f"{published} epochs (of 200).", "best checkpoint"),
        "If it matters that labels are drawn often, the mean and every seed rise from left to right.",
        f"Line chart of mean soft NLL by epochs between two draws. {words}.",
        _kept_chart(seeds, centres, list(names.values()), look),
    )  # fmt: skip


def _kept_chart(seeds: list[Row], centres: list[Row], order: list[str], look: Look) -> Any:
    x = alt.X("kept:O", sort=order, title="Epochs for which a drawn label is kept", scale=alt.Scale(padding=0.5))
    y = alt.Y("value:Q", title="Soft NLL (nats)", scale=alt.Scale(zero=False))
    marks = alt.Chart(inline(centres)).encode(x, color=colour([look], legend=None))
    thin = alt.Chart(inline(seeds)).mark_line(strokeWidth=1, opacity=0.3)
    tooltip = tips(("kept:O", "kept for", ""), ("value:Q", "mean", ".4f"), ("sd:Q", "SD", ".4f"), ("n:Q", "seeds", ""))
    return alt.layer(
        thin.encode(x, y, detail=alt.Detail("seed:N"), color=colour([look], legend=None)),
        marks.mark_line(strokeWidth=2).encode(y),
        marks.mark_rule(strokeWidth=2).encode(alt.Y("low:Q", title="Soft NLL (nats)"), y2=alt.Y2("high:Q")),
        marks.mark_point(filled=True, size=80, opacity=1).encode(y, shape=shape([look], legend=False), tooltip=tooltip),
        alt.Chart(inline(centres)).mark_text(dy=-10).encode(x, alt.Y("high:Q"), text=alt.Text("label:N")),
    ).properties(height=HEIGHT)


def gradient_noise(results: Results) -> Figure:
    """Figure 7: the items of one seed, and three Spearman correlations for each seed."""
    curves = results.drawn("noise", "items", method="sls", K=None)
    values = {kind: results.values("sls", kind) for kind in KINDS}
    if not curves or not values["noise_correlation"]:
        return absent(7, NOISE, Needs(("sls",), "main", probe="noise"))
    closed_form = span(values["noise_correlation"].values(), 3)
    averages = "; ".join(f"{KINDS[kind]}: {mean(by_seed.values()):.3f}" for kind, by_seed in values.items() if by_seed)
    low, high = (number("n-spearman", field) for field in ("low", "high"))
    published = f"mean {number('n-spearman', 'mean'):.3f}, from {low:.3f} to {high:.3f}."
    return Figure(
        7,
        NOISE,
        f"Points are training items (SLS, seed {curves[0].seed}): the variance of the last layer's gradient over drawn labels, (‖h‖² + 1)(1 − ‖p‖²), by annotator"
        " entropy. Lanes: Spearman correlation of the two for each seed, with the variance in closed form, with the variance over drawn labels, and without unanimous"
        f" items. Ticks are means. Closed form: {closed_form}. " + ending(results, len(values["noise_correlation"]), published, "best checkpoint"),
        "If the points rise to the right, the noise of SLS grows with disagreement. This follows almost entirely from the formula, so the correlation without unanimous items"
        " is more informative.",
        f"Scatter plot of gradient variance by annotator entropy. Spearman correlation per seed: {closed_form}. Means: {averages}.",
        _noise_chart(curves[0], values, Looks.of(results)),
    )  # fmt: skip


def _noise_chart(curve: Curve, values: dict[str, dict[int, float]], looks: Looks) -> Any:
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
    return panels([left, lanes(by_kind, looks, axis="Spearman correlation, per seed", legend=None)])
