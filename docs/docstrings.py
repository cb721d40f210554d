"""Docstrings for the API reference: examples, with or without a heading, are the section that Griffe knows as "Examples"."""

from __future__ import annotations

import re
from textwrap import indent
from typing import Any

import griffe


def with_section(docstring: str) -> str:
    """The docstring with its example under the heading "Examples:"."""
    text = re.sub(r"^Example:$", "Examples:", docstring, flags=re.MULTILINE)
    return re.sub(
        r"^>>> .*?(?=\n\n(?!>>> )|\Z)",
        lambda match: f"Examples:\n{indent(match[0], '    ')}",
        text,
        count=1,
        flags=re.DOTALL | re.MULTILINE,
    )


class Examples(griffe.Extension):
    """Changes docstrings before they are parsed."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = with_section(obj.docstring.value)
