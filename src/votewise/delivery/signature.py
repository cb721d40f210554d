"""The options of a delivery, from its signature: the parameters except votes and seed, with their types and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

from votewise.errors import VotewiseError
from votewise.validation import checked
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    from pydantic import BaseModel


def option_names(factory: Callable[..., Any]) -> tuple[str, ...]:
    """The options that a delivery class, or a function (votes, seed, ...) -> delivery, takes.

    >>> from votewise.delivery import SLS, Soft
    >>> option_names(SLS), option_names(Soft)
    (('resample_every',), ())
    """
    return tuple(_options(factory).model_fields)


def option_defaults(factory: Callable[..., Any]) -> dict[str, Any]:
    """The options that have a default, with the default."""
    return {name: field.default for name, field in _options(factory).model_fields.items() if not field.is_required()}


def checked_options(factory: Callable[..., Any], options: Mapping[str, Any], where: object = None) -> dict[str, Any]:
    """The options that differ from their defaults, checked against their annotations.

    >>> from votewise.delivery import LabelSmoothing
    >>> checked_options(LabelSmoothing, {"epsilon": 0, "on": "majority"})
    {'epsilon': 0.0}
    """
    names = option_names(factory)
    if unknown := [name for name in options if name not in names]:
        raise VotewiseError(
            f"unknown option {quoted(unknown[0])}",
            where=where,
            remedy=f"the options are {listing(names, len(names))}" if names else "it has no options: leave it out",
        )
    return checked(_options(factory), dict(options), where=where).model_dump(exclude_defaults=True)


@cache
def _options(factory: Callable[..., Any]) -> type[BaseModel]:
    from pydantic import ConfigDict, create_model

    hints = _hints(factory)
    taken = [
        parameter
        for parameter in list(inspect.signature(factory).parameters.values())[1:]
        if parameter.name != "seed" and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    fields: dict[str, Any] = {
        parameter.name: (
            hints.get(parameter.name, Any),
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in taken
    }
    config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)
    return create_model(getattr(factory, "__name__", "Options"), __config__=config, **fields)


def _hints(factory: Callable[..., Any]) -> dict[str, Any]:
    plain_class = isinstance(factory, type) and not hasattr(factory, "__dataclass_fields__")
    try:
        return get_type_hints(factory.__init__ if plain_class else factory, include_extras=True)
    except (
        NameError
    ):  # an annotation that is only imported for type checkers cannot be checked, so options of any type are accepted
        return {}
