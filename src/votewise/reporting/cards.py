"""A page of cards: one section for each part of an object that a notebook shows."""

from __future__ import annotations

from collections.abc import Sequence

from votewise.cards import STYLE, Markup
from votewise.reporting.page import Page, Section, build


def cards_page(title: str, lead: str, parts: Sequence[tuple[str, str, Markup]]) -> str:
    """The HTML of a page with one section per part: its anchor, its title and its content."""
    template = "votewise.reporting:sections/card.html"
    sections = [
        Section(anchor, heading, template, {"body": body}, style="" if place else STYLE)
        for place, (anchor, heading, body) in enumerate(parts)
    ]
    return build(Page(title, lead, sections))
