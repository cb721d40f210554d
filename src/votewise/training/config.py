"""The configuration of a run and its identity: equal configurations are the same run on every machine.

The identity contains everything that determines the numbers. It does not contain the device, threads, versions, paths or the study. Fields that equal their
default are left out, so that a new option does not change the ids of existing runs if its default keeps the behaviour.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Literal

import numpy as np
from pydantic import ConfigDict, Field

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.limits import MOST_OF_A_CELL, whole_number
from votewise.training.method import Method
from votewise.training.recipe import Recipe
from votewise.validation import Checked
from votewise.votes import Votes
from votewise.wording import quoted

SCHEMA = 1
NESTED_SCHEMA = 2  # version of the identity; since 2, nested sub-samples use a separate random stream


class Split(Checked):
    """Which items are held out for evaluation, and which are used to choose the best epoch.

    Attributes:
        fraction: Share of the items that are held out.
        selection: Share of the items used to choose the best epoch; 0 uses the held-out items, as in the paper.
        stratify: The labels that have equal shares in each part: the "majority" of the votes, the true classes ("truth"), or "none".
        seed: Seed of the split; default: the seed of the run.
        given: Whether to use the predefined split of the dataset, which is part of the dataset's fingerprint.

    Example:
        >>> Split(selection=0.1).fraction
        0.2
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fraction: float = Field(default=0.2, gt=0, lt=1)
    selection: float = Field(default=0.0, ge=0, lt=1)
    stratify: Literal["majority", "truth", "none"] = "majority"
    seed: int | None = None
    given: bool = True


class Subsample(Checked):
    """Draws K votes of each training item: independently with replacement, as in the paper, or nested and without replacement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int = Field(ge=1)
    kind: Literal["multinomial", "nested"] = "multinomial"
    seed: int | None = None  # seed of the draw; None: the seed of the run, as in the paper


class Config(Checked):
    """Everything that determines the numbers of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: str  # the fingerprint of its inputs and votes
    dataset_name: str = Field(
        default="", exclude=True, pattern=r"^[^/\\\x00]*$"
    )  # for display: part of the folder name, not of the identity
    method: Method
    recipe: Recipe = Recipe()
    split: Split = Split()
    subsample: Subsample | None = None
    seed: int = 0
    training_seed: int | None = (
        None  # seed of initial weights, order, augmentation and delivery, but not of the split; None: `seed`
    )

    @property
    def identity(self) -> dict[str, Any]:
        """The part of the configuration that is hashed, as plain JSON."""
        nested = self.subsample is not None and self.subsample.kind == "nested"
        values = self.model_dump(mode="json", exclude_defaults=True)
        model = values.get("recipe", {}).get("model", "")
        if os.path.isabs(model):  # the folder of a text model; its digest is in the recipe
            values["recipe"]["model"] = os.path.basename(model)
        return {"schema": NESTED_SCHEMA if nested else SCHEMA, **values}

    @property
    def id(self) -> str:
        """16 hex digits of SHA-256 over the canonical JSON of the identity."""
        text = json.dumps(self.identity, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def folder_name(self) -> str:
        """A readable name: dataset, method, votes per item and seed. Only the id at its end identifies the run."""
        votes = f"-k{self.subsample.k}" if self.subsample else ""
        return f"{self.dataset_name or 'data'}-{self.method.name}{votes}-s{self.seed}-{self.id}"

    @property
    def votes_per_item(self) -> int | None:
        """The number of votes per item that training uses; None: all."""
        return self.subsample.k if self.subsample else None

    def seed_of(self, stream: str) -> int:
        """The seed of a named stream: the seed of the run, unless a separate seed was set."""
        apart = {"split": self.split.seed, "subsample": self.subsample.seed if self.subsample else None}
        chosen = apart.get(stream, self.training_seed)
        return self.seed if chosen is None else chosen


def configure(
    dataset: Dataset,
    method: Method,
    recipe: Recipe | None = None,
    *,
    seed: int = 0,
    votes_per_item: int | None = None,
    subsample: str = "multinomial",
    subsample_seed: int | None = None,
    split: Split | None = None,
    training_seed: int | None = None,
) -> Config:
    """The configuration of one run. Nested sub-sampling to all votes of every item is the same as no sub-sampling."""
    if subsample not in ("nested", "multinomial"):
        raise VotewiseError(f"unknown subsample {quoted(subsample)}", remedy="choose 'nested' or 'multinomial'")
    k = _whole("votes_per_item", votes_per_item, 1, MOST_OF_A_CELL, "no item has more votes")
    seed_of_draw = _whole("subsample_seed", subsample_seed, 0)
    most = dataset.votes.votes_per_item.max() if isinstance(dataset.votes, Votes) else np.inf
    sparse = k is not None and not (subsample == "nested" and k >= most)
    return Config(
        dataset=dataset.fingerprint,
        dataset_name=dataset.name,
        method=method,
        recipe=recipe or Recipe(),
        split=split or Split(),
        subsample=Subsample.model_validate({"k": k, "kind": subsample, "seed": seed_of_draw}) if sparse else None,
        seed=_whole("seed", seed, 0) or 0,
        training_seed=_whole("training_seed", training_seed, 0),
    )


def _whole(name: str, value: int | None, *limits: Any) -> int | None:
    """The argument as an integer, or None; see `whole_number`."""
    return None if value is None else whole_number(name, value, *limits)
