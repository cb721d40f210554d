"""Shared marks of figures: lines with bands, points with spreads, and seeds as dots, in the style of each method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from votewise.reporting.charts.figure import alt, inline, mean_sd, tips
from votewise.reporting.charts.looks import Look, Looks

HEIGHT = 240
BAND = 0.14  # opacity
Legend = Literal["points", "lines"] | None  # symbols next to the names
BySeed = Mapping[int, float]
Lanes = Mapping[tuple[str, str], BySeed] | Mapping[tuple[str, None], BySeed]  # by category and, if any, method


def colour(looks: Sequence[Look], *, legend: Legend = "points") -> alt.Color:
    """The colour of each method by its name. The legend is above the chart, to save width on narrow pages."""
    symbol: dict[str, Any] = (
        {"symbolType": "stroke", "symbolSize": 500} if legend == "lines" else {"symbolStrokeWidth": 0}
    )
    above = alt.Legend(
        title=None, orient="top", direction="horizontal", columns=2 if len(looks) > 3 else len(looks), **symbol
    )
    return alt.Color(
        "method:N",
        scale=alt.Scale(domain=[look.name for look in looks], range=[look.colour for look in looks]),
        legend=above if legend else None,
    )


def shape(looks: Sequence[Look], *, legend: bool = True) -> alt.Shape:
    """The point shape of each method, in the legend of the colours."""
    scale = alt.Scale(domain=[look.name for look in looks], range=[look.shape for look in looks])
    return alt.Shape("method:N", scale=scale, legend=alt.Legend(title=None) if legend else None)


def dash(looks: Sequence[Look]) -> alt.StrokeDash:
    """The line dash of each method, in the legend of the colours. It is not visible next to points, whose outline has no width."""
    scale = alt.Scale(domain=[look.name for look in looks], range=[list(look.dash) for look in looks])
    return alt.StrokeDash("method:N", scale=scale, legend=alt.Legend(title=None))


def selection() -> alt.Parameter:
    """The methods that a reader selects in the legend; default: all."""
    return alt.selection_point(name="chosen", fields=["method"], bind="legend")


def fade(choice: alt.Parameter, full: float = 1.0) -> Any:
    """The opacity of marks: methods that are not selected are faded."""
    return alt.OpacityValue(full * 0.15, condition={"param": choice.name, "value": full})


def panels(charts: Sequence[Any], columns: int | None = None) -> Any:
    """Several panels with one legend; the width determines the number of panels per row."""
    shared = alt.concat(*charts, columns=columns or len(charts))
    return shared.resolve_scale(color="shared", shape="shared", strokeDash="shared")


def span(values: Sequence[float], *, zero: bool = False) -> list[float]:
    """A domain that contains the values with a margin, so that panels can share it."""
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return [low - room, high + room]


def zero_line() -> Any:
    """A dashed line at zero difference."""
    return alt.Chart(inline([{"at": 0.0}])).mark_rule(style="zero").encode(alt.Y("at:Q"))


def band(
    points: Sequence[Mapping[str, Any]],
    x: alt.X,
    *,
    title: str,
    looks: Sequence[Look],
    choice: alt.Parameter,
    scale: alt.Scale | None = None,
    marked: bool = True,
    legend: Legend = "points",
    size: int = 60,
    opacity: float = BAND,
    tooltip: Sequence[alt.Tooltip] = (),
) -> list[Any]:
    """Layers of lines with a band around them, and points on them if `marked`.

    Args:
        points: rows with method, value, low and high, and what `x` shows.
        x: the x axis.
        title: title of the y axis.
        looks: styles of the methods.
        choice: the selection in the legend; a chart must add it once.
        scale: scale of the y axis; default: a scale that does not need to start at zero.
        marked: whether to draw points on the lines.
        legend: symbols next to the names.
        size: size of the points.
        opacity: opacity of the band.
        tooltip: tooltip of a point or line.
    """
    y = scale if scale is not None else alt.Scale(zero=False)
    clip = scale is not None
    base = alt.Chart(inline(points)).encode(x, color=colour(looks, legend=legend))
    value = alt.Y("value:Q", title=title, scale=y)
    line = base.mark_line(strokeWidth=2, clip=clip).encode(value, strokeDash=dash(looks), opacity=fade(choice))
    layers = [
        base.mark_area(clip=clip).encode(
            alt.Y("low:Q", title=title, scale=y), y2=alt.Y2("high:Q"), opacity=fade(choice, opacity)
        ),
        line if marked else line.encode(tooltip=list(tooltip)),
    ]
    if marked:
        points_mark = base.mark_point(filled=True, size=size, clip=clip)
        layers.append(points_mark.encode(value, shape=shape(looks), tooltip=list(tooltip), opacity=fade(choice)))
    return layers


def strip(values: Mapping[tuple[str, str], BySeed], looks: Looks, *, axis: str, categories: Sequence[str]) -> Any:
    """Seeds as dots next to the mean with its SD, from values by (category, method) and seed.

    Categories are on the x axis, with the methods of each category side by side. With a single category, the methods are on the x axis,
    and a line connects the values of each seed.
    """
    shown = looks.sorted(method for _, method in values)
    names = [look.name for look in shown]
    dots, means = _dots_and_means(values, looks)
    alone = len(categories) == 1
    x = (
        alt.X("method:N", sort=names, title=None, scale=alt.Scale(padding=0.6), axis=None)
        if alone
        else alt.X("category:N", sort=list(categories), title=None, scale=alt.Scale(paddingInner=0.3))
    )
    y = alt.Y("value:Q", title=axis, scale=alt.Scale(zero=False))
    encoding: dict[str, Any] = {
        "x": x,
        "color": colour(shown),
        **({} if alone else {"xOffset": alt.XOffset("method:N", sort=names)}),
    }
    shapes = shape(shown)
    place = tips("method:N", "category:N")
    seeds = alt.Chart(inline(dots)).mark_point(filled=True, size=22, opacity=0.45)
    base = alt.Chart(inline(means)).encode(**encoding)
    joined = alt.Chart(inline(dots)).mark_line(style="muted", strokeWidth=1, opacity=0.3)
    return alt.layer(
        *([joined.encode(x, y, detail=alt.Detail("seed:N"))] if alone else []),
        seeds.encode(y=y, shape=shapes, tooltip=[*place, alt.Tooltip("seed:Q"), _number("value")], **encoding),
        base.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", title=axis), y2=alt.Y2("high:Q")),
        base.mark_point(filled=True, size=110, opacity=1).encode(
            y=y, shape=shapes, tooltip=[*place, _number("value", "mean"), _number("sd", "SD"), alt.Tooltip("n:Q", title="seeds")]
        ),
    ).properties(height=HEIGHT)  # fmt: skip


def lanes(values: Lanes, looks: Looks, *, axis: str, zero: bool = False, legend: Legend = "points") -> Any:
    """Seeds as dots along the x axis with one lane per category and the mean as a tick, from values by (category, method or None) and seed.

    The name of a category is inside its lane, to save width on narrow pages. Use the legend "lines" next to a panel of lines, because panels share one legend.
    """
    categories = list(dict.fromkeys(category for category, _ in values))
    shown = looks.sorted(method for _, method in values if method is not None)
    dots, means = _dots_and_means(values, looks)
    lane: dict[str, Any] = {
        "x": alt.X("value:Q", title=axis, scale=alt.Scale(zero=zero, padding=10, nice=False)),
        "y": alt.Y("category:N", sort=categories, axis=None),
    }
    styles: tuple[dict[str, Any], ...] = ({"style": "muted"}, {"style": "ink"})
    shapes: dict[str, Any] = {}
    if shown:
        styles = ({}, {})
        shapes = {"shape": shape(shown, legend=legend == "points")}
        lane |= {
            "yOffset": alt.YOffset("method:N", sort=[look.name for look in shown]),
            "color": colour(shown, legend=legend),
        }
    say = [*(tips("method:N") if shown else []), alt.Tooltip("category:N"), _number("value")]
    seeds = alt.Chart(inline(dots)).mark_point(filled=True, size=36, opacity=0.55, **styles[0])
    ticks = alt.Chart(inline(means)).mark_tick(thickness=3, size=18, opacity=1, **styles[1])
    return alt.layer(
        seeds.encode(**lane, **shapes, tooltip=[*say, alt.Tooltip("seed:Q")]),
        ticks.encode(**lane, tooltip=say),
        lane_names(categories, lane["y"]),
    ).properties(height=HEIGHT)


def lane_names(categories: Sequence[str], y: alt.Y, height: int = HEIGHT) -> Any:
    """The names of lanes, at the top of each lane, drawn over the lines."""
    names = alt.Chart(inline([{"category": category} for category in categories]))
    shift = 10 - height // (2 * len(categories))
    texts = (names.mark_text(align="left", style=style, dy=shift) for style in ("halo", "words"))
    return alt.layer(*(text.encode(x=alt.value(0), y=y, text=alt.Text("category:N")) for text in texts))


def _dots_and_means(values: Lanes, looks: Looks) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """One row per seed, and one row for the mean of each category and method with one SD around it."""
    dots, means = [], []
    for (category, method), by_seed in values.items():
        if not by_seed:
            continue
        place = {"category": category} | ({"method": looks.name(method)} if method else {})
        dots += [place | {"seed": seed, "value": value} for seed, value in by_seed.items()]
        mean, sd = mean_sd(list(by_seed.values()))
        means.append(place | {"value": mean, "sd": sd, "n": len(by_seed), "low": mean - sd, "high": mean + sd})
    return dots, means


def _number(field: str, title: str | None = None) -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", title=title or field, format=".4g")
