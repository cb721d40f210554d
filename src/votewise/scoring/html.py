"""A scorecard in a notebook: the scores, the reliability diagram and the worst items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from votewise.cards import Markup, card, element, paragraph, table
from votewise.scoring.render import head, legend
from votewise.scoring.scores import GROUPS, SCORES

if TYPE_CHECKING:
    from votewise.scoring.card import Scorecard
    from votewise.scoring.declaration import Score

_WORST = 5


def html(scores: Scorecard) -> str:
    """The HTML of a scorecard."""
    return card(*_parts(scores))


def _parts(scores: Scorecard) -> Iterator[Markup]:
    yield element("p", element("strong", f"Scores on {head(scores)}"))
    columns = ["", "score", "", "corrected for few votes"] if scores.corrected else ["", "score", ""]
    if scores.intervals:
        columns.append(f"{100 * (scores.settings.get('level') or 0):g}% interval")
    own = tuple(one for one in scores.definitions if SCORES.get(one.key) is not one)
    lines: list[list[Any]] = []
    for title, group in (*GROUPS.items(), ("Your scores", own)):
        shown = [_line(scores, one) for one in group if one.key in scores.scores and one.equals is None]
        if shown:
            lines += [[element("strong", title), *[None] * (len(columns) - 1)], *shown]
    chart = scores.chart().figure(
        "Below the diagonal the model is overconfident. The area shows the density of the predictions."
    )
    yield element("div", element("div", table(columns, lines)), chart, class_="vw-charts")
    for line in (*legend(scores), *scores.notes):
        yield paragraph(line, "note")
    if "soft_nll" in scores.items.columns:
        worst = scores.worst("soft_nll", _WORST)
        yield element("h3", f"The {len(worst)} items with the largest soft NLL")
        yield worst.html()
        yield paragraph("card.items has every item; card.worst(score, top) sorts them.", "note")


def _line(scores: Scorecard, one: Score) -> list[Any]:
    """The row of a score, as cells."""
    cells: list[Any] = [one.label, scores.scores[one.key], {"lower": "↓", "higher": "↑"}.get(one.better or "", "")]
    if scores.corrected:
        cells.append(scores.corrected.get(one.key))
    if scores.intervals:
        ends = scores.intervals.get(one.key)
        cells.append(None if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}")
    return cells
