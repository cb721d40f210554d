"""Figure 4: what it costs to keep a drawn label for many epochs."""

from __future__ import annotations

from typing import Any

from votewise.evidence.figures.figure import Figure, absent, in_print, mean_sd, rows, setting
from votewise.evidence.figures.marks import HEIGHT, colour, shape
from votewise.evidence.methods import look
from votewise.evidence.published import published
from votewise.evidence.results import Results

TITLE = "Soft NLL by how long a drawn label is kept"


def resampling(results: Results) -> Figure:
    """Soft NLL of SLS by the epochs between two draws: the mean with its SD, and each seed."""
    arms = {every: "sls" if every == 1 else f"sls-every-{every}" for every in results.intervals}
    values = {every: results.values("resampling", method, "soft_nll") for every, method in arms.items()}
    values = {every: by_seed for every, by_seed in values.items() if by_seed}
    if not values:
        return absent(4, TITLE, "runs of the study 'resampling'")
    epochs = results.plans["resampling"].trained_with.epochs
    names = {every: f"{every} (one draw)" if every >= epochs else str(every) for every in values}
    seeds = [
        {"kept": names[every], "seed": seed, "value": value, "method": look("sls").name}
        for every, by_seed in values.items()
        for seed, value in by_seed.items()
    ]
    means = []
    for every, by_seed in values.items():
        mean, sd = mean_sd(list(by_seed.values()))
        row = {"kept": names[every], "value": mean, "low": mean - sd, "high": mean + sd, "sd": sd}
        means.append(row | {"label": f"{mean:.4f}", "method": look("sls").name, "n": len(by_seed)})
    told = ", ".join(f"{names[every]}: {row['label']}" for every, row in zip(values, means, strict=True))
    return Figure(
        4,
        TITLE,
        f"Mean soft NLL of SLS by the epochs for which a drawn label is kept (of {epochs}), with one SD across seeds; thin lines are seeds. "
        + ("An arm with one draw keeps its first label to the end. " if max(values) >= epochs else "")
        + setting(results, max(len(by_seed) for by_seed in values.values()))
        + in_print(results, _paper()),
        "If fresh draws matter, the line rises from left to right, and so does that of every seed.",
        f"Line chart of mean soft NLL by epochs between two draws. {told}.",
        _chart(seeds, means, list(names.values())),
    )


def _paper() -> str:
    found = [published().number(f"t-resample-{every}") for every in (1, 5, 10, 50)]
    return ", ".join(f"{each['value']:.4f} at {each['resample_every']}" for each in found) + " epochs."


def _chart(seeds: list[dict[str, Any]], means: list[dict[str, Any]], order: list[str]) -> Any:
    import altair as alt

    x = alt.X("kept:O", sort=order, title="Epochs for which a drawn label is kept", scale=alt.Scale(padding=0.5))
    y = alt.Y("value:Q", title="Soft NLL (nats)", scale=alt.Scale(zero=False))
    base = alt.Chart(rows(means)).encode(x, color=colour(["sls"], legend=None))
    say = [alt.Tooltip("kept:O", title="kept for"), alt.Tooltip("value:Q", title="mean", format=".4f")]
    say += [alt.Tooltip("sd:Q", title="SD", format=".4f"), alt.Tooltip("n:Q", title="seeds")]
    return alt.layer(
        alt.Chart(rows(seeds))
        .mark_line(strokeWidth=1, opacity=0.3)
        .encode(x, y, detail=alt.Detail("seed:N"), color=colour(["sls"], legend=None)),
        base.mark_line(strokeWidth=2).encode(y),
        base.mark_rule(strokeWidth=2).encode(alt.Y("low:Q", title="Soft NLL (nats)"), y2=alt.Y2("high:Q")),
        base.mark_point(filled=True, size=80, opacity=1).encode(y, shape=shape(["sls"], legend=False), tooltip=say),
        alt.Chart(rows(means)).mark_text(dy=-10).encode(x, alt.Y("high:Q"), text=alt.Text("label:N")),
    ).properties(height=HEIGHT)
