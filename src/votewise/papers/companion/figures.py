"""Figures 1 to 5 of the paper, on every dataset of the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from votewise.comparison import Methods, name, setting
from votewise.papers.companion.known_datasets import class_names, remark
from votewise.papers.companion.published import published
from votewise.reporting.charts import (
    HEIGHT,
    Figure,
    Looks,
    absent,
    alt,
    inline,
    mean,
    mean_history,
    panels,
    require_altair,
    tips,
)
from votewise.studies import Curve, Needs

if TYPE_CHECKING:
    from votewise.studies import Results

METHODS = ("soft", "majority")
WHICH = {"soft": "second", "majority": "first"}  # order of the two runs in the probe `examples`
NEEDS = Needs(METHODS, probe="examples")
VOTES, VOTES_COLOUR = "Votes", "#009E73"
COLOURS = {name(method): Looks(Methods())[method].colour for method in METHODS}
Row = dict[str, Any]


def figures(results: Results) -> list[Figure]:
    """Figures 1 to 5."""
    require_altair()
    return [make(results) for make in (entropy_varies, same_winner, entropies, validation_loss, disputed_items)]


def entropy_varies(results: Results) -> Figure:
    """Figure 1: votes on items near consensus and on items with the most disagreement."""
    charts = []
    for dataset, curves in _examples(results):
        rows = [
            row | {"item": f"{kind} {place}"}
            for kind in ("consensus", "disputed")
            for place, item in enumerate(_items(curves[kind], dataset)[::3], 1)
            for row in item
            if row["method"] == VOTES
        ]
        charts.append(_bars(rows, dataset, [VOTES]))
    return _figure(
        1,
        "Annotator entropy varies across items",
        charts,
        results,
        "Shares of the votes on held-out items of the first seed, evenly spaced in the tenth with the lowest entropy and in that with the highest.",
        "One tall bar means consensus; several bars mean disagreement.",
        "Bar charts of the votes on single items of each dataset, from consensus to disagreement.",
    )


def same_winner(results: Results) -> Figure:
    """Figure 2: two predictions with the same winner and different KL."""
    charts, numbers = [], []
    for dataset, curves in _examples(results):
        if "same_winner" not in curves:
            continue
        here = results.by_dataset[dataset]
        kl = [_first(here.values("majority", f"kl_example_{which}")) for which in WHICH.values()]
        numbers.append(_in_words(dataset, kl, 2))
        (item,) = _items(curves["same_winner"], dataset)
        charts.append(_bars([row | {"item": ""} for row in item], dataset, [VOTES, *map(name, METHODS)]))
    low, high = (published().number(f"k-figure2-{which}")["value"] for which in ("soft", "hard"))
    return _figure(
        2,
        "Same predicted class, different distance from the votes",
        charts,
        results,
        "Votes and predictions of both models for one item. Among the items of the first seed for which both models predict the majority, it is at the ninth decile of"
        f" the difference in KL. KL from the votes in nats: {'; '.join(numbers)}. Published: {low} and {high}.",
        "Both models predict the same class, but at different distances from the votes.",
        f"Bar charts of votes and two predictions. KL in nats: {'; '.join(numbers)}.",
    )


def entropies(results: Results) -> Figure:
    """Figure 3: the entropies of votes and predictions on each dataset, normalised by the number of classes."""
    looks = {VOTES: VOTES_COLOUR, **COLOURS}
    charts = []
    for dataset, curves in _examples(results):
        table = curves["entropy"]
        rows = [
            {"method": method, "low": low, "share": share}
            for method, column in zip(looks, ("votes", *WHICH.values()), strict=True)
            for low, share in zip([*table["low"], 1.0], [*table[column], table[column][-1]], strict=True)
        ]
        chart = alt.Chart(inline(rows)).mark_line(interpolate="step-after", strokeWidth=2)
        x = alt.X("low:Q", title="Entropy / log C", scale=alt.Scale(domain=[0, 1]))
        y = alt.Y("share:Q", title="Share of items")
        shown = tips("method:N", ("low:Q", "", ".2f"), ("share:Q", "", ".3f"))
        charts.append(_styled(chart.encode(x, y), looks, shown, dataset))
    return _figure(
        3,
        "Distributions of entropy",
        charts,
        results,
        "Entropy of the votes on held-out items and of the predictions of both models, divided by the maximum log C (first seed, best epoch). The"
        " paper shows the votes.",
        "0 means unanimous or certain, 1 means an even split. If the curve of a model follows that of the votes, the model is as uncertain as the annotators.",
        "Histograms of normalised entropy on each dataset, for votes, soft labels and majority vote.",
    )


def validation_loss(results: Results) -> Figure:
    """Figure 4: the validation loss of each model, each on its own targets."""
    charts, ends = [], []
    for dataset, here in results.by_dataset.items():
        curves = here.drawn("examples", "validation", method="majority", other="soft")
        if not curves:
            continue
        rows = [row for method, which in WHICH.items() for row in mean_history(curves, which, name(method))]
        epochs = [mean(_lowest(curve, which) for curve in curves) for which in WHICH.values()]
        ends.append(_in_words(dataset, epochs, 1))
        chart = alt.Chart(inline(rows)).mark_line(strokeWidth=2)
        x = alt.X("epoch:Q", title="Epoch", scale=alt.Scale(zero=False, nice=False))
        y = alt.Y("value:Q", title="Validation loss (nats)", scale=alt.Scale(zero=False))
        shown = tips("method:N", "epoch:Q", ("value:Q", "", ".4f"))
        charts.append(_styled(chart.encode(x, y), COLOURS, shown, dataset))
    return _figure(
        4,
        "Validation loss",
        charts,
        results,
        "Loss on the held-out items by epoch, mean over seeds: soft labels against the vote shares, majority vote against the majority, so the levels are not"
        f" comparable. Epoch of the lowest loss, on average: {'; '.join(ends)}.",
        "If a curve turns upwards early, the model overfits early.",
        f"Line charts of validation loss. Epoch of the lowest loss: {'; '.join(ends)}.",
    )


def disputed_items(results: Results) -> Figure:
    """Figure 5: votes and predictions on items with high entropy."""
    charts = [
        _bars(
            [row | {"item": f"item {int(row['row'])}"} for item in _items(curves["disputed"], dataset) for row in item],
            dataset,
            [VOTES, *map(name, METHODS)],
        )
        for dataset, curves in _examples(results)
    ]
    return _figure(
        5,
        "Predictions on the items with the most disagreement",
        charts,
        results,
        "Votes and predictions of both models (first seed, best epoch) on items that are evenly spaced in the tenth with the highest vote entropy.",
        "Predictions that follow the votes are spread out like the votes. A single high bar is overconfident if the votes are spread out.",
        "Bar charts of votes and the predictions of both models on disputed items of each dataset.",
    )


def _in_words(dataset: str, numbers: Sequence[float], digits: int) -> str:
    soft, hard = (f"{number:.{digits}f}" for number in numbers)
    return f"{dataset}: soft labels {soft}, majority vote {hard}"


def _figure(
    key: int, title: str, charts: list[Any], results: Results, caption: str, reading: str, in_words: str
) -> Figure:
    """The charts of all datasets as one figure, with the source of the numbers in the caption."""
    if not charts:
        return absent(key, title, NEEDS)
    chart = panels(charts, columns=2).resolve_scale(xOffset="independent")
    return Figure(key, title, f"{caption} {_where(results)}", reading, in_words, chart)


def _examples(results: Results) -> Iterator[tuple[str, dict[str, Mapping[str, Sequence[float]]]]]:
    """The curves of the probe `examples` of the first seed, by dataset and name."""
    for dataset, here in results.by_dataset.items():
        found = {}
        for kind in ("consensus", "disputed", "same_winner", "entropy"):
            if drawn := here.drawn("examples", kind, method="majority", other="soft"):
                found[kind] = drawn[0].data
        if "entropy" in found:
            yield dataset, found


def _items(table: Mapping[str, Sequence[float]], dataset: str) -> list[list[Row]]:
    """The rows of each item, with class, row, method and share."""
    classes = class_names(dataset, int(max(table["class"])) + 1)
    shown: dict[float, list[Row]] = {}
    columns = {VOTES: "votes", **{name(method): which for method, which in WHICH.items()}}
    for place, item in enumerate(table["item"]):
        label = classes[int(table["class"][place])]
        for method, column in columns.items():
            row = {"row": item, "class": label, "method": method, "share": table[column][place]}
            shown.setdefault(item, []).append(row)
    return list(shown.values())


def _bars(rows: list[Row], dataset: str, methods: Sequence[str]) -> Any:
    """Shares by class with the methods side by side, in one row of the chart per item."""
    classes = list(dict.fromkeys(row["class"] for row in rows))
    items = list(dict.fromkeys(row["item"] for row in rows))
    looks = {VOTES: VOTES_COLOUR, **COLOURS}
    chart = alt.Chart(inline(rows)).mark_bar()
    encoded = chart.encode(
        alt.X(
            "class:N",
            sort=classes,
            title=None,
            axis=alt.Axis(labelAngle=-40 if max(map(len, classes)) > 2 else 0, labelOverlap=False),
        ),
        alt.Y("share:Q", title="Share", scale=alt.Scale(domain=[0, 1])),
        xOffset=alt.XOffset("method:N", sort=list(methods)),
    )
    shown = tips("class:N", "method:N", ("share:Q", "", ".3f"))
    styled = partial(_styled, looks={method: looks[method] for method in methods}, shown=shown)
    if len(items) == 1:
        return styled(encoded, title=dataset)
    return alt.vconcat(
        *(styled(encoded.transform_filter(alt.datum.item == item), title=f"{dataset}, {item}", height=HEIGHT // 3) for item in items)
    )  # fmt: skip


def _styled(chart: Any, looks: Mapping[str, str], shown: Sequence[Any], title: str, height: int = HEIGHT) -> Any:
    """A chart with the colours of methods, tooltips, and its title."""
    colour = alt.Color(
        "method:N",
        scale=alt.Scale(domain=list(looks), range=list(looks.values())),
        legend=alt.Legend(title=None, orient="top"),
    )
    return chart.encode(color=colour, tooltip=shown).properties(height=height, title=title)


def _lowest(curve: Curve, loss: str) -> float:
    values = list(curve.data[loss])
    return curve.data["epoch"][values.index(min(values))] + 1


def _first(values: Mapping[int, float]) -> float:
    return next(iter(values.values()), float("nan"))


def _where(results: Results) -> str:
    return " ".join([setting(results), *filter(None, map(remark, results.datasets))])
