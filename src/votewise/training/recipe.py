"""How a model is trained: the paper's recipe as defaults, presets as data, and errors that name the key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from votewise.errors import VotewiseError, listing, quoted

M = TypeVar("M", bound=BaseModel)


class Recipe(BaseModel):
    """Every hyper-parameter with its reason. A default never changes, or finished runs would change their names."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    model: Literal["resnet18", "resnet8", "digits", "mlp", "linear"] = "resnet18"  # section 4: CIFAR stem, from scratch
    init: Literal["torch", "torchvision"] = (
        "torch"  # unstated; torchvision's ResNet draws its convolutions by He et al. 2015
    )
    epochs: int = Field(default=200, ge=1)
    batch_size: int = Field(default=128, ge=1)  # the last, short batch is kept: every item once per epoch
    lr: float = Field(default=0.1, gt=0)
    momentum: float = Field(default=0.9, ge=0, lt=1)
    nesterov: bool = False  # unstated: plain
    weight_decay: float = Field(default=5e-4, ge=0)  # on all parameters
    schedule: Literal["cosine", "constant"] = "cosine"  # per epoch, to 0, no warm-up
    augment: tuple[Literal["crop", "flip"], ...] | None = None  # None: what fits the dataset
    padding: int = Field(default=4, ge=0)  # of the crop: black, before normalising
    precision: Literal["float32", "bfloat16"] = "float32"
    select: Literal["full", "sparse"] = (
        "full"  # best checkpoint by soft NLL against all votes, or against the training's K
    )


def preset(name: str, *, where: object = None, **changes: Any) -> Recipe:
    """The recipe called `name`, with other values where given."""
    if name not in presets():
        raise VotewiseError(f"there is no preset {name!r}", remedy=f"choose one of {listing(presets())}")
    return checked(Recipe, {**presets()[name], **changes}, where=where or f"preset {name}")


@cache
def presets() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("votewise.training").joinpath("presets.toml").read_text())


def checked(kind: type[M], values: Any, where: object = None) -> M:
    """A model of `kind` from what a person wrote, or one sentence about the first key that is wrong."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        # A misspelt key is unknown and missing; that it is unknown says more.
        told = sorted(error.errors(), key=lambda way: way["type"] != "extra_forbidden")
        path = _path(values, told[0]["loc"])
        key = ".".join(part for part in path if isinstance(part, str)) or kind.__name__
        if told[0]["type"] == "extra_forbidden":
            raise VotewiseError(
                f"unknown key {key!r}", where=where, remedy=f"the keys are {listing(kind.model_fields, 30)}"
            ) from None
        if told[0]["type"] == "missing":
            raise VotewiseError(f"the key {key!r} is missing", where=where, remedy=f"give {key}") from None
        # A value that may be one thing or another has an error for each of them.
        ways = [_allowed(way["type"], way.get("ctx", {})) for way in told if _path(values, way["loc"]) == path]
        raise VotewiseError(
            f"{key} = {quoted(told[0]['input'])} is not possible", where=where, remedy=f"give {', or '.join(ways)}"
        ) from None


_ALLOWED = {  # by the type of pydantic's error, up to its first underscore where all of them mean the same
    "greater_than_equal": "{ge:g} or more",
    "greater_than": "more than {gt:g}",
    "less_than_equal": "{le:g} or less",
    "less_than": "less than {lt:g}",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "string_pattern_mismatch": "letters, digits, '-', '_' and '.', a letter or digit first",  # a name of a folder
    "literal": "{expected}",
    "int": "a whole number",
    "float": "a number",
    "finite": "a finite number",
    "bool": "true or false",
    "string": "text",
    "tuple": "a list",
    "dict": "a table",
    "model": "a table",
}


def _allowed(type: str, context: Mapping[str, Any]) -> str:
    """What could stand there instead."""
    words = _ALLOWED.get(type) or _ALLOWED.get(type.partition("_")[0]) or type.replace("_", " ")
    return words.format(**context)


def _path(values: Any, place: Sequence[int | str]) -> list[int | str]:
    """A place of pydantic's without its names for the members of a union: only what leads into the values."""
    path = list[int | str]()
    for part in place:
        if isinstance(values, Mapping) or isinstance(part, int):
            path.append(part)
            values = values.get(part) if isinstance(values, Mapping) else values[part]
    return path
