"""What a run trains on: its split, the votes it may see, and the full votes it is judged by."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from votewise.arrays import I64
from votewise.datasets import Dataset
from votewise.delivery import Contract, fingerprint, table
from votewise.errors import VotewiseError
from votewise.frozen import without_caches
from votewise.text import ModelFiles, Tokens, find_model, kept_model, tokenise
from votewise.training.config import Config
from votewise.training.image_inputs import Clean, Inputs, Normaliser
from votewise.training.split import split_items
from votewise.training.text_inputs import CleanTexts, TextInputs
from votewise.votes import Answers, Votes
from votewise.wording import quoted

F32 = NDArray[np.float32]


class Problem:
    """A dataset under a configuration. Training sees `train_votes`; evaluation, selection and scores use all votes.

    training, evaluation  positions in the dataset
    selection             those the best epoch is chosen on: the evaluation items unless the split has a selection part
    train_votes           the votes of the training items, sub-sampled where the configuration says so
    """

    def __init__(self, dataset: Dataset, config: Config, folder: Path | None = None) -> None:
        """With the `folder` of a finished run, a text model is taken from there."""
        if dataset.fingerprint != config.dataset:
            raise VotewiseError(
                "this configuration belongs to another dataset", remedy="make one with votewise.training.configure"
            )
        _check_recipe(dataset, config)
        self.dataset, self.config, self._folder = dataset, config, folder
        self.shape, self.classes = dataset.inputs.shape[1:], dataset.votes.num_classes
        self.training, self.evaluation, self.selection = split_items(dataset, config.split, config.seed_of("split"))
        self.training_rows = dataset.votes.row[self.training]
        shown = dataset.votes.select(self.training)
        self._check_classes(shown)
        self.train_votes = self.seen(shown)

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)

    def _check_classes(self, shown: Answers) -> None:
        """Refuse to judge a model by a class that none of its training items has a vote for, unless the split was given so."""
        if self.dataset.parts is not None and self.config.split.given:
            return  # `Dataset.remarks` reports it
        unseen = np.flatnonzero(_occurs(self.evaluation_votes) & ~_occurs(shown))
        if len(unseen):
            name = quoted(str(self.dataset.votes.classes[unseen[0]]))
            raise VotewiseError(
                f"no training item has a vote for {name}, but a held-out one has: the split of seed {self.config.seed} leaves the class out",
                remedy="leave out the class or the item, merge it with another class, or use another seed",
            )

    def seen(self, votes: Answers) -> Answers:
        """What training sees, or would see, of these votes."""
        subsample = self.config.subsample
        if subsample is None:
            return votes
        if not isinstance(votes, Votes):
            raise VotewiseError("probabilities cannot be sub-sampled to K votes", remedy="give votes, or leave K out")
        draw = votes.resample if subsample.kind == "multinomial" else votes.subsample
        return draw(subsample.k, self.config.seed_of("subsample"))

    @cached_property
    def delivery(self) -> Contract:
        """Over the training items alone: index 0 is the first of them."""
        return self.config.method.deliver(self.train_votes, self.config.seed_of("delivery"))

    def targets(self, epoch: int, device: Any) -> Tensor:
        """The targets of all training items in an epoch, [n] or [n, C]."""
        targets = torch.from_numpy(np.require(table(self.delivery, epoch), requirements="W"))
        return (targets.long() if self.delivery.kind == "hard" else targets).to(device)

    def tape(self) -> str:
        """SHA-256 of all targets of all epochs."""
        return fingerprint(self.delivery, self.config.recipe.epochs)

    def inputs(self, device: Any) -> Inputs | TextInputs:
        """The inputs of all items on a device."""
        if self.tokens is not None:
            return TextInputs(self.tokens, self.config.recipe, self.training, self.config.seed_of("order"), device)
        return Inputs(self.dataset, self.config.recipe, self.config.seed_of("augmentation"), device)

    def clean(self, index: I64, device: Any = "cpu") -> Clean | CleanTexts:
        """The examples at `index`, not augmented, of which only what is asked for is made."""
        if self.tokens is not None:
            return CleanTexts(self.tokens, index)
        return Clean(self.dataset.inputs, Normaliser.of(self.dataset, device), index)

    @cached_property
    def tokens(self) -> Tokens | None:
        """The tokens of texts; None for other inputs."""
        if self.dataset.kind != "texts":
            return None
        return tokens_of(self.dataset, self.text_model.folder, self.config.recipe.max_length)

    @property
    def text_model(self) -> ModelFiles:
        """The files of a text model: those that a finished run keeps, or the original ones."""
        return kept_model(self._folder) or find_model(self.config.recipe.model)

    @cached_property
    def evaluation_votes(self) -> Answers:
        return self.dataset.votes.select(self.evaluation)

    @cached_property
    def evaluation_share(self) -> NDArray[np.float64]:
        """The full-vote distribution of each evaluation item [n, C]."""
        return self.evaluation_votes.probabilities()

    @cached_property
    def evaluation_majority(self) -> I64:
        return self.evaluation_votes.majority()

    @cached_property
    def selection_share(self) -> NDArray[np.float64]:
        """The distribution [n, C] of each selection item that the best epoch is chosen by: of all its votes, or of K of them."""
        votes = self.dataset.votes.select(self.selection)
        return (votes if self.config.recipe.select == "full" else self.seen(votes)).probabilities()


def _check_recipe(dataset: Dataset, config: Config) -> None:
    """Refuse a recipe that does not fit the inputs."""
    recipe = config.recipe
    if recipe.augment and not dataset.images:
        raise VotewiseError(
            f"augment = {quoted(recipe.augment[0])} is for images, and these inputs are {dataset.kind}",
            remedy="leave augment out of the recipe",
        )
    if recipe.init == "torchvision" and not recipe.model.startswith("resnet"):
        raise VotewiseError(
            f"init = 'torchvision' is for resnet18 and resnet8, got model = {recipe.model!r}",
            remedy="leave init out of the recipe",
        )
    if recipe.takes_texts != (dataset.kind == "texts"):
        raise VotewiseError(
            f"{recipe.model} {'takes' if recipe.takes_texts else 'does not take'} texts, and these inputs are {dataset.kind}",
            remedy="use model = 'mlp'"
            if recipe.takes_texts
            else "use model = 'minilm', or embed the texts with encoder= (--encoder)",
        )
    if dataset.kind != "texts" and (recipe.batches == "bucketed" or recipe.max_length is not None):
        raise VotewiseError("batches = 'bucketed' and max_length are for texts", remedy="leave them out of the recipe")
    if dataset.kind == "texts" and config.method.mixup:
        raise VotewiseError(
            "mixup blends inputs, and texts cannot be blended", remedy="embed the texts, or use another method"
        )


@lru_cache(4)
def tokens_of(dataset: Dataset, model: Path, limit: int | None) -> Tokens:
    """The tokens of a dataset of texts for the model in a folder; made once in a process."""
    return tokenise(dataset.inputs, ModelFiles(str(model), model), limit)


def _occurs(answers: Answers) -> NDArray[np.bool_]:
    """Which classes [C] have a vote."""
    if isinstance(answers, Votes):
        return np.asarray(np.bincount(answers.label, minlength=answers.num_classes) > 0)
    return np.asarray(answers.probabilities().any(axis=0))
