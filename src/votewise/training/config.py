"""The configuration of a run, and the identity it has: the same configuration is the same run, wherever it is trained.

In the identity: what decides the numbers. Not in it: device, threads, versions, paths, the study that asked. Fields that equal their
default are left out, so that a new option with a behaviour-preserving default renames nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.training.method import Method
from votewise.training.recipe import Recipe
from votewise.votes import Votes
from votewise.wording import quoted

SCHEMA = 1
NESTED_SCHEMA = 2  # nested sub-samples are drawn from a stream of their own since schema 2


class Split(BaseModel):
    """Which items are held out for evaluation, and which for choosing the best epoch.

    Attributes:
        fraction: Share of the items that are held out.
        selection: Share of the items on which the best epoch is chosen; 0: on the held-out items, as in the paper.
        stratify: What has the same shares in each part: the "majority" of the votes, the true classes ("truth"), or "none".
        seed: Of the split; None: the seed of the run.
        given: Whether the split that a dataset brings is used; it is part of the dataset's fingerprint.

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


class Subsample(BaseModel):
    """How many votes of each training item are seen: the paper's independent draws, or nested ones without replacement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int = Field(ge=1)
    kind: Literal["multinomial", "nested"] = "multinomial"
    seed: int | None = None  # None: the seed of the run, as in the paper


class Config(BaseModel):
    """Everything that decides the numbers of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dataset: str  # the fingerprint of its inputs and votes
    dataset_name: str = Field(default="", exclude=True)  # for display: not part of the identity
    method: Method
    recipe: Recipe = Recipe()
    split: Split = Split()
    subsample: Subsample | None = None
    seed: int = 0
    training_seed: int | None = (
        None  # initial weights, order, augmentation and delivery apart from the split; None: the seed
    )

    @property
    def identity(self) -> dict[str, Any]:
        """What is hashed, as plain JSON."""
        nested = self.subsample is not None and self.subsample.kind == "nested"
        values = self.model_dump(mode="json", exclude_defaults=True)
        model = values.get("recipe", {}).get("model", "")
        if os.path.isabs(model):  # the folder of a text model, whose digest is in the recipe
            values["recipe"]["model"] = os.path.basename(model)
        return {"schema": NESTED_SCHEMA if nested else SCHEMA, **values}

    @property
    def id(self) -> str:
        """16 hex digits of SHA-256 over the canonical JSON of the identity."""
        text = json.dumps(self.identity, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def folder_name(self) -> str:
        """For display: dataset, method, votes per item, seed; only the id at its end is identity."""
        votes = f"-k{self.subsample.k}" if self.subsample else ""
        return f"{self.dataset_name or 'data'}-{self.method.name}{votes}-s{self.seed}-{self.id}"

    @property
    def votes_per_item(self) -> int | None:
        """How many votes of each item training sees; None: all."""
        return self.subsample.k if self.subsample else None

    def seed_of(self, stream: str) -> int:
        """The seed of a named stream: one run seed feeds them all, unless one was set apart."""
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
    """The configuration of one run; nested sub-sampling to all votes of every item is no sub-sampling."""
    if subsample not in ("nested", "multinomial"):
        raise VotewiseError(f"unknown subsample {quoted(subsample)}", remedy="choose 'nested' or 'multinomial'")
    k, seed_of_draw = _whole("votes_per_item", votes_per_item, 1), _whole("subsample_seed", subsample_seed, 0)
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


def _whole(name: str, value: int | None, least: int) -> int | None:
    """An argument that is a whole number, `least` or more, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise VotewiseError(f"{name} = {quoted(value)} is not possible", remedy=f"give a whole number, {least} or more")
    return int(value)
