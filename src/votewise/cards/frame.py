"""The parts of a card: its frame and style, a paragraph, a table. Colours follow the surrounding page, light or dark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from votewise.cards.markup import Markup, element

STYLE = """
.vw-card { line-height: 1.45; max-width: 76rem; }
.vw-card h3 { font-size: 1.05em; font-weight: 600; margin: 1.3em 0 .3em; }
.vw-card p { margin: .35em 0; max-width: 46rem; }
.vw-card .vw-note { opacity: .75; font-size: .88em; }
.vw-card .vw-charts { display: flex; flex-wrap: wrap; gap: 1em 2em; align-items: flex-start; }
.vw-card .vw-charts > * { min-width: 0; max-width: 100%; }
.vw-card figure { margin: .4em 0; flex: 0 1 23rem; min-width: min(100%, 17rem) !important; }
.vw-card figure.wide { flex-basis: 30rem; }
.vw-card figcaption { font-size: .85em; opacity: .8; max-width: 30rem; }
.vw-card svg { display: block; width: 100%; height: auto; font-family: system-ui, "Segoe UI", Arial, sans-serif; }
.vw-card .vw-scroll { overflow-x: auto; max-width: 100%; margin: .4em 0; }
.vw-card table { border-collapse: collapse; font-size: .86em; font-variant-numeric: tabular-nums; margin: 0; min-width: 0; width: auto; }
.vw-card th, .vw-card td { text-align: left; padding: .22em .8em .22em 0; border: 0; border-bottom: 1px solid rgb(128 128 128 / .28); vertical-align: top; background: none; white-space: nowrap; }
.vw-card td.text { white-space: normal; min-width: 13rem; max-width: 34rem; overflow-wrap: anywhere; }
.vw-card th { font-weight: 600; }
.vw-card .number { text-align: right; }
@media (max-width: 44rem) { .page .vw-card th:first-child, .page .vw-card td:first-child { position: sticky; left: 0; background: var(--paper); } }
.vw-card dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2em 1.2em; margin: .4em 0; font-size: .86em; }
.vw-card dt { opacity: .75; }
.vw-card dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 44rem) { .page .vw-card dl { grid-template-columns: minmax(0, 1fr); } .page .vw-card dd { margin-bottom: .4em; } }
.vw-card b.flag { color: #c24a00; font-weight: 600; }
"""
_NUMBER = re.compile(
    r"-?[\d,]*\.\d+ ?%?|-?\d+ ?%"
)  # text that is right-aligned as a number: a decimal or a percentage, because a whole number may also be a name
_LONG = 32  # minimum number of characters of a text that may wrap


def style() -> Markup:
    """The style sheet of cards."""
    return element("style", Markup(STYLE))


def card(*parts: str) -> str:
    """A card for a notebook."""
    return element("div", style(), *parts, class_="vw-card")


def paragraph(text: str, kind: str | None = None) -> Markup:
    """A paragraph; `kind` "note" is for secondary information."""
    return element("p", text, class_=kind and f"vw-{kind}")


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Markup:
    """A table that scrolls if it is wider than the page; numbers are right-aligned."""
    body = [[_cell(value) for value in row] for row in rows]
    right = [bool(body) and all(row[at][1] == "number" for row in body) for at in range(len(head))]
    heads = [element("th", name, class_="number" if right[at] else None, scope="col") for at, name in enumerate(head)]
    lines = [element("tr", *(element("td", text, class_=kind) for text, kind in row)) for row in body]
    inside = (element("thead", element("tr", *heads)), element("tbody", *lines))
    return element("div", element("table", *inside), class_="vw-scroll", tabindex="0")


def _cell(value: Any) -> tuple[str, str | None]:
    if value is None or (isinstance(value, float) and value != value):
        return "", "number"
    if isinstance(value, bool):
        return ("yes" if value else "no"), None
    if isinstance(value, int):
        return f"{value:,}", "number"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 1000 else f"{value:,.0f}", "number"
    if isinstance(value, Markup):
        return value, None
    text = str(value)
    if _NUMBER.fullmatch(text):
        return text, "number"
    return text, "text" if len(text) > _LONG else None
