"""Groups of options that are declared once: a command with a parameter for a group has an option for each member."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

from typer.models import OptionInfo

from votewise.cli.options import option, pairs, parts

PANELS = {  # parameter of a command -> heading of its options in the help
    "place": "Data",
    "material": "Data",
    "read_options": "Reading votes",
    "execution": "Running the study",
}


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Replace each parameter of a command that is a dataclass or a `TypedDict` by its members, for typer.

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
        name: of.annotation
        for name, of in signature.parameters.items()
        if is_dataclass(of.annotation) or is_typeddict(of.annotation)
    }
    members = {name: _members(group, PANELS.get(name)) for name, group in groups.items()}
    flat = [one for name, of in signature.parameters.items() for one in members.get(name, {name: of}).values()]

    @wraps(command)
    def with_groups(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{member: _given(member, given.pop(member)) for member in members[name]})
        command(**given)

    with_groups.__signature__ = signature.replace(  # type: ignore[attr-defined]  # PEP 362 lets a function have one
        parameters=[one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in flat]
    )
    with_groups.__annotations__ = {one.name: one.annotation for one in flat}
    return with_groups


def _members(group: Any, panel: str | None) -> dict[str, inspect.Parameter]:
    """The fields of a dataclass, or the keys of a `TypedDict` as options whose help is the text that annotates them."""
    if is_typeddict(group):
        hints = get_type_hints(group, include_extras=True)
        annotations = {name: _option(name, hint) for name, hint in hints.items()}
        kind = inspect.Parameter.KEYWORD_ONLY
        fields = {name: inspect.Parameter(name, kind, default=None, annotation=a) for name, a in annotations.items()}
    else:
        fields = dict(inspect.signature(group, eval_str=True).parameters)
    return {name: of.replace(annotation=_under(panel, of.annotation)) for name, of in fields.items()}


def _under(panel: str | None, annotation: Any) -> Any:
    """The annotation of an option with a heading for the help; that of anything else as it is."""
    kind, *details = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    if not any(isinstance(detail, OptionInfo) for detail in details):
        return annotation
    (info,) = map(copy, details)
    info.rich_help_panel = panel
    return Annotated[kind, info]


def _option(name: str, hint: Any) -> Any:
    """The annotation of an option for a key: its type and its help. A list is written with commas."""
    kind, text = get_args(hint)
    match name:
        case "ordinal":
            return Annotated[kind, option(text, "--ordinal/--nominal")]
        case "fold":
            return Annotated[kind, option(text, "--fold/--no-fold")]
        case "classes" | "carry" | "missing" | "without_annotators":
            text += " Comma-separated; quote a name that contains a comma."
            return Annotated[str | None, option(text, parser=parts, metavar="NAMES")]
        case "map" | "map_annotators":
            text += " Written as old=new; comma-separated, or give the option several times."
            return Annotated[list[str] | None, option(text, metavar="OLD=NEW")]
    return Annotated[str | None, option(text)]


def _given(name: str, value: Any) -> Any:
    """The value of an option for the group: old=new becomes a mapping."""
    return pairs(value) if name in ("map", "map_annotators") else value
