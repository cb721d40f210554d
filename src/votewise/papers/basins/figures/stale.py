"""Figure 4: soft NLL of SLS by the number of epochs for which a drawn label is kept."""

from __future__ import annotations

from typing import Any

from votewise.comparison import Methods, base, resample_interval
from votewise.papers.basins.figures.captions import ending, most_seeds
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import HEIGHT, Figure, Look, Looks, absent, alt, colour, inline, mean_sd, shape, tips
from votewise.studies import Needs, Results

TITLE = "Soft NLL by how long a drawn label is kept"
INTERVALS = (1, 5, 10, 50)  # of the paper
Row = dict[str, Any]


def resampling(results: Results) -> Figure:
    """Figure 4."""
    variants = {resample_interval(m): label for label, m in Methods.of(results).by_label.items() if base(m) == "sls"}
    values = {every: results.values(variants[every], "soft_nll") for every in sorted(variants)}
    values = {every: by_seed for every, by_seed in values.items() if by_seed}
    if len(values) < 2:
        return absent(4, TITLE, Needs(("sls",), "resampling"))
    look = Looks.of(results)["sls"]
    epochs = max(plan.trained_with.epochs for plan in results.plans.values() if len(plan.resample_every) > 1)
    names = {every: f"{every} (one draw)" if every >= epochs else str(every) for every in values}
    seeds = [
        {"kept": names[every], "seed": seed, "value": value, "method": look.name}
        for every, by_seed in values.items()
        for seed, value in by_seed.items()
    ]
    means = list[Row]()
    for every, by_seed in values.items():
        centre, sd = mean_sd(list(by_seed.values()))
        row = {"kept": names[every], "value": centre, "low": centre - sd, "high": centre + sd, "sd": sd}
        means.append(row | {"label": f"{centre:.4f}", "method": look.name, "n": len(by_seed)})
    words = ", ".join(f"{names[every]}: {row['label']}" for every, row in zip(values, means, strict=True))
    published = ", ".join(f"{number(f't-resample-{every}'):.4f} at {every}" for every in INTERVALS)
    once = "With one draw, the first label is kept to the end. " if max(values) >= epochs else ""
    return Figure(
        4,
        TITLE,
        f"Mean soft NLL of SLS by the number of epochs (of {epochs}) for which a drawn label is kept, with one SD across seeds; thin lines are seeds. {once}"
        + ending(results, most_seeds(values.values()), f"{published} epochs.", "best checkpoint"),
        "If fresh draws matter, the mean and every seed rise from left to right.",
        f"Line chart of mean soft NLL by epochs between two draws. {words}.",
        _chart(seeds, means, list(names.values()), look),
    )  # fmt: skip


def _chart(seeds: list[Row], means: list[Row], order: list[str], look: Look) -> Any:
    x = alt.X("kept:O", sort=order, title="Epochs for which a drawn label is kept", scale=alt.Scale(padding=0.5))
    y = alt.Y("value:Q", title="Soft NLL (nats)", scale=alt.Scale(zero=False))
    base = alt.Chart(inline(means)).encode(x, color=colour([look], legend=None))
    thin = alt.Chart(inline(seeds)).mark_line(strokeWidth=1, opacity=0.3)
    tooltip = tips(("kept:O", "kept for", ""), ("value:Q", "mean", ".4f"), ("sd:Q", "SD", ".4f"), ("n:Q", "seeds", ""))
    return alt.layer(
        thin.encode(x, y, detail=alt.Detail("seed:N"), color=colour([look], legend=None)),
        base.mark_line(strokeWidth=2).encode(y),
        base.mark_rule(strokeWidth=2).encode(alt.Y("low:Q", title="Soft NLL (nats)"), y2=alt.Y2("high:Q")),
        base.mark_point(filled=True, size=80, opacity=1).encode(y, shape=shape([look], legend=False), tooltip=tooltip),
        alt.Chart(inline(means)).mark_text(dy=-10).encode(x, alt.Y("high:Q"), text=alt.Text("label:N")),
    ).properties(height=HEIGHT)
