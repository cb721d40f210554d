"""Paired differences: the soft NLL of each method minus that of the reference, seed by seed."""

from __future__ import annotations

from typing import Any

from votewise.comparison import (
    ModelRecommendation,
    Value,
    axis,
    comparable,
    fixed,
    inside,
    listed,
    quantity,
    reference_of,
    setting,
    side_by_side,
    votes_name,
)
from votewise.reporting.charts.figure import Figure, absent, alt, inline, tips
from votewise.reporting.charts.looks import OTHERS, Look, Looks
from votewise.reporting.charts.marks import colour, lane_names, panels, shape, span
from votewise.studies import Results
from votewise.wording import counted

KEY = "paired-differences"
TITLE = "Paired differences from the reference"
MODELS = "model-differences"
MODELS_TITLE = "Paired differences between models"
LANE = 44  # pixels per method
FAR = (
    5  # multiple of the largest distance from zero of the median method, above which a method is left out of the scale
)
COMPARED = "soft_nll"
Row = dict[str, Any]
Panel = tuple[int | None, str]  # votes per item, checkpoint


def paired_differences(results: Results) -> Figure:
    """The difference of each method from the reference per seed, and its mean with the 95 % interval, at the best and at the last epoch."""
    results = comparable(results)
    table, reference = side_by_side(results), reference_of(results)
    tested = [v for v in table.values if v.quantity == COMPARED and v.difference is not None]
    if reference is None or not tested:
        return absent(KEY, TITLE, *table.missing or table.definition.needs)
    looks = Looks.of(results)
    by_panel: dict[Panel, list[Value]] = {}
    for value in sorted(tested, key=lambda value: (value.K is not None, -(value.K or 0), value.checkpoint)):
        by_panel.setdefault((value.K, value.checkpoint), []).append(value)
    against = looks.in_sentence(reference)
    label = inside(quantity(COMPARED).label)
    words = "; ".join(
        f"{_title(panel)}: " + ", ".join(f"{looks.name(v.method)} {fixed(v.difference or 0, 4)}" for v in values)
        for panel, values in by_panel.items()
    )
    chart, outside = _chart(results, by_panel, reference, looks)
    far = f" Outside the chart: {listed(outside)}." if outside else ""
    return Figure(
        KEY,
        TITLE,
        f"The {label} of each method minus that of {against} with the same seed. Dots are seeds; large marks are means with 95 % t intervals (not corrected)."
        " Filled marks are significant after Holm's correction over all comparisons at that epoch."
        + f"{far} "
        + setting(results, counted(max(v.pairs or 0 for v in tested), "seed")),
        f"Left of zero, a method fits the votes better than {against}.",
        f"Dots of differences in {label} from {against}. Means: {words}.",
        chart,
    )  # fmt: skip


def model_differences(best: ModelRecommendation) -> Figure:
    """The difference of each other model from the recommended model, each with its own method, at the best and at the last epoch."""
    if not any(best.differences.values()):
        return absent(MODELS, MODELS_TITLE)
    label, looks = inside(quantity(COMPARED).label), [Look(model, *OTHERS[place % len(OTHERS)]) for place, model in enumerate(best.differences)]  # fmt: skip
    by_epoch: dict[str, list[Row]] = {}
    for model, gaps in best.differences.items():
        for epoch, (mean, low, high) in gaps.items():
            place = {"method": model, "category": best.with_method(model, epoch)}
            ends = {"value": mean, "low": low, "high": high, "significant": low > 0 or high < 0}
            by_epoch.setdefault(epoch, []).append(place | ends)
    words = "; ".join(
        f"{epoch} epoch: " + ", ".join(f"{row['category']} {fixed(row['value'], 4)}" for row in rows)
        for epoch, rows in by_epoch.items()
    )
    names = {epoch: f"the {best.with_method(best.model, epoch)}" for epoch in by_epoch}
    same = len(set(names.values())) == 1
    chosen = names["best"] if same else " and ".join(f"{name} ({epoch} epoch)" for epoch, name in names.items())
    return Figure(
        MODELS,
        MODELS_TITLE,
        f"The {label} of each other model with its own method minus that of {chosen}, over paired seeds: means with {best.intervals} (t). Marks are filled if the interval does not contain zero.",
        f"Right of zero, a model fits the votes worse than {chosen}.",
        f"Dots of differences in {label} from {chosen}. Means: {words}.",
        panels([_panel([], rows, f"{epoch} epoch", looks) for epoch, rows in by_epoch.items()]),
    )  # fmt: skip


