"""The split of a dataset: a predefined split, or a random split that is stratified, so that each part has the same share of every class."""

from __future__ import annotations

import numpy as np

from votewise import counter
from votewise.arrays import I64
from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.training.config import Split


def split_items(dataset: Dataset, split: Split, seed: int) -> tuple[I64, I64, I64]:
    """Positions of the training, evaluation and selection items, each in ascending order.

    Without a selection part, the evaluation items are also the selection items. The selection part does not change the evaluation items.
    In a predefined split, test items are used for evaluation and validation items for selection. If one part is missing, the other is used for both,
    or a share `split.selection` of the training items is used for selection.
    """
    if dataset.parts is not None and split.given:
        return _given(dataset, dataset.parts, split, seed)
    return _drawn(dataset, split, seed)


def _given(dataset: Dataset, parts: I64, split: Split, seed: int) -> tuple[I64, I64, I64]:
    training, validation, test = (np.flatnonzero(parts == part) for part in range(3))
    if len(validation) and split.selection:
        raise VotewiseError(
            f"selection = {split.selection}, but the dataset has {len(validation)} validation items",
            remedy="omit selection",
        )
    if not len(test):
        return training, validation, validation
    if len(validation) or not split.selection:
        return training, test, validation if len(validation) else test
    part = split.model_copy(update={"fraction": split.selection, "selection": 0.0})
    inner, selected, _ = _drawn(dataset.select(training), part, seed)
    return training[inner], test, training[selected]


def _drawn(dataset: Dataset, split: Split, seed: int) -> tuple[I64, I64, I64]:
    stratum = _strata(dataset, split)
    count = len(stratum)
    held_out, selected = round(split.fraction * count), round(split.selection * count)
    if not (held_out > 0 and held_out + selected < count and (selected or not split.selection)):
        parts = f"{split.fraction:.0%} held out" + (
            f" and {split.selection:.0%} for selection" if split.selection else ""
        )
        raise VotewiseError(f"{count} items cannot be split with {parts}", remedy="use more items or different shares")
    drawn = counter.draw(counter.key("split", seed), 0, dataset.votes.row)
    order = np.lexsort((drawn, stratum))  # in random order within a class
    # The relative position of each item in its class. Items with the smallest positions over all classes are held out, so that totals are exact.
    size = np.bincount(stratum)
    place = np.empty(count)
    place[order] = (np.arange(count) - np.repeat(np.cumsum(size) - size, size) + 0.5) / np.repeat(size, size)
    spread = np.lexsort((drawn, place))  # every prefix has the class proportions
    evaluation, selection = np.sort(spread[:held_out]), np.sort(spread[held_out : held_out + selected])
    return np.sort(spread[held_out + selected :]), evaluation, selection if selected else evaluation


def _strata(dataset: Dataset, split: Split) -> I64:
    if split.stratify == "none":
        return np.zeros(len(dataset.votes), np.int64)
    if split.stratify == "truth":
        if dataset.labels is None:
            raise VotewiseError(
                "stratify = 'truth' needs true labels, but the dataset has none", remedy="use stratify = 'majority'"
            )
        return dataset.labels
    return dataset.votes.majority()
