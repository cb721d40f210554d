"""How a model is trained: the paper's recipe as defaults, presets as data, and errors that name the key."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from votewise.errors import VotewiseError
from votewise.validation import checked
from votewise.wording import listing


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
