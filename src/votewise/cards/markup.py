"""HTML and SVG by function calls: text is escaped, existing markup is not."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from votewise.wording import shown


class Markup(str):
    """Text that is already HTML, so that templates do not escape it."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def element(tag: str, *inside: str | float, **attributes: str | float | None) -> Markup:
    """An element with its content and attributes; `class_` becomes class, `stroke_width` becomes stroke-width, and attributes with the value None are left out.

    >>> print(element("p", "a < b", class_="note"))
    <p class="note">a &lt; b</p>
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{given}>{join(inside)}</{tag}>")


def join(parts: Iterable[str | float]) -> Markup:
    """Concatenated parts, each escaped unless it is markup."""
    return Markup("".join(part if isinstance(part, Markup) else escape(_text(part)) for part in parts))


def _text(value: str | float) -> str:
    if isinstance(value, str):
        return shown(value)
    return f"{value:.6g}"
