"""A scorecard as a page: every score, the numbers of the dialect, and the notes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from votewise.scoring.dialects import DIALECTS, SOURCES
from votewise.scoring.scores import GROUPS, SCORES
from votewise.terminal import Canvas, Page, Row
from votewise.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from votewise.scoring.bootstrap import Interval
    from votewise.scoring.card import Scorecard
    from votewise.scoring.declaration import Score


def page(card: Scorecard) -> Page:
    """A rich renderable of a scorecard."""
    return Page(partial(_parts, card))


def _parts(card: Scorecard, canvas: Canvas) -> Iterator[RenderableType]:
    yield from canvas.note(head(card))
    yield ""
    yield from _table(card, canvas)
    if card.dialect:
        yield ""
        yield from _dialect(card, canvas)
    yield ""
    for line in (*legend(card), *_absent(card), *card.notes):
        yield from canvas.note(line)


def head(card: Scorecard) -> str:
    facts = [counted(len(card.items), "item")]
    if card.skipped:
        facts.append(f"{card.skipped:,} without votes skipped")
    if card.ties:
        facts.append(counted(card.ties, "majority tie"))
    if card.settings.get("kind_from") != "argument" and card.settings.get("kind", "probabilities") != "probabilities":
        facts.append(f"predictions read as {card.settings['kind']}")
    return ", ".join(facts)


def _dialect(card: Scorecard, canvas: Canvas) -> Iterator[RenderableType]:
    dialect = str(card.settings["dialect"])
    yield from canvas.note(f"In the terms of {dialect}: {SOURCES[dialect]}")
    scores = ((DIALECTS[dialect][key], value) for key, value in card.dialect.items())
    rows = [(score.label, f"{score.arrow} {_shown(value):>6}", score.meaning) for score, value in scores]
    yield from canvas.table(rows, right=(1,), wrap=True, styles=("", "", "dim"))


def _table(card: Scorecard, canvas: Canvas) -> Iterator[RenderableType]:
    """Every score in its group, with value, interval, ceiling and unit. If columns do not fit, the rightmost are left out."""
    heads = ["", "value"]
    if card.intervals:
        heads.append(f"{100 * (card.settings.get('level') or 0):g}% interval")
    if card.ceiling:
        heads.append("halves")
    own = tuple(score for score in card.definitions if SCORES.get(score.key) is not score)
    rows: list[Row] = [(*heads, "unit")]
    for title, scores in (*GROUPS.items(), ("Your scores", own)):
        lines = [line for score in scores if score.key in card.scores for line in _lines(card, score)]
        rows += [_title(card, title, scores), *lines] if lines else []
    while len(rows[0]) > 2 and canvas.room(rows, indent=0, wrap=len(rows[0]) > len(heads)) > canvas.width:
        rows = [row if isinstance(row, str) else row[: len(rows[0]) - 1] for row in rows]
    units = len(rows[0]) > len(heads)
    yield from canvas.table(
        rows, right=range(1, len(heads)), indent=0, wrap=units, styles=("",) * len(heads) + ("dim",)
    )


def _title(card: Scorecard, title: str, scores: tuple[Score, ...]) -> str:
    bins = card.settings.get("bins") if any(score.binned for score in scores) else None
    return title if bins is None else f"{title}, {bins} bins"


def _lines(card: Scorecard, score: Score) -> Iterator[Row]:
    """The cells of a score and those of its corrected value."""
    key = score.key
    value = f"{score.arrow} {_shown(card.scores[key]):>6}"
    if score.equals is not None:  # only another name for a score, whose row has the interval and the ceiling
        blank = [""] * (bool(card.intervals) + bool(card.ceiling))
        yield (f"  {key}", value, *blank, f"= {score.equals}")
        return
    ends = [_shown(card.intervals.get(key))] if card.intervals else []
    halves = [_shown(card.ceiling.get(key))] if card.ceiling else []
    yield (f"  {key}", value, *ends, *halves, score.unit)
    if key in card.corrected:
        fair = [_shown(card.corrected_intervals.get(key))] if card.intervals else []
        yield ("    corrected", _shown(card.corrected[key]), *fair)


def legend(card: Scorecard) -> Iterator[str]:
    floor = card.corrected.get("entropy_floor")
    fair = "" if floor is None else f"; {_shown(floor)} corrected"
    yield f"lower bound of soft_nll (entropy of the votes): {_shown(card.floor)} nats{fair}"
    if card.corrected:
        alone = f"; left out: {counted(card.uncorrected, 'item')} with one vote" if card.uncorrected else ""
        yield f"corrected: without the bias of few votes{alone}"
    if card.ceiling:
        yield "halves: one half of the votes on each item scored against the other half; this is the score of annotators, not an upper bound"


def _absent(card: Scorecard) -> Iterator[str]:
    """One line per reason why scores are absent. Scores against the truth have a common name, `…_truth`."""
    by_reason: dict[str, list[str]] = {}
    for key, reason in card.absent.items():
        by_reason.setdefault(reason, []).append(key)
    for reason, keys in by_reason.items():
        short = dict.fromkeys("…_truth" if key.endswith("_truth") else key for key in keys)
        yield f"no {', '.join(short)}: {reason}"


def _shown(value: float | Interval | None) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f"{_shown(value[0])} … {_shown(value[1])}"
    shown = f"{value:.4f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown
