"""The items of a scorecard: one row per item, the worst items, and the reliability diagram over all items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64
from votewise.cards import Chart, Rows, curves
from votewise.errors import UndefinedError, VotewiseError
from votewise.scoring.columns import confidence, hit, majority_class, predicted_class
from votewise.scoring.declaration import Score
from votewise.scoring.item_table import Table
from votewise.scoring.smooth import curve_of
from votewise.votes import Answers
from votewise.wording import listing

if TYPE_CHECKING:
    from votewise.scoring.card import Scorecard

_THIN = 0.02  # share of the highest density below which the curve would extrapolate and is not drawn
_TALL = 0.25  # height of the density in the chart


def item_rows(scores: Iterable[Score], table: Table, answers: Answers) -> Rows:
    """One row per item: votes, majority, predicted class, its confidence, and every score that is a mean over items."""
    columns: dict[str, Any] = {"item": answers.row if answers.items is None else answers.items}
    if answers.votes_per_item is not None:
        columns["votes"] = answers.votes_per_item
    names = np.array(answers.classes)
    columns["majority"] = _named(names, table[majority_class])
    columns["predicted"] = _named(names, table[predicted_class])
    columns["confidence"] = table[confidence]
    columns["hit"] = table[hit] > 0
    for score in scores:
        if score.of_items is not None and score.equals is None:
            try:
                columns[score.key] = score.of_items(table)
            except UndefinedError:
                continue
    return Rows(columns)


def _named(names: NDArray[np.str_], code: F64) -> NDArray[np.str_]:
    return names[code.astype(np.int64)]


def worst_items(card: Scorecard, score: str, top: int) -> Rows:
    """The items of a card with the worst values of a score, worst first; ties keep their order."""
    better = {one.key: one.better for one in card.definitions}
    known = [key for key in card.items.columns if key in better]
    if score not in known:
        raise VotewiseError(f"{score!r} has no value for single items", remedy=f"choose one of {listing(known, 40)}")
    values = np.asarray(card.items[score])
    order = np.argsort(values if better[score] == "higher" else -values, kind="stable")[:top]
    return Rows({name: np.asarray(column)[order] for name, column in card.items.columns.items()})


def reliability_chart(card: Scorecard) -> Chart:
    """The smooth reliability curve of a card's predictions, with the density of their confidences below."""
    rows = card.items
    table = Table({confidence: rows["confidence"], hit: np.asarray(rows["hit"], np.float64)}, {}, len(rows), 15)
    curve = curve_of(table, hit)
    shown = (curve.density > _THIN * curve.density.max()) & (curve.confidence >= rows["confidence"].min())
    points = list(zip(curve.confidence[shown].tolist(), curve.outcome[shown].tolist(), strict=True))
    height = curve.density[shown] * _TALL / curve.density.max()
    return curves(
        "Reliability of the predicted class",
        {"": points},
        across="confidence of the predicted class",
        up="share of items on which it is the majority",
        diagonal=True,
        below=list(zip(curve.confidence[shown].tolist(), height.tolist(), strict=True)),
    )
