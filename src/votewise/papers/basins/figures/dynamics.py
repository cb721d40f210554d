"""Figure 8: how fast each method learns."""

from __future__ import annotations

from votewise.comparison import fixed, name
from votewise.papers.basins.figures.captions import ending, means
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import (
    LOSSES,
    TITLE,
    Figure,
    Looks,
    absent,
    histories,
    history_panels,
    lanes,
    mean,
    panels,
)
from votewise.studies import Needs, Results

METHODS = ("soft", "sls")
MARKS = {"epoch_95": "first within 5 % of its best", "best_epoch": "at its best"}


def dynamics(results: Results) -> Figure:
    """Figure 8: evaluation soft NLL by epoch, and the epochs at which a seed comes within 5 % of its best and reaches it."""
    curves = histories(results, METHODS)
    if not curves:
        return absent(8, TITLE, Needs(METHODS, "main", probe="dynamics"))
    looks = Looks.of(results)
    values = {
        (mark, method): {seed: epoch + 1 for seed, epoch in results.values(method, key).items()}  # stored from 0
        for key, mark in MARKS.items()
        for method in curves
    }
    words = "; ".join(
        f"{mark}: "
        + ", ".join(f"{name(method)} epoch {fixed(mean(values[mark, method].values()), 1)}" for method in curves)
        for mark in MARKS.values()
    )
    ends = means({method: results.values(method, "soft_nll_end") for method in curves}, 4)
    early, best = number("d-epochs-95"), number("d-epochs-best")
    published = f"SLS is {early:.1f} epochs of 200 earlier at 95 % and {best:.1f} at its best."
    left = history_panels(curves, looks, {"soft_nll": LOSSES["soft_nll"]}, legend="points")
    return Figure(
        8,
        TITLE,
        "Left: evaluation soft NLL by epoch, mean over seeds with a band of one SD; values of the first tenth of the epochs may lie outside the chart. Right: the"
        " first epoch of each seed with a soft NLL of at most its best / 0.95, and the epoch of its best; ticks are means."
        f" Means: {words}. Soft NLL after the last epoch: {ends}. " + ending(results, max(map(len, curves.values())), published),
        "A method that learns faster falls earlier on the left and stands further left on the right.",
        f"Line chart of soft NLL by epoch, and dots of epochs. {words}. Soft NLL after the last epoch: {ends}.",
        panels([*left, lanes(values, looks, axis="Epoch")]),
    )  # fmt: skip
