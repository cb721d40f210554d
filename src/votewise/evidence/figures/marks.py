"""The marks that figures share: lines with bands, points with spreads, seeds as dots; each method in its own look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from votewise.evidence.figures.figure import mean_sd, rows
from votewise.evidence.methods import in_order, look

if TYPE_CHECKING:
    import altair as alt

HEIGHT = 240
BAND = 0.14  # opacity
NAMES = 3  # of methods that have room along an axis
Legend = Literal["points", "lines"] | None  # what stands beside the names


def colour(methods: Sequence[str], *, legend: Legend = "points") -> alt.Color:
    """The colour of each method by its name; the legend stands above the chart, where a narrow page has room."""
    import altair as alt

    looks = [look(method) for method in in_order(methods)]
    symbol: dict[str, Any] = (
        {"symbolType": "stroke", "symbolSize": 500} if legend == "lines" else {"symbolStrokeWidth": 0}
    )
    above = alt.Legend(
        title=None, orient="top", direction="horizontal", columns=2 if len(looks) > 3 else len(looks), **symbol
    )
    return alt.Color(
        "method:N",
        scale=alt.Scale(domain=[each.name for each in looks], range=[each.colour for each in looks]),
        legend=above if legend else None,
    )


def shape(methods: Sequence[str], *, legend: bool = True) -> alt.Shape:
    """The shape of each method's points, in the legend of the colours."""
    import altair as alt

    looks = [look(method) for method in in_order(methods)]
    scale = alt.Scale(domain=[each.name for each in looks], range=[each.shape for each in looks])
    return alt.Shape("method:N", scale=scale, legend=alt.Legend(title=None) if legend else None)


def dash(methods: Sequence[str]) -> alt.StrokeDash:
    """The dash of each method's lines, in the legend of the colours; beside points, whose outline has no width, it is not seen there."""
    import altair as alt

    looks = [look(method) for method in in_order(methods)]
    scale = alt.Scale(domain=[each.name for each in looks], range=[list(each.dash) for each in looks])
    return alt.StrokeDash("method:N", scale=scale, legend=alt.Legend(title=None))


def chosen() -> alt.Parameter:
    """The methods that a reader picks in the legend; all of them until then."""
    import altair as alt

    return alt.selection_point(name="chosen", fields=["method"], bind="legend")


def faded(choice: alt.Parameter, full: float = 1.0) -> Any:
    """Opacity of marks: those that were not picked step back."""
    import altair as alt

    return alt.OpacityValue(full * 0.15, condition={"param": choice.name, "value": full})


def panels(charts: Sequence[Any], columns: int | None = None) -> Any:
    """Several panels with one legend; how many stand side by side is settled by the room there is."""
    import altair as alt

    shared = alt.concat(*charts, columns=columns or len(charts))
    return shared.resolve_scale(color="shared", shape="shared", strokeDash="shared")


def span(values: Sequence[float], *, zero: bool = False) -> list[float]:
    """A domain that holds the values with a little room, so that panels can share it."""
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return [low - room, high + room]


def zero_line() -> Any:
    """Where there is no difference."""
    import altair as alt

    return alt.Chart(rows([{"at": 0.0}])).mark_rule(style="zero").encode(alt.Y("at:Q"))


