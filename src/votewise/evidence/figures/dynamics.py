"""Figure 8: how fast each method gets where it gets."""

from __future__ import annotations

from typing import Any

import numpy as np

from votewise.evidence.figures.figure import Figure, absent, in_print, mean_sd, rows, setting
from votewise.evidence.figures.marks import BAND, HEIGHT, colour, dash, lanes, panels, span
from votewise.evidence.methods import look
from votewise.evidence.published import published
from votewise.evidence.results import Curve, Results

TITLE = "Training over the epochs"
ARMS = ("soft", "sls")
MARKS = {"epoch_95": "first within 5 % of its best", "best_epoch": "at its best"}
POINTS = 200  # of a line
EARLY = 0.1  # of the epochs: what lies above the picture there would flatten the rest


def dynamics(results: Results) -> Figure:
    """Evaluation soft NLL by epoch, and the epochs at which a seed comes within 5 % of its best and is at it."""
    curves = {
        method: found
        for method in results.arms(ARMS)
        if (found := results.drawn("dynamics", "history", method=method, K=None))
    }
    if not curves:
        return absent(8, TITLE, "the probe 'dynamics' on runs of the study 'main' (soft, sls)")
    values = {(mark, method): _counted(results.values("main", method, mark)) for mark in MARKS for method in curves}
    told = "; ".join(
        f"{name}: " + ", ".join(f"{look(method).name} epoch {_mean(values[mark, method]):.1f}" for method in curves)
        for mark, name in MARKS.items()
    )
    end = {method: _mean(results.values("main", method, "soft_nll_end")) for method in curves}
    ends = ", ".join(f"{look(method).name} {value:.4f}" for method, value in end.items() if np.isfinite(value))
    return Figure(
        8,
        TITLE,
        "Left: evaluation soft NLL by epoch, mean over seeds with a band of one SD; the first tenth of the epochs may lie above the picture. Right: the first epoch of each seed with a soft NLL of at most its "
        f"best / 0.95, and the epoch of its best; ticks are means. Means: {told}. Soft NLL after the last epoch: {ends}. "
        + setting(results, max(map(len, curves.values())), None)
        + in_print(results, _paper()),
        "A method that learns faster falls earlier on the left and stands further to the left on the right.",
        f"Line chart of soft NLL by epoch and dots of epochs. {told}. Soft NLL at the end: {ends}.",
        _chart(curves, values),
    )  # fmt: skip


def _paper() -> str:
    early, best = published().number("d-epochs-95")["value"], published().number("d-epochs-best")["value"]
    return f"SLS is {early:.1f} epochs of 200 earlier at 95 % and {best:.1f} at its best."


def _counted(by_seed: dict[int, float]) -> dict[int, float]:
    """Epochs as people count them: files have the first as 0."""
    return {seed: epoch + 1 for seed, epoch in by_seed.items()}


def _mean(by_seed: dict[int, float]) -> float:
    return float(np.mean(list(by_seed.values()))) if by_seed else float("nan")


def history(method: str, curves: list[Curve]) -> list[dict[str, Any]]:
    """Mean and SD over seeds at up to 200 epochs that all seeds have."""
    length = min(len(curve.data["epoch"]) for curve in curves)
    found = []
    for place in np.unique(np.linspace(0, length - 1, min(length, POINTS)).astype(int)):
        mean, sd = mean_sd([curve.data["soft_nll"][place] for curve in curves])
        row = {"method": look(method).name, "epoch": curves[0].data["epoch"][place] + 1, "value": mean}
        found.append(row | {"low": mean - sd, "high": mean + sd})
    return found


def _chart(curves: dict[str, list[Curve]], values: dict[tuple[str, str], dict[int, float]]) -> Any:
    import altair as alt

    points = [point for method, found in curves.items() for point in history(method, found)]
    base = alt.Chart(rows(points)).encode(
        alt.X("epoch:Q", title="Epoch", scale=alt.Scale(zero=False, nice=False)), color=colour(list(curves))
    )
    start = max(point["epoch"] for point in points) * EARLY
    later = [point[end] for point in points if point["epoch"] >= start for end in ("low", "high")]
    title, zoom = "Evaluation soft NLL (nats)", alt.Scale(zero=False, domain=span(later), nice=False)
    say = [alt.Tooltip("method:N"), alt.Tooltip("epoch:Q"), alt.Tooltip("value:Q", title="soft NLL", format=".4f")]
    left = alt.layer(
        base.mark_area(opacity=BAND, clip=True).encode(alt.Y("low:Q", title=title, scale=zoom), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=2, clip=True).encode(
            alt.Y("value:Q", title=title, scale=zoom), strokeDash=dash(list(curves)), tooltip=say
        ),
    ).properties(height=HEIGHT)
    right = lanes({(MARKS[mark], method): by_seed for (mark, method), by_seed in values.items()}, axis="Epoch")
    return panels([left, right])
