"""Training over the epochs: evaluation soft NLL and training loss of each method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from votewise.comparison import setting
from votewise.reporting.charts.figure import Figure, absent, alt, mean, tips, with_sd
from votewise.reporting.charts.looks import Look, Looks
from votewise.reporting.charts.marks import HEIGHT, band, panels, selection, span
from votewise.studies import Curve, Needs, Results
from votewise.wording import counted

KEY = "training-curves"
TITLE = "Training over the epochs"
LOSSES = {"soft_nll": "Evaluation soft NLL (nats)", "train_loss": "Training loss (nats)"}
POINTS = 200  # points per line
EARLY = 0.2  # share of the epochs whose values may lie outside the chart, because they would compress the rest
ROOM = 2.5  # height of the chart in heights of the lowest method, unless more is needed to show the others
FAR = 5  # a method is not shown if even its lowest value is above this multiple of the usual height
Row = dict[str, Any]


def histories(results: Results, methods: Sequence[str] | None = None) -> dict[str, list[Curve]]:
    """The training histories with all votes, by method; methods without one are left out."""
    chosen = methods or results.methods()
    curves = {method: results.drawn("dynamics", "history", method=method, K=None) for method in chosen}
    return {method: found for method, found in curves.items() if found}


def training_curves(results: Results) -> Figure:
    """Evaluation soft NLL and training loss by epoch, the mean over seeds with a band of one SD, from results on one dataset."""
    curves = histories(results)
    if not curves:
        return absent(KEY, TITLE, Needs(tuple(results.methods()), probe="dynamics"))
    looks = Looks.of(results)
    ends = ", ".join(
        f"{looks.name(method)} {mean(curve.data['soft_nll'][-1] for curve in found):.4f}"
        for method, found in curves.items()
    )
    return Figure(
        KEY,
        TITLE,
        "Evaluation soft NLL and training loss by epoch: mean over seeds with a band of one SD. The first fifth of the epochs, and the soft NLL of a method far above"
        " the others, may lie outside the charts. The training loss is measured against the delivered labels, so its level differs between methods."
        f" Soft NLL after the last epoch: {ends}. "
        + setting(results, "all votes", counted(max(map(len, curves.values())), "seed")),
        "A soft NLL that rises while the training loss falls means that the model overfits.",
        f"Line charts of evaluation soft NLL and training loss by epoch. Soft NLL after the last epoch: {ends}.",
        panels(history_panels(curves, looks, LOSSES)),
    )


def history_panels(curves: Mapping[str, Sequence[Curve]], looks: Looks, losses: Mapping[str, str]) -> list[Any]:
    """One panel per loss of the histories."""
    choice, shown = selection(), looks.sorted(curves)
    charts = [
        _panel([row for method in curves for row in mean_history(curves[method], loss, looks.name(method))], title, shown, choice, ruled=loss == "train_loss")
        for loss, title in losses.items()
    ]  # fmt: skip
    return [charts[0].add_params(choice), *charts[1:]]


def mean_history(curves: Sequence[Curve], loss: str, name: str) -> list[Row]:
    """Mean and SD over seeds at up to 200 epochs that all seeds have; epochs are counted from 1."""
    length = min(len(curve.data["epoch"]) for curve in curves)
    rows = []
    for place in np.unique(np.linspace(0, length - 1, min(length, POINTS)).astype(int)):
        row = {"method": name, "epoch": curves[0].data["epoch"][place] + 1}
        rows.append(row | with_sd([curve.data[loss][place] for curve in curves]))
    return rows


def _panel(rows: list[Row], title: str, looks: list[Look], choice: Any, *, ruled: bool) -> Any:
    start = max(row["epoch"] for row in rows) * EARLY
    later = [row for row in rows if row["epoch"] >= start]
    x = alt.X("epoch:Q", title="Epoch", scale=alt.Scale(zero=False, nice=False))
    tooltip = tips("method:N", "epoch:Q", ("value:Q", "mean", ".4f"))
    scale = alt.Scale(zero=False, domain=span(_ends(later, ruled=ruled)), nice=False)
    layers = band(
        rows, x, title=title, looks=looks, choice=choice, scale=scale, marked=False, legend="lines", tooltip=tooltip
    )
    return alt.layer(*layers).properties(height=HEIGHT)


def _ends(rows: list[Row], *, ruled: bool) -> list[float]:
    """The range of values to show. If `ruled`, it contains all values; otherwise it contains the lowest value of each method that is not too far off."""
    low = min(row["low"] for row in rows)
    by_method: dict[str, list[Row]] = {}
    for row in rows:
        by_method.setdefault(row["method"], []).append(row)
    tops = [max(row["high"] for row in some) for some in by_method.values()]
    if ruled:
        return [low, max(tops)]
    lowest = sorted(min(row["high"] for row in some) for some in by_method.values())
    usual = max(min(tops), lowest[(len(lowest) - 1) // 2]) - low
    seen = max((value for value in lowest if value - low <= FAR * usual), default=low)
    return [low, min(max(tops), max(low + ROOM * (min(tops) - low), seen))]
