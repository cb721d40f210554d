"""The data of a run: its split, the votes used for training, and the full votes used for evaluation."""

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


class Problem:
    """A dataset with a configuration. Training uses `train_votes`; evaluation, selection and scores use all votes.

    training, evaluation  positions in the dataset
    selection             positions used to choose the best epoch: the evaluation items, unless the split has a selection part
    train_votes           the votes of the training items, sub-sampled if configured
    """

    def __init__(self, dataset: Dataset, config: Config, folder: Path | None = None) -> None:
        """Load a text model from the `folder` of a finished run, if given."""
        if dataset.fingerprint != config.dataset:
            raise VotewiseError(
                "this configuration belongs to another dataset", remedy="create one with votewise.training.configure"
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
        """Raise if held-out items have votes for a class that no training item has, unless the split was given."""
        if self.dataset.parts is not None and self.config.split.given:
            return  # `Dataset.remarks` reports it
        unseen = np.flatnonzero(_occurs(self.evaluation_votes) & ~_occurs(shown))
        if len(unseen):
            name = quoted(str(self.dataset.votes.classes[unseen[0]]))
            raise VotewiseError(
                f"no training item has a vote for the class {name}, but a held-out item has (split with seed {self.config.seed})",
                remedy="use another seed, merge the class with another one, or leave out the item",
            )

    def seen(self, votes: Answers) -> Answers:
        """The part of these votes that training uses."""
        subsample = self.config.subsample
        if subsample is None:
            return votes
        if not isinstance(votes, Votes):
            raise VotewiseError(
                "probabilities cannot be sub-sampled to K votes", remedy="use individual votes, or omit K"
            )
        draw = votes.resample if subsample.kind == "multinomial" else votes.subsample
        return draw(subsample.k, self.config.seed_of("subsample"))

    @cached_property
    def delivery(self) -> Contract:
        """The delivery over the training items; index 0 is the first training item."""
        return self.config.method.deliver(self.train_votes, self.config.seed_of("delivery"))

    def targets(self, epoch: int, device: Any) -> Tensor:
        """The targets [n] or [n, C] of all training items in an epoch."""
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
        """The examples at `index`, not augmented; slices are computed on demand."""
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
        """The files of a text model: those in the folder of a finished run, or the original files."""
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
        """The distribution [n, C] of each selection item for choosing the best epoch: of all its votes, or of K votes."""
        votes = self.dataset.votes.select(self.selection)
        return (votes if self.config.recipe.select == "full" else self.seen(votes)).probabilities()


def _check_recipe(dataset: Dataset, config: Config) -> None:
    """Raise if the recipe does not fit the inputs."""
    recipe = config.recipe
    if recipe.augment and not dataset.images:
        raise VotewiseError(
            f"augment = {quoted(recipe.augment[0])} needs images, but the inputs are {dataset.kind}",
            remedy="remove augment from the recipe",
        )
    if recipe.init == "torchvision" and not recipe.model.startswith("resnet"):
        raise VotewiseError(
            f"init = 'torchvision' needs resnet18 or resnet8, got model = {recipe.model!r}",
            remedy="remove init from the recipe",
        )
    if recipe.takes_texts != (dataset.kind == "texts"):
        raise VotewiseError(
            f"{recipe.model} {'takes' if recipe.takes_texts else 'does not take'} texts, but the inputs are {dataset.kind}",
            remedy="use model = 'mlp'"
            if recipe.takes_texts
            else "use model = 'minilm', or embed the texts with encoder= (--encoder)",
        )
    if dataset.kind != "texts" and (recipe.batches == "bucketed" or recipe.max_length is not None):
        raise VotewiseError("batches = 'bucketed' and max_length need texts", remedy="remove them from the recipe")
    if dataset.kind == "texts" and config.method.mixup:
        raise VotewiseError(
            "mixup needs images or features, not texts", remedy="embed the texts, or use another method"
        )


@lru_cache(4)
def tokens_of(dataset: Dataset, model: Path, limit: int | None) -> Tokens:
    """The tokens of a text dataset for the model in a folder, cached per process."""
    return tokenise(dataset.inputs, ModelFiles(str(model), model), limit)


def _occurs(answers: Answers) -> NDArray[np.bool_]:
    """A mask [C] of the classes that have a vote."""
    if isinstance(answers, Votes):
        return np.asarray(np.bincount(answers.label, minlength=answers.num_classes) > 0)
    return np.asarray(answers.probabilities().any(axis=0))
