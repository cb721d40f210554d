"""TOML files: reading with one-sentence errors, and writing of values."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from votewise.errors import VotewiseError
from votewise.files import existing_file
from votewise.wording import reason

# A key of 100 dotted parts: the time of the parser grows with the square of their number.
_TOO_DEEP = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The values in a TOML file."""
    path = existing_file(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        if _TOO_DEEP.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise VotewiseError(
            "the TOML is nested too deeply", where=path, remedy="use fewer nested tables and lists"
        ) from None
    except ValueError as error:  # also for bytes that are not UTF-8, and numbers of thousands of digits
        raise VotewiseError(
            f"invalid TOML ({reason(error)})", where=path, remedy="correct it; a line of TOML is key = value"
        ) from None


def toml_value(value: Any) -> str:
    r"""A JSON value as TOML.

    >>> toml_value({"a b": [1, "x\n"], "c": True})
    '{ "a b" = [1, "x\\n"], c = true }'
    """
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key, quoted if necessary."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)
