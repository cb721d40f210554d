"""Inputs in memory: uint8 images [N, H, W, C] once on the device, a batch as one gather, augmentation by the counter.

A batch keeps the layout of the images, which for torch is a channels-last tensor: no copy, no transform per example.
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
    """Images [n, H, W, C] become [n, C, H, W] in channels-last layout, features [n, D] stay; mean 0 and deviation 1 by what the dataset says."""

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
    """Inputs of which only the slice that is asked for is normalised, so that a large set never is in memory as floats."""

    def __init__(self, values: NDArray[Any], normalise: Normaliser, index: NDArray[np.int64] | None = None) -> None:
        self._values, self._normalise = values, normalise
        self._index = np.arange(len(values)) if index is None else index

    def __len__(self) -> int:
        return len(self._index)

    def __getitem__(self, part: slice) -> Tensor:
        return self._normalise(torch.from_numpy(self._values[self._index[part]]))

    def select(self, index: NDArray[np.int64]) -> Clean:
        """Those at `index`."""
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
        """The examples of an epoch in the order of their batches: as drawn."""
        return order

    def evaluated(self, index: NDArray[Any]) -> tuple[NDArray[Any], int]:
        """The order [n] in which the examples at `index` are evaluated, and how many at a time."""
        return np.arange(len(index)), EVALUATION_BATCH

    def clean(self, index: NDArray[Any]) -> Tensor:
        """The examples at `index`, normalised: [n, C, H, W] in channels-last layout, or features [n, D]."""
        at = torch.from_numpy(index).to(self._values.device)
        values = self._values[at]
        if self.pad:
            values = values[:, self.pad : -self.pad, self.pad : -self.pad]
        return self._normalised(values)

    def augmented(self, index: NDArray[Any], epoch: int) -> Tensor:
        """The same after a random crop and flip of each example, by (seed, epoch, row): one gather for the batch."""
        if not self.augment:
            return self.clean(index)
        height, width = self.shape[:2]
        crops = self._values.unfold(1, height, 1).unfold(2, width, 1)  # a view [N, y, x, C, H, W]: nothing is copied
        down, across, flip = self._draws(index, epoch, 2 * self.pad + 1)
        values = crops.permute(0, 1, 2, 4, 5, 3)[torch.from_numpy(index).to(crops.device), down, across]
        if "flip" in self.augment:
            values = torch.where(flip[:, None, None, None] == 1, values.flip(2), values)
        return self._normalised(values)

    def _draws(self, index: NDArray[Any], epoch: int, places: int) -> Sequence[Tensor]:
        """Offsets down and across, and whether to flip, out of one draw of 32 bits for each example."""
        bits = counter.draw(self._key, epoch, self._row[index])
        flip, rest = bits >> np.uint64(31), bits & np.uint64(0x7FFFFFFF)
        down, across = rest >> np.uint64(16), rest & np.uint64(0xFFFF)
        parts = ((down * np.uint64(places)) >> np.uint64(15), (across * np.uint64(places)) >> np.uint64(16), flip)
        return [torch.from_numpy(part.astype(np.int64)).to(self._values.device) for part in parts]
