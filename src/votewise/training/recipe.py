"""How a model is trained. The defaults are the paper's recipe; presets are data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import ConfigDict, Field, model_validator

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.importing import is_import_path
from votewise.limits import MOST_EPOCHS
from votewise.text import find_model, is_text_model
from votewise.training.objects import digest_of, path_of
from votewise.validation import Checked, checked
from votewise.wording import listing, quoted

MODELS = ("resnet18", "resnet8", "digits", "mlp", "linear")  # built in votewise.training.models
# For features: of the rates in benchmarks/learning_rate.py, those with the lowest mean regret for mlp and for linear.
FEATURE_LR, LINEAR_LR = 0.01, 0.003
SUITED = {"digits": "demo"}  # default preset of a dataset, by its name; otherwise `cpu`


class Recipe(Checked):
    """All hyper-parameters of training. Defaults never change, because the ids of finished runs depend on them.

    `model` is a name (resnet18, resnet8, digits, mlp, linear; for texts minilm, a folder or hub name of a Hugging Face model), the import path "package.module:object" of a model factory, or in Python the
    factory itself: a function or torch.nn.Module class that takes (shape, num_classes). `shape` is the shape of one input, (H, W, C) or (D,); the
    model maps inputs [n, C, H, W] or [n, D] to logits [n, num_classes].

    Example:
        >>> Recipe.preset("cpu", epochs=5).model
        'resnet8'
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    model: str = "resnet18"  # section 4: CIFAR stem, from scratch
    model_source: str | None = None  # SHA-256 of the source of a custom model, or of the files of a text model
    init: Literal["torch", "torchvision"] = (
        "torch"  # not stated; torchvision's ResNet initialises convolutions as He et al. 2015
    )
    epochs: int = Field(default=200, ge=1, le=MOST_EPOCHS)
    batch_size: int = Field(
        default=128, ge=1
    )  # the last, smaller batch is kept, so that every item occurs once per epoch
    batches: Literal["shuffled", "bucketed"] = "shuffled"  # bucketed: texts of similar length together
    max_length: int | None = Field(
        default=None, ge=8
    )  # maximum number of tokens of a text; None: the limit of the model
    optimiser: Literal["sgd", "adamw"] = "sgd"  # adamw: weight decay on matrices only, as usual for transformers
    lr: float = Field(default=0.1, gt=0)
    warmup: float = Field(
        default=0.0, ge=0, lt=1
    )  # share of the steps in which the learning rate rises linearly from 0
    momentum: float = Field(default=0.9, ge=0, lt=1)
    nesterov: bool = False  # not stated; plain momentum
    weight_decay: float = Field(default=5e-4, ge=0)  # weight decay on all parameters
    schedule: Literal["cosine", "constant", "linear"] = (
        "cosine"  # decays to 0 epoch by epoch; linear schedules and schedules with warm-up change at every step
    )
    augment: tuple[Literal["crop", "flip"], ...] | None = None  # None: all that the dataset allows
    padding: int = Field(default=4, ge=0)  # padding of the crop with black pixels, before normalisation
    precision: Literal["float32", "bfloat16"] = "float32"
    select: Literal["full", "sparse"] = (
        "full"  # choose the best checkpoint by soft NLL against all votes, or against K votes as in training
    )

    @model_validator(mode="before")
    @classmethod
    def _check_model(cls, values: Any) -> Any:
        if not isinstance(values, Mapping) or "model" not in values:
            return values
        model = path_of(values["model"])
        if is_import_path(model):  # a stored run can be read where its model cannot be imported
            source = values.get("model_source") or digest_of(model)
            return {**values, "model": model, "model_source": source}
        if values.get("model_source") and model not in MODELS:  # a text model, which may have been moved
            return values
        if is_text_model(model):
            files = find_model(model)
            return {**values, "model": files.name, "model_source": files.digest}
        if model not in MODELS:
            raise VotewiseError(
                f"unknown model {quoted(model)}",
                remedy=f"choose one of {listing(MODELS)}, give 'package.module:object', or for texts 'minilm' or a folder",
            )
        return values

    @property
    def takes_texts(self) -> bool:
        """Whether the model is a Hugging Face model. A stored run has the name of its folder and the digest of its files."""
        stored = self.model_source is not None and not is_import_path(self.model) and self.model not in MODELS
        return stored or is_text_model(self.model)

    @classmethod
    def preset(cls, name: str, *, where: object = None, **changes: Any) -> Recipe:
        """The recipe of a preset, with other values for some fields if given.

        Args:
            name: "demo", "cpu", "paper" or "text".
            where: Location to name in error messages.
            **changes: Fields of the recipe.

        Raises:
            VotewiseError: If the preset or a field is unknown, or a value is invalid.
        """
        if name not in presets():
            raise VotewiseError(f"unknown preset {quoted(name)}", remedy=f"choose one of {listing(presets())}")
        return checked(cls, {**presets()[name], **changes}, where=where or f"preset {name}")

    @classmethod
    def for_dataset(
        cls, dataset: Dataset, preset: str | None = None, *, where: object = None, **changes: Any
    ) -> Recipe:
        """A recipe for a dataset: an MLP for features, the preset's model for images, and fine-tuning for texts.

        For features, the learning rate is 0.003 for the linear model and 0.01 for other models, in any preset.

        Args:
            dataset: The dataset to train on.
            preset: "demo", "cpu", "paper" or "text"; default: "demo" for the digits dataset, "text" for texts, otherwise "cpu".
            where: Location to name in error messages.
            **changes: Fields of the recipe.

        Example:
            >>> from votewise.datasets import load_dataset
            >>> recipe = Recipe.for_dataset(load_dataset("digits"), epochs=5)
            >>> recipe.model, recipe.epochs, recipe.lr
            ('digits', 5, 0.3)
        """
        values = {**model_for(dataset), **changes}
        if dataset.kind == "features":
            values.setdefault("lr", LINEAR_LR if values["model"] == "linear" else FEATURE_LR)
        return cls.preset(preset or preset_for(dataset), where=where, **values)

    def changed(self, **changes: Any) -> Recipe:
        """A copy of the recipe with changed fields, validated."""
        values = self.model_dump(exclude={"model_source"} if "model" in changes else None)
        return checked(Recipe, {**values, **changes}, where="recipe")


def preset_for(dataset: Dataset) -> str:
    """The default preset of a dataset."""
    return "text" if dataset.kind == "texts" else SUITED.get(dataset.name, "cpu")


def model_for(dataset: Dataset) -> dict[str, Any]:
    """The fields that a dataset changes in any preset: features need a different model, and texts a different training setup."""
    return {"images": {}, "features": {"model": "mlp"}, "texts": dict(presets()["text"])}[dataset.kind]


@cache
def presets() -> dict[str, dict[str, Any]]:
    """The fields of each preset that differ from the defaults, by preset."""
    return tomllib.loads(files("votewise.training").joinpath("presets.toml").read_text())
