"""Validation of user input: reports an error of pydantic as one sentence that names the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from votewise.errors import VotewiseError
from votewise.wording import listing, quoted

M = TypeVar("M", bound=BaseModel)


class Checked(BaseModel):
    """A model of pydantic whose constructor raises the same errors as `checked`.

    >>> class Point(Checked):
    ...     x: int
    >>> Point(x="east")
    Traceback (most recent call last):
    votewise.errors.VotewiseError: x must be a whole number, got 'east'
    """

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as invalid:
            raise _refusal(type(self), values, invalid, None) from None

    # Models inside other models are validated without calling the constructor, so that an error has the path of keys to it.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


def checked(kind: type[M], values: Any, where: object = None) -> M:
    """A model of `kind` from user input.

    Args:
        kind: The pydantic model.
        values: A mapping of its fields.
        where: The file or table they come from, for the error.

    Raises:
        VotewiseError: For the first key that is unknown, missing or has a wrong value.

    Example:
        >>> class Point(BaseModel):
        ...     x: int
        >>> checked(Point, {"x": "east"})
        Traceback (most recent call last):
        votewise.errors.VotewiseError: x must be a whole number, got 'east'
    """
    try:
        return kind.model_validate(values)
    except ValidationError as invalid:
        raise _refusal(kind, values, invalid, where) from None


def _refusal(kind: type[BaseModel], values: Any, invalid: ValidationError, where: object) -> VotewiseError:
    """The error for the first key that is wrong."""
    # A misspelt key is both unknown and missing; report it as unknown.
    errors = sorted(invalid.errors(), key=lambda error: error["type"] != "extra_forbidden")
    first = errors[0]
    if isinstance(raised := first.get("ctx", {}).get("error"), VotewiseError):  # by a validator of the model
        return VotewiseError(raised.what, where=raised.where or where, remedy=raised.remedy)
    path = _path(values, first["loc"])
    key = ".".join(part for part in path if isinstance(part, str)) or kind.__name__
    if first["type"] == "extra_forbidden":
        remedy = f"the keys are {listing(kind.model_fields, 30)}"
        return VotewiseError(f"unknown key {key!r}", where=where, remedy=remedy)
    if first["type"] == "missing":
        return VotewiseError(f"the key {key!r} is missing", where=where, remedy=f"give {key}")
    # A value of a union type has an error for each member.
    here = [error for error in errors if _path(values, error["loc"]) == path]
    allowed = dict.fromkeys(_allowed(error["type"], error.get("ctx", {})) for error in here)
    return VotewiseError(f"{key} must be {', or '.join(allowed)}, got {quoted(first['input'])}", where=where)


_ALLOWED = {  # by the type of pydantic's error, up to its first underscore if all such types mean the same
    "greater_than_equal": "{ge:g} or more",
    "greater_than": "more than {gt:g}",
    "less_than_equal": "{le:g} or less",
    "less_than": "less than {lt:g}",
    "too_short": "a list of {min_length} or more",
    "too_long": "a list of {max_length} or fewer",
    "string_pattern_mismatch": "letters, digits, '-', '_' and '.', starting with a letter or digit",  # a name of a folder
    "literal": "{expected}",
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "string": "text",
    "missing": "a list of the right length",
    "tuple": "a list",
    "dict": "a table",
    "model": "a table",
}


def _allowed(type: str, context: Mapping[str, Any]) -> str:
    """The allowed values, in words."""
    words = _ALLOWED.get(type) or _ALLOWED.get(type.partition("_")[0]) or type.replace("_", " ")
    return words.format(**context)


def _path(values: Any, location: Sequence[int | str]) -> list[int | str]:
    """The location of a pydantic error, without the names that pydantic inserts for the members of a union."""
    path = list[int | str]()
    for part in location:
        if isinstance(values, Mapping):
            path.append(part)
            values = values.get(part)
        elif isinstance(part, int):
            if not (isinstance(values, list | tuple) and part < len(values)):
                break  # a value that is missing
            path.append(part)
            values = values[part]
    return path