def strip(
    values: Mapping[tuple[str, str], Mapping[int, float]],
    *,
    axis: str,
    categories: Sequence[str],
    domain: Sequence[float] | None = None,
    legend: bool = True,
    title: str | None = None,
) -> Any:
    """Seeds as dots beside the mean with its SD; values by (category, method) and seed.

    Categories stand along the x axis and the methods of each side by side. With a single category the methods stand along the axis,
    named there as far as there is room for their names, and a line joins the values of a seed.
    """
    import altair as alt

    methods = in_order(method for _, method in values)
    names = [look(method).name for method in methods]
    dots, means = [], []
    for (category, method), by_seed in values.items():
        if not by_seed:
            continue
        name = look(method).name
        dots += [
            {"category": category, "method": name, "seed": seed, "value": value} for seed, value in by_seed.items()
        ]
        mean, sd = mean_sd(list(by_seed.values()))
        row = {"category": category, "method": name, "value": mean, "sd": sd, "n": len(by_seed)}
        means.append(row | {"low": mean - sd, "high": mean + sd})
    alone, room = len(categories) == 1, len(names) <= NAMES
    x = (
        alt.X("method:N", sort=names, title=None, scale=alt.Scale(padding=0.6), axis=alt.Undefined if room else None)
        if alone
        else alt.X("category:N", sort=list(categories), title=None, scale=alt.Scale(paddingInner=0.3))
    )
    beside: dict[str, Any] = {} if alone else {"xOffset": alt.XOffset("method:N", sort=names)}
    y = alt.Y(
        "value:Q", title=axis, scale=alt.Scale(zero=False, domain=list(domain)) if domain else alt.Scale(zero=False)
    )
    say = [alt.Tooltip("method:N"), alt.Tooltip("category:N"), alt.Tooltip("value:Q", title="mean", format=".4g")]
    say += [alt.Tooltip("sd:Q", title="SD", format=".2g"), alt.Tooltip("n:Q", title="seeds")]
    named = legend and not (alone and room)
    seeds = (
        alt.Chart(rows(dots))
        .mark_point(filled=True, size=22, opacity=0.45)
        .encode(
            x, y, colour(methods, legend="points" if named else None), shape(methods, legend=named),
            tooltip=[alt.Tooltip("method:N"), alt.Tooltip("category:N"), alt.Tooltip("seed:Q"), alt.Tooltip("value:Q", format=".4g")], **beside,
        )
    )  # fmt: skip
    base = alt.Chart(rows(means)).encode(x, color=colour(methods, legend="points" if named else None), **beside)
    spread = base.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", title=axis), y2=alt.Y2("high:Q"))
    mean_marks = base.mark_point(filled=True, size=110, opacity=1).encode(
        y=y, shape=shape(methods, legend=named), tooltip=say
    )
    pairs = [
        alt.Chart(rows(dots))
        .mark_line(style="muted", strokeWidth=1, opacity=0.3)
        .encode(x, y, detail=alt.Detail("seed:N"))
    ]
    properties: dict[str, Any] = {"height": HEIGHT} | ({"title": title} if title else {})
    return alt.layer(*(pairs if alone else []), seeds, spread, mean_marks).properties(**properties)


def lanes(
    values: Mapping[tuple[str, str | None], Mapping[int, float]], *, axis: str, zero: bool = False, legend: bool = True
) -> Any:
    """Seeds as dots along the x axis, a lane for each category, the mean a tick; values by (category, method or None) and seed.

    Categories are named inside their lane: a narrow page has no room beside it.
    """
    import altair as alt

    categories = list(dict.fromkeys(category for category, _ in values))
    methods = in_order(method for _, method in values if method is not None)
    dots, means = [], []
    for (category, method), by_seed in values.items():
        here = {"category": category} | ({"method": look(method).name} if method else {})
        dots += [here | {"seed": seed, "value": value} for seed, value in by_seed.items()]
        means += [here | {"value": mean_sd(list(by_seed.values()))[0]}] if by_seed else []
    scale = alt.Scale(zero=zero, padding=10, nice=False)
    lane: dict[str, Any] = {
        "x": alt.X("value:Q", title=axis, scale=scale),
        "y": alt.Y("category:N", sort=categories, axis=None),
    }
    drawn, averaged = (dict[str, Any]({"style": style} if not methods else {}) for style in ("muted", "ink"))
    if methods:
        lane |= {
            "yOffset": alt.YOffset("method:N", sort=[look(method).name for method in methods]),
            "color": colour(methods, legend="points" if legend else None),
        }
    say = [
        *([alt.Tooltip("method:N")] if methods else []),
        alt.Tooltip("category:N"),
        alt.Tooltip("value:Q", format=".4g"),
    ]
    marked: dict[str, Any] = {"shape": shape(methods, legend=legend)} if methods else {}
    seeds = alt.Chart(rows(dots)).mark_point(filled=True, size=36, opacity=0.55, **drawn)
    ticks = alt.Chart(rows(means)).mark_tick(thickness=3, size=18, opacity=1, **averaged)
    names = alt.Chart(rows([{"category": category} for category in categories])).mark_text(
        align="left", style="words", dy=10 - HEIGHT // (2 * len(categories))
    )
    return alt.layer(
        seeds.encode(**lane, **marked, tooltip=[*say, alt.Tooltip("seed:Q")]),
        ticks.encode(**lane, tooltip=say),
        names.encode(x=alt.value(0), y=lane["y"], text=alt.Text("category:N")),
    ).properties(height=HEIGHT)
