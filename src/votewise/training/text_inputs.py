"""Texts as inputs of a run, with the same methods as `Inputs` for images and features."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from votewise import counter
from votewise.arrays import I64
from votewise.text import Tokens, bucketed
from votewise.training.recipe import Recipe

EVALUATION_BATCH = 64  # texts of similar length are evaluated together


class TextInputs:
    """The texts of a dataset. A batch is [n, 3, L]: tokens, mask and segment, padded to the longest text of the batch."""

    def __init__(self, tokens: Tokens, recipe: Recipe, training: I64, seed: int, device: Any) -> None:
        self._tokens, self._device, self._bucketed = tokens, device, recipe.batches == "bucketed"
        self._training, self._key = training, counter.key("buckets", seed)

    def order(self, order: I64, size: int, epoch: int) -> I64:
        """The training examples of an epoch in the order of their batches."""
        return bucketed(order, self._tokens.length[self._training], size, self._key, epoch) if self._bucketed else order

    def evaluated(self, index: I64) -> tuple[I64, int]:
        """The order [n] in which the examples at `index` are evaluated, and the batch size."""
        return np.argsort(self._tokens.length[index], kind="stable"), EVALUATION_BATCH

    def clean(self, index: I64) -> Tensor:
        """The examples at `index`."""
        return torch.from_numpy(self._tokens.batch(index)).to(self._device)

    def augmented(self, index: I64, epoch: int) -> Tensor:
        """The examples at `index`; texts are not augmented."""
        return self.clean(index)


class CleanTexts:
    """Texts that can be sliced, for probes and predictions."""

    def __init__(self, tokens: Tokens, index: I64 | None = None) -> None:
        self._tokens = tokens
        self._index = np.arange(len(tokens)) if index is None else index

    def __len__(self) -> int:
        return len(self._index)

    def __getitem__(self, part: slice) -> Tensor:
        return torch.from_numpy(self._tokens.batch(self._index[part]))

    def select(self, index: I64) -> CleanTexts:
        """The texts at `index`."""
        return CleanTexts(self._tokens, self._index[index])
