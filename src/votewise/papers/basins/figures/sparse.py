"""Figures 1, 2, 5 and 6: scores by votes per item, and the improvement by hard delivery as a function of the error of the sparse target."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from votewise.comparison import fixed
from votewise.papers.basins.figures.captions import ending, span
from votewise.papers.basins.published import HARD, note
from votewise.reporting.charts import (
    BAND,
    Figure,
    Look,
    Looks,
    absent,
    alt,
    band,
    mean,
    panels,
    selection,
    tips,
    votes_sweep,
    with_sd,
    zero_line,
)
from votewise.reporting.charts import span as domain
from votewise.studies import Curve, Needs, Results

DISTANCES = {"js": ("JS distance", "√nats"), "l1": ("L1 distance", "")}
Row = dict[str, Any]


def sweep(results: Results) -> Figure:
    """Figure 1."""
    published = (
        "soft NLL is lower in all 12 cells (Table 1 has the numbers), hard accuracy remains close, and entropy correlation is modestly higher for hard"
        " delivery as K grows."
    )
    figure = votes_sweep(results, ("soft", *HARD), reference="soft", all_votes=False)
    if figure.missing:
        return replace(figure, key=1, missing=(Needs(("soft", *HARD), "sparse"),))
    return replace(figure, key=1, caption=f"{figure.caption} {note(results, published)}")


def by_js_distance(results: Results) -> Figure:
    """Figure 2."""
    published = "improvements are near zero in the lowest bins and grow; correlation roughly 0.05 to 0.16."
    return _diagnosis(results, 2, "Improvement by distance of the sparse target", "js", "", published)


def by_l1_distance(results: Results) -> Figure:
    """Figure 5."""
    return _diagnosis(results, 5, "Improvement by L1 distance", "l1", "", "the same pattern as Figure 2.")


def on_the_high_slice(results: Results) -> Figure:
    """Figure 6."""
    published = "noisier; the highest bins still show the largest improvements."
    return _diagnosis(results, 6, "Improvement on the high-disagreement slice", "js", "_high", published)


def _diagnosis(results: Results, key: int, title: str, distance: str, part: str, published: str) -> Figure:
    curves = [
        curve
        for curve in results.drawn("diagnosis", f"bins_{distance}{part}", other="soft")
        if curve.K is not None and curve.method in HARD and curve.data["distance"]
    ]
    if not curves:
        return absent(key, title, Needs(("soft", *HARD), "sparse", probe="diagnosis"))
    looks = Looks.of(results)
    bins = _bins(curves, looks)
    items = "the tenth of the evaluation items with the highest annotator entropy" if part else "the evaluation items"
    correlations = [
        value
        for method in HARD
        for K in results.votes_per_item()
        for value in results.values(method, f"{distance}_correlation{part}", K=K).values()
    ]
    words = f"Spearman correlation of distance and improvement per seed: {span(correlations, 2)}. " if correlations else ""  # fmt: skip
    label, unit = DISTANCES[distance]
    return Figure(
        key,
        title,
        f"Soft NLL of soft labels minus that of a hard delivery with the same seed and K, by the {label} between the sparse target of an item (the shares of its K votes) and"
        f" the distribution of all its votes. The items are {items}, in bins with equal numbers of items, and one bin for distance zero if needed. Mean over seeds with a band"
        f" of one SD. {words}"
        + ending(results, len({curve.seed for curve in curves}), published, "best checkpoint"),
        "If the improvement is due to the error of sparse targets, the lines start near zero on the left and rise to the right.",
        f"Line charts, one per number of votes. {words}{_in_words(bins)}",
        _chart(bins, looks.sorted({curve.method for curve in curves}), f"{label} ({unit})" if unit else label),
    )  # fmt: skip


def _bins(curves: list[Curve], looks: Looks) -> list[Row]:
    """One row per K, method and bin: mean distance and improvement over seeds."""
    groups: dict[tuple[int, str], list[Curve]] = defaultdict(list)
    for curve in curves:
        groups[curve.K or 0, curve.method].append(curve)
    rows = []
    for (votes, method), group in sorted(groups.items()):
        longest = max(len(curve.data["distance"]) for curve in group)
        for place in range(-longest, 0):  # from the highest bin, because not every seed has items at distance zero
            columns = [curve.data for curve in group if len(curve.data["distance"]) >= -place]
            row: Row = {"K": votes, "method": looks.name(method), "bin": place + longest + 1, "n": len(columns)}
            row |= with_sd([data["improvement"][place] for data in columns])
            row |= {key: mean(data[key][place] for data in columns) for key in ("distance", "count")}
            rows.append(row)
    return [row for row in rows if np.isfinite([row["value"], row["distance"]]).all()]


def _in_words(bins: list[Row]) -> str:
    words = []
    for votes in dict.fromkeys(row["K"] for row in bins):
        ends = []
        for method in dict.fromkeys(row["method"] for row in bins):
            line = [row["value"] for row in bins if row["K"] == votes and row["method"] == method]
            if line:
                ends.append(
                    f"{method} from {fixed(line[0], 3)} in the lowest bin to {fixed(line[-1], 3)} in the highest"
                )
        words.append(f"{votes} votes: {', '.join(ends)}.")
    return " ".join(words)


def _chart(bins: list[Row], looks: Sequence[Look], title: str) -> Any:
    choice = selection()
    y = alt.Scale(domain=domain([row[end] for row in bins for end in ("low", "high")], zero=True), nice=False)
    x = alt.X("distance:Q", title=title, scale=alt.Scale(padding=8, nice=False))
    tooltip = tips(
        "method:N", "bin:Q", ("distance:Q", "", ".3f"), ("value:Q", "improvement", ".4f"), ("count:Q", "items", ".0f")
    )
    charts = list[Any]()
    for votes in dict.fromkeys(row["K"] for row in bins):
        rows = [row for row in bins if row["K"] == votes]
        layers = band(
            rows, x, title="Improvement (nats)", looks=looks, choice=choice, scale=y, size=36, opacity=BAND * 0.7, tooltip=tooltip
        )  # fmt: skip
        if not charts:
            layers[0] = layers[0].add_params(choice)  # on the layer with the legend
        charts.append(alt.layer(zero_line(), *layers).properties(height=190, title=f"K = {votes}"))
    return panels(charts)
