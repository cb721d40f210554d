"""True labels out of a file: the same formats as votes, with one label per item."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.files import existing_file
from votewise.votes import Answers, Votes
from votewise.votes.readers import read


def read_truth(path: str | os.PathLike[str], answers: Answers) -> NDArray[np.int64]:
    """The true class [N] of each item of `answers`: an .npy of class numbers, or a table of items and labels."""
    path = existing_file(path)
    if path.suffix.lower() == ".npy":
        try:
            labels = np.load(path, allow_pickle=False)
        except (ValueError, EOFError, OSError):
            raise VotewiseError(
                "this is no readable array of numbers", where=path, remedy="save it with np.save"
            ) from None
        if labels.shape != (len(answers),) or labels.dtype.kind not in "iu":
            raise VotewiseError(
                f"{labels.dtype} values of shape {labels.shape} are no true classes of {len(answers)} items",
                where=path,
                remedy="give one class number per item",
            )
        return np.asarray(labels, dtype=np.int64)
    truth = read(path, classes=list(answers.classes)).question()
    if not isinstance(truth, Votes) or (truth.votes_per_item != 1).any():
        raise VotewiseError("there is not exactly one label per item", where=path, remedy="give one row per item")
    if answers.items is None:
        raise VotewiseError(
            "the votes have no item ids to match true labels by",
            where=path,
            remedy="give an .npy in the order of the votes",
        )
    try:
        return truth.align(answers.items.tolist()).majority()
    except VotewiseError as error:
        raise VotewiseError(error.what, where=path, remedy=error.remedy) from None
