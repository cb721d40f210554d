"""A page is a title and sections; a section is a template with what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page.

    Attributes:
        id: its anchor, for example `tables`.
        title: its heading.
        template: the resource that draws it, as `package:path` below the package's `templates`.
        context: what the template shows.
        contents: anchors and titles of what stands in it, for the table of contents.
        scripts: resources of the scripts it needs.
        charts: by number, the Vega-Lite specifications that `chart` elements of the template show.
        data: by element id, JSON for its scripts.
        style: further rules for the style sheet; never text of a user.
    """

    id: str
    title: str
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    contents: Sequence[tuple[str, str]] = ()
    scripts: Sequence[str] = ()
    charts: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    style: str = ""


@dataclass(frozen=True, eq=False)
class Page:
    """One self-contained page.

    Attributes:
        title: its heading.
        lead: what it is, in a sentence or two.
        sections: in their order.
        cautions: what a reader must know before any number.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    cautions: Sequence[str] = ()