def _title(panel: Panel) -> str:
    votes, checkpoint = panel
    return f"{'all votes' if votes is None else f'K = {votes_name(votes)}'}, {checkpoint} epoch"


def _chart(results: Results, by_panel: dict[Panel, list[Value]], reference: str, looks: Looks) -> tuple[Any, list[str]]:
    """The chart, and the methods that lie outside one of its panels, with their differences."""
    outside = list[str]()
    shown = looks.sorted(dict.fromkeys(value.method for values in by_panel.values() for value in values))
    charts = []
    for panel, values in by_panel.items():
        k, checkpoint = panel
        seeds, means = list[Row](), list[Row]()
        for value in values:
            paired = results.paired(value.method, reference, COMPARED, K=k, checkpoint=checkpoint)
            name = looks.name(value.method)
            place = {"method": name, "category": name}
            differences = zip(paired.seeds, paired.difference, strict=True)
            seeds += [place | {"seed": seed, "value": difference} for seed, difference in differences]
            low, high = (value.difference if end is None else end for end in (value.low, value.high))
            mean = {"value": value.difference, "low": low, "high": high, "significant": value.significant}
            means.append(place | mean)
        charts.append(_panel(seeds, means, _title(panel), shown))
        far = far_out([*seeds, *means])
        outside += [
            f"{row['method']} ({fixed(row['value'], 2)}, {_title(panel)})" for row in means if row["category"] in far
        ]
    return panels(charts) if len(charts) > 1 else charts[0], outside


def far_out(rows: list[Row]) -> set[str]:
    """The methods whose values are so far from zero, compared with the median method, that they would compress the others.

    >>> sizes = {"SLS": 0.04, "Multipass": -0.02, "Majority vote": 2.1}
    >>> far_out([{"category": name, "value": size} for name, size in sizes.items()])
    {'Majority vote'}
    """
    reach = dict[str, float]()
    for row in rows:
        ends = [abs(row[key]) for key in ("value", "low", "high") if key in row]
        reach[row["category"]] = max(reach.get(row["category"], 0.0), *ends)
    usual = sorted(reach.values())[(len(reach) - 1) // 2]
    return {name for name, size in reach.items() if size > FAR * usual > 0}


def _panel(seeds: list[Row], means: list[Row], title: str, looks: list[Look]) -> Any:
    names = list(dict.fromkeys(row["category"] for look in looks for row in means if row["method"] == look.name))
    far = far_out([*seeds, *means])
    domain = span(
        [
            row[key]
            for row in (*seeds, *means)
            if row["category"] not in far
            for key in ("value", "low", "high")
            if key in row
        ],
        zero=True,
    )
    height = LANE * len(names)
    x = alt.X("value:Q", title=f"Difference in {inside(axis(COMPARED))}", scale=alt.Scale(domain=domain, nice=False))
    y = alt.Y("category:N", sort=names, axis=None)
    dots, centres = (alt.Chart(inline(rows)) for rows in (seeds, means))
    lane: dict[str, Any] = {"y": y, "color": colour(looks, legend=None)}
    shapes = shape(looks, legend=False)
    number = alt.Tooltip("value:Q", title="difference", format=".4f")
    ends = tips(("low:Q", "", ".4f"), ("high:Q", "", ".4f"), "significant:N")
    filled = alt.FillOpacityValue(0, condition={"test": "datum.significant", "value": 1})
    zero = alt.Chart(inline([{"value": 0.0}])).mark_rule(style="zero")
    return alt.layer(
        zero.encode(x),
        dots.mark_point(filled=True, size=22, opacity=0.45, clip=True).encode(
            x, shape=shapes, tooltip=[alt.Tooltip("method:N"), alt.Tooltip("seed:Q"), number], **lane
        ),
        centres.mark_rule(strokeWidth=2, clip=True).encode(alt.X("low:Q"), x2=alt.X2("high:Q"), **lane),
        centres.mark_point(size=110, opacity=1, strokeWidth=2, clip=True).encode(
            x, shape=shapes, fill=colour(looks, legend=None), fillOpacity=filled, tooltip=[alt.Tooltip("method:N"), number, *ends], **lane
        ),
        lane_names(names, y, height),
    ).properties(height=height, title=title)  # fmt: skip
