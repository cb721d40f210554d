"""A page of cards: the parts that a notebook shows of an object, one section each."""

from __future__ import annotations

from collections.abc import Sequence

from votewise.cards import STYLE, Markup
from votewise.reporting.page import Page, Section, build


def cards_page(title: str, lead: str, parts: Sequence[tuple[str, str, Markup]]) -> str:
    """The HTML of a page with a section for each part: its anchor, its title and its content."""
    template = "votewise.reporting:sections/card.html"
    sections = [
        Section(anchor, heading, template, {"body": body}, style="" if place else STYLE)
        for place, (anchor, heading, body) in enumerate(parts)
    ]
    return build(Page(title, lead, sections))
