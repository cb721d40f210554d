"""A scorecard on a page: the dialect's few numbers first, then every score, then what one has to know to read them."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from votewise.scoring.dialects import DIALECTS, SOURCES
from votewise.scoring.registry import GROUPS
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.scoring.bootstrap import Interval
    from votewise.scoring.card import Scorecard

_LEAST, _MOST = 60, 100  # a page is as wide as the terminal, within these
_ASCII = str.maketrans({"↓": "v", "↑": "^", "…": "~"})


def plain(card: Scorecard) -> str:
    """The page as text as wide as the terminal, 80 columns where there is none; ASCII where it has no more."""
    width = max(_LEAST, min(shutil.get_terminal_size((80, 24)).columns, _MOST))
    text = "\n".join(_lines(card, width))
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if encoding.lower().startswith("utf"):
        return text
    return text.translate(_ASCII).encode("ascii", "backslashreplace").decode()


def _lines(card: Scorecard, width: int) -> Iterator[str]:
    yield from _wrapped(_head(card), width)
    if card.dialect:
        yield ""
        yield from _dialect(card, width)
    yield ""
    yield from _table(card, width)
    yield ""
    for line in (*_legend(card), *_absent(card), *card.notes):
        yield from _wrapped(line, width)


def _wrapped(text: str, width: int, first: str = "", rest: str = "  ") -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _head(card: Scorecard) -> str:
    facts = [counted(card.items, "item")]
    if card.skipped:
        facts.append(f"{card.skipped:,} without votes skipped")
    if card.ties:
        facts.append(counted(card.ties, "majority tie"))
    if card.settings.get("kind_told_by", "said") != "said":
        facts.append(f"predictions read as {card.settings['kind']}")
    return ", ".join(facts)


def _dialect(card: Scorecard, width: int) -> Iterator[str]:
    dialect = str(card.settings["dialect"])
    yield from _wrapped(f"In the terms of {dialect}: {SOURCES[dialect]}", width)
    wide = max(map(len, card.dialect))
    for name, value in card.dialect.items():
        score = DIALECTS[dialect][name]
        start = f"  {name:<{wide}} {score.arrow}  {_shown(value):>7}  "
        yield from _wrapped(score.definition, width, start, " " * len(start))


class _Row(NamedTuple):
    """A line of the table: a name, the direction that is better, numbers, and what follows them; a title has no numbers."""

    name: str
    arrow: str = ""
    numbers: tuple[str, ...] = ()
    unit: str = ""
    equals: str = ""


def _table(card: Scorecard, width: int) -> list[str]:
    """Every score in its group: value, interval, ceiling, unit; one that is another name of a score says so instead."""
    columns: list[Mapping[str, float] | Mapping[str, Interval]] = [card.scores]
    heads = ["value"]
    if card.intervals:
        columns.append(card.intervals)
        heads.append(f"{100 * (card.settings.get('level') or 0):g}% interval")
    if card.ceiling:
        columns.append(card.ceiling)
        heads.append("halves")
    rows = [_Row("", "", tuple(heads), "unit")]
    for group, scores in GROUPS.items():
        here = [score for score in scores if score.name in card.scores]
        rows += [_Row(_title(card, group))] if here else []
        for score in here:
            name = score.name
            numbers = tuple(_shown(column.get(name)) for column in columns)
            if score.equals is not None:
                rows.append(_Row(f"  {name}", score.arrow, numbers[:1], equals=f"= {score.equals}"))
                continue
            rows.append(_Row(f"  {name}", score.arrow, numbers, score.unit))
            if name in card.corrected:
                ends = (_shown(card.corrected_intervals.get(name)),) if card.intervals else ()
                rows.append(_Row("    corrected", "", (_shown(card.corrected[name]), *ends)))
    return _aligned(rows, width)


def _title(card: Scorecard, group: str) -> str:
    bins = card.settings.get("bins") if "Calibration" in group else None
    return group if bins is None else f"{group}, {bins} bins"


def _aligned(rows: list[_Row], width: int) -> list[str]:
    """Rows as lines: names to the left, numbers to the right. Columns that do not fit are left out, the last ones first."""
    name = max(len(row.name) for row in rows if row.numbers)
    sizes = [max(len(row.numbers[k]) for row in rows if k < len(row.numbers)) for k in range(len(rows[0].numbers))]
    while len(sizes) > 1 and name + 2 + sum(sizes) + 2 * len(sizes) > width:
        sizes.pop()
    room = width - (name + 2 + sum(sizes) + 2 * len(sizes)) - 2
    units = max(len(row.unit) for row in rows) <= room
    lines = []
    for row in rows:
        numbers = [f"{number:>{size}}" for number, size in zip(row.numbers, sizes, strict=False)]
        line = "  ".join([f"{row.name:<{name}} {row.arrow:1}", *numbers])
        rest = row.equals or (row.unit if units else "")
        lines.append((f"{line}  {rest}" if len(line) + 2 + len(rest) <= width else line).rstrip())
    return lines


def _legend(card: Scorecard) -> Iterator[str]:
    floor = card.corrected.get("entropy_floor")
    fair = "" if floor is None else f"; {_shown(floor)} corrected"
    yield f"entropy of the votes, the least soft_nll on them: {_shown(card.floor)} nats{fair}"
    if card.corrected:
        alone = f"; left out: {counted(card.uncorrected, 'item')} with one vote" if card.uncorrected else ""
        yield f"corrected: without the bias that few votes bring{alone}"
    if card.ceiling:
        yield (
            "halves: half of the votes on each item against the other half, which is what so many people reach among"
            " themselves, and no bound"
        )


def _absent(card: Scorecard) -> Iterator[str]:
    """One line for each reason; the scores against the truth are named together."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in card.absent.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        short = dict.fromkeys("…_truth" if name.endswith("_truth") else name for name in names)
        yield f"no {', '.join(short)}: {reason}"


def _shown(value: float | Interval | None) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f"{_shown(value[0])} … {_shown(value[1])}"
    text = f"{value:.4f}"
    return text.removeprefix("-") if float(text) == 0 else text
