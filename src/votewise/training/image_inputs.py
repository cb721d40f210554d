"""Images and features in memory. They are copied to the device once, a batch is one gather, and augmentation uses the counter.

A batch keeps the memory layout of the images [N, H, W, C], which torch calls channels-last, so that no example is copied or transformed on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from votewise import counter
from votewise.datasets import Dataset
from votewise.training.recipe import Recipe


class Normaliser:
    """Normalise with the dataset's mean and standard deviation. Images [n, H, W, C] become [n, C, H, W] in channels-last layout; features [n, D] keep their shape."""

    def __init__(self, mean: Sequence[float], std: Sequence[float], images: bool, device: Any = "cpu") -> None:
        self._images, self._device = images, device
        deviation = torch.tensor(std, device=device)
        self._scale = 1 / ((255.0 if images else 1.0) * deviation)
        self._shift = -torch.tensor(mean, device=device) / deviation

    @classmethod
    def of(cls, dataset: Dataset, device: Any = "cpu") -> Normaliser:
        return cls(dataset.mean, dataset.std, dataset.images, device)

    def __call__(self, values: Tensor) -> Tensor:
        values = torch.addcmul(self._shift, values.to(self._device).float(), self._scale)
        return values.permute(0, 3, 1, 2) if self._images else values


class Clean:
    """Inputs that are normalised slice by slice, so that a large dataset is never in memory as floats."""

    def __init__(self, values: NDArray[Any], normalise: Normaliser, index: NDArray[np.int64] | None = None) -> None:
        self._values, self._normalise = values, normalise
        self._index = np.arange(len(values)) if index is None else index

    def __len__(self) -> int:
        return len(self._index)

    def __getitem__(self, part: slice) -> Tensor:
        return self._normalise(torch.from_numpy(self._values[self._index[part]]))

    def select(self, index: NDArray[np.int64]) -> Clean:
        """The normalised inputs at `index`."""
        return Clean(self._values, self._normalise, self._index[index])


EVALUATION_BATCH = 512


class Inputs:
    """The images or features of a dataset on a device. `clean(index)` normalises only; `augmented(index, epoch)` also crops and flips."""

    def __init__(self, dataset: Dataset, recipe: Recipe, seed: int, device: Any) -> None:
        self.shape = dataset.inputs.shape[1:]
        self.images = len(self.shape) == 3
        self.augment = (dataset.augment if recipe.augment is None else recipe.augment) if self.images else ()
        self.pad = recipe.padding if "crop" in self.augment else 0
        self._row = dataset.votes.row
        self._key = counter.key("augmentation", seed)
        values = torch.from_numpy(np.array(dataset.inputs)).to(device)
        if self.pad:
            values = torch.nn.functional.pad(values, (0, 0, self.pad, self.pad, self.pad, self.pad))
        self._values = values
        self._normalised = Normaliser.of(dataset, device)

    def order(self, order: NDArray[np.int64], size: int, epoch: int) -> NDArray[np.int64]:
        """The examples of an epoch in the order of their batches, which is `order`."""
        return order

    def evaluated(self, index: NDArray[Any]) -> tuple[NDArray[Any], int]:
        """The order [n] in which the examples at `index` are evaluated, and the batch size."""
        return np.arange(len(index)), EVALUATION_BATCH

    def clean(self, index: NDArray[Any]) -> Tensor:
        """The examples at `index`, normalised: [n, C, H, W] in channels-last layout, or features [n, D]."""
        at = torch.from_numpy(index).to(self._values.device)
        values = self._values[at]
        if self.pad:
            values = values[:, self.pad : -self.pad, self.pad : -self.pad]
        return self._normalised(values)

    def augmented(self, index: NDArray[Any], epoch: int) -> Tensor:
        """The normalised examples after a random crop and flip that depend on (seed, epoch, row), with one gather for the batch."""
        if not self.augment:
            return self.clean(index)
        height, width = self.shape[:2]
        crops = self._values.unfold(1, height, 1).unfold(2, width, 1)  # a view [N, y, x, C, H, W], without a copy
        down, across, flip = self._draws(index, epoch, 2 * self.pad + 1)
        values = crops.permute(0, 1, 2, 4, 5, 3)[torch.from_numpy(index).to(crops.device), down, across]
        if "flip" in self.augment:
            values = torch.where(flip[:, None, None, None] == 1, values.flip(2), values)
        return self._normalised(values)

    def _draws(self, index: NDArray[Any], epoch: int, places: int) -> Sequence[Tensor]:
        """For each example, the vertical and horizontal offset and whether to flip, from one draw of 32 bits."""
        bits = counter.draw(self._key, epoch, self._row[index])
        flip, rest = bits >> np.uint64(31), bits & np.uint64(0x7FFFFFFF)
        down, across = rest >> np.uint64(16), rest & np.uint64(0xFFFF)
        parts = ((down * np.uint64(places)) >> np.uint64(15), (across * np.uint64(places)) >> np.uint64(16), flip)
        return [torch.from_numpy(part.astype(np.int64)).to(self._values.device) for part in parts]
