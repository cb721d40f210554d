"""What a run trains on: its split, the votes it may see, and the full votes it is judged by."""

from __future__ import annotations

from functools import cached_property
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
from votewise.training.config import Config
from votewise.training.inputs import Inputs
from votewise.training.split import split_items
from votewise.votes import Answers, Votes
from votewise.wording import quoted

F32 = NDArray[np.float32]


class Problem:
    """A dataset under a configuration. Training sees `train_votes`; evaluation, selection and scores use all votes.

    training, evaluation  positions in the dataset
    selection             those the best epoch is chosen on: the evaluation items unless the split has a selection part
    train_votes           the votes of the training items, sub-sampled where the configuration says so
    """

    def __init__(self, dataset: Dataset, config: Config) -> None:
        if dataset.fingerprint != config.dataset:
            raise VotewiseError(
                "this configuration belongs to another dataset", remedy="make one with votewise.training.configure"
            )
        if config.recipe.augment and not dataset.images:
            raise VotewiseError(
                f"augment = {quoted(config.recipe.augment[0])} is for images, and these inputs are features",
                remedy="leave augment out of the recipe",
            )
        if config.recipe.init == "torchvision" and not config.recipe.model.startswith("resnet"):
            raise VotewiseError(
                f"init = 'torchvision' is for resnet18 and resnet8, got model = {config.recipe.model!r}",
                remedy="leave init out of the recipe",
            )
        self.dataset, self.config = dataset, config
        self.shape, self.classes = dataset.inputs.shape[1:], dataset.votes.num_classes
        self.training, self.evaluation, self.selection = split_items(dataset, config.split, config.seed_of("split"))
        self.training_rows = dataset.votes.row[self.training]
        shown = dataset.votes.select(self.training)
        self._check_classes(shown)
        self.train_votes = self.seen(shown)

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)

    def _check_classes(self, shown: Answers) -> None:
        """Refuse to judge a model by a class that none of its training items has a vote for."""
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

    def inputs(self, device: Any) -> Inputs:
        return Inputs(self.dataset, self.config.recipe, self.config.seed_of("augmentation"), device)

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


def _occurs(answers: Answers) -> NDArray[np.bool_]:
    """Which classes [C] anybody named."""
    if isinstance(answers, Votes):
        return np.asarray(np.bincount(answers.label, minlength=answers.num_classes) > 0)
    return np.asarray(answers.probabilities().any(axis=0))
