"""Options that go together, said once: a command that takes a group has an option for each of its fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from typing import Any


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each parameter that is a dataclass replaced by the fields of it, for typer to read.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Size:
    ...     height: int = 1
    ...     width: int = 1
    >>> @grouped
    ... def draw(colour: str, *, size: Size) -> None:
    ...     print(colour, size.height, size.width)
    >>> list(inspect.signature(draw).parameters)
    ['colour', 'height', 'width']
    >>> draw(colour="red", height=3, width=4)
    red 3 4
    """
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: of.annotation for name, of in signature.parameters.items() if is_dataclass(of.annotation)
    }
    fields = {name: inspect.signature(group, eval_str=True).parameters for name, group in groups.items()}
    flat = [one for name, of in signature.parameters.items() for one in fields.get(name, {name: of}).values()]

    @wraps(command)
    def with_groups(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in fields[name]})
        command(**given)

    with_groups.__signature__ = signature.replace(  # type: ignore[attr-defined]  # PEP 362 lets a function have one
        parameters=[one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in flat]
    )
    with_groups.__annotations__ = {one.name: one.annotation for one in flat}
    return with_groups
