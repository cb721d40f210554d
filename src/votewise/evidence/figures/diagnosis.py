"""Figures 2, 5 and 6: where the target of few votes is wrong, and how much hard delivery improves there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from votewise.evidence.figures.figure import Figure, absent, digits, in_print, mean_sd, rows, setting
from votewise.evidence.figures.marks import BAND, chosen, colour, dash, faded, panels, shape, span, zero_line
from votewise.evidence.methods import in_order, look
from votewise.evidence.results import Curve, Results

HARD = ("sls", "multipass", "deterministic")
DISTANCES = {"js": "JS distance (√nats)", "l1": "L1 distance"}


def by_js_distance(results: Results) -> Figure:
    """Figure 2."""
    return _diagnosis(results, 2, "Improvement by distance of the sparse target", "js", "", "js_correlation")


def by_l1_distance(results: Results) -> Figure:
    """Figure 5."""
    return _diagnosis(results, 5, "The same by L1 distance", "l1", "", "l1_correlation")


def on_the_high_slice(results: Results) -> Figure:
    """Figure 6."""
    return _diagnosis(results, 6, "The same on the high slice", "js", "_high", "js_correlation_high")


def _diagnosis(results: Results, number: int, title: str, distance: str, part: str, correlation: str) -> Figure:
    curves = [curve for curve in results.drawn("diagnosis", f"bins_{distance}{part}") if curve.K is not None]
    arms = [method for method in results.arms(HARD) if method != "soft"]
    curves = [curve for curve in curves if curve.method in arms and curve.data["distance"]]
    if not curves:
        return absent(number, title, "the probe 'diagnosis' on runs of the study 'sparse' (soft and a hard delivery)")
    bins = _bins(curves)
    items = "the tenth of the evaluation items with the highest annotator entropy" if part else "evaluation items"
    spearman = {
        method: [
            value
            for k in results.sweep
            if k is not None
            for value in results.values("sparse", method, correlation, K=k).values()
        ]
        for method in arms
    }
    every = [value for values in spearman.values() for value in values]
    told = f"Spearman correlation of distance and improvement per seed: {_range(every)}. " if every else ""
    paper = {
        2: "improvements are near zero in the lowest bins and grow; correlation roughly 0.05 to 0.16.",
        5: "the same pattern as Figure 2.",
        6: "noisier; the highest bins still show the largest improvements.",
    }[number]
    return Figure(
        number,
        title,
        f"Improvement in soft NLL over soft labels of the same seed and K, by the {DISTANCES[distance].split(' (')[0]} of an item's sparse "
        f"target from all its votes, over {items}: a bin for distance zero where there are such items, and equal-mass bins for the rest. "
        f"Mean over seeds with a band of one SD. {told}"
        + setting(results, len({curve.seed for curve in curves}))
        + in_print(results, paper),
        f"If the gain of {'a method' if results.own else 'hard delivery'} comes from the error of few votes, the lines start near zero on the left and rise to the right.",
        f"Line charts, one for each number of votes. {told}" + _in_words(bins),
        _chart(bins, arms, distance),
    )


def _bins(curves: list[Curve]) -> list[dict[str, Any]]:
    """A row for each K, method and bin: mean over seeds of the bin's distance and improvement."""
    groups: dict[tuple[int, str], list[Curve]] = defaultdict(list)
    for curve in curves:
        groups[curve.K or 0, curve.method].append(curve)
    found = []
    for (k, method), group in sorted(groups.items()):
        longest = max(len(curve.data["distance"]) for curve in group)
        for place in range(-longest, 0):  # from the highest: not every seed has items at distance zero
            here = [curve.data for curve in group if len(curve.data["distance"]) >= -place]
            mean, sd = mean_sd([data["improvement"][place] for data in here])
            row: dict[str, Any] = {"K": k, "method": look(method).name, "bin": place + longest + 1, "n": len(here)}
            row |= {"mean": mean, "low": mean - sd, "high": mean + sd}
            row |= {name: mean_sd([data[name][place] for data in here])[0] for name in ("distance", "count")}
            found.append(row)
    return [row for row in found if np.isfinite([row["mean"], row["distance"]]).all()]


def _range(values: list[float]) -> str:
    return f"mean {digits(float(np.mean(values)), 2)}, from {digits(min(values), 2)} to {digits(max(values), 2)}"


def _in_words(bins: list[dict[str, Any]]) -> str:
    words = []
    for k in dict.fromkeys(row["K"] for row in bins):
        ends = []
        for method in dict.fromkeys(row["method"] for row in bins):
            line = [row["mean"] for row in bins if row["K"] == k and row["method"] == method]
            if line:
                ends.append(
                    f"{method} from {digits(line[0], 3)} in the lowest bin to {digits(line[-1], 3)} in the highest"
                )
        words.append(f"{k} votes: {', '.join(ends)}.")
    return " ".join(words)


def _chart(bins: list[dict[str, Any]], arms: Sequence[str], distance: str) -> Any:
    import altair as alt

    choice = chosen()
    methods = in_order(arms)
    reach = span([row[end] for row in bins for end in ("low", "high")], zero=True)
    y = alt.Scale(domain=reach, nice=False)
    found = list[Any]()
    for k in dict.fromkeys(row["K"] for row in bins):
        base = alt.Chart(rows([row for row in bins if row["K"] == k])).encode(
            alt.X("distance:Q", title=DISTANCES[distance], scale=alt.Scale(padding=8, nice=False)),
            color=colour(methods),
        )
        value = alt.Y("mean:Q", title="Improvement (nats)", scale=y)
        say = [alt.Tooltip("method:N"), alt.Tooltip("bin:Q"), alt.Tooltip("distance:Q", format=".3f")]
        say += [
            alt.Tooltip("mean:Q", title="improvement", format=".4f"),
            alt.Tooltip("count:Q", title="items", format=".0f"),
        ]
        line = base.mark_line(strokeWidth=1.8).encode(value, strokeDash=dash(methods), opacity=faded(choice))
        layers = (
            zero_line(),
            base.mark_area().encode(
                alt.Y("low:Q", title="Improvement (nats)", scale=y),
                y2=alt.Y2("high:Q"),
                opacity=faded(choice, BAND * 0.7),
            ),
            line if found else line.add_params(choice),
            base.mark_point(filled=True, size=36).encode(
                value, shape=shape(methods), opacity=faded(choice), tooltip=say
            ),
        )
        found.append(alt.layer(*layers).properties(height=190, title=f"K = {k}"))
    return panels(found)
