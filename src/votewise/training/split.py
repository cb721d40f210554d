"""A stratified split by the counter: every class gives the same share of its items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.training.config import Split

I64 = NDArray[np.int64]


def split_items(dataset: Dataset, split: Split, seed: int) -> tuple[I64, I64]:
    """Positions of the training and of the evaluation items, each in ascending order."""
    stratum = _strata(dataset, split)
    count = len(stratum)
    held_out = round(split.fraction * count)
    if not 0 < held_out < count:
        raise VotewiseError(
            f"{count} items cannot be split with {split.fraction:.0%} held out", remedy="use more items"
        )
    drawn = counter.draw(counter.key("split", seed), 0, dataset.votes.row)
    order = np.lexsort((drawn, stratum))  # inside a class in random order
    # The share of each item inside its class; the smallest shares over all classes are held out, so that totals are exact.
    size = np.bincount(stratum)
    place = np.empty(count)
    place[order] = (np.arange(count) - np.repeat(np.cumsum(size) - size, size) + 0.5) / np.repeat(size, size)
    chosen = np.zeros(count, np.bool_)
    chosen[np.lexsort((drawn, place))[:held_out]] = True
    return np.flatnonzero(~chosen), np.flatnonzero(chosen)


def _strata(dataset: Dataset, split: Split) -> I64:
    if split.stratify == "none":
        return np.zeros(len(dataset.votes), np.int64)
    if split.stratify == "truth":
        if dataset.labels is None:
            raise VotewiseError("there are no true labels to split by", remedy="use stratify = 'majority'")
        return dataset.labels
    return dataset.votes.majority()
