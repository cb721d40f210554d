"""The answers to each item in sparse form: one cell per item and chosen class, so that the cost is O(V), not O(N C)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, I64, Bool
from votewise.errors import UndefinedError
from votewise.votes import Distributions, Votes, spans


@dataclass(frozen=True, slots=True)
class Cells:
    """S cells of the n items that have an answer, sorted by item and class. Item j has cells start[j] ... start[j + 1] - 1.

    position  [n] position of the item among all N
    start     [n + 1] from 0 to S; no item is empty
    label     [S] class
    mass      [S] votes, weights or probability of the class
    count     [S] votes for the class, regardless of weights; 0 if the number of votes is unknown
    size      [n] votes on the item; 0 if unknown
    """

    position: I64
    start: I64
    label: NDArray[Any]
    mass: F64
    count: F64
    size: I64

    def __len__(self) -> int:
        return len(self.position)

    @property
    def counted(self) -> bool:
        """Whether the number of votes is known."""
        return bool(self.size.any())

    @property
    def width(self) -> I64:
        """Number of classes that were chosen on each item [n]."""
        return np.diff(self.start)

    @property
    def item(self) -> I64:
        """The item each cell belongs to [S], counted from 0 to n - 1."""
        return np.repeat(np.arange(len(self)), self.width)

    def total(self, values: NDArray[Any]) -> NDArray[Any]:
        """Sum over the cells of each item: [S] -> [n]."""
        return np.add.reduceat(values, self.start[:-1])

    def take(self, index: I64) -> Cells:
        """The items at `index` [k], in that order; items may repeat."""
        width = self.width[index]
        cell = spans(self.start[index], width)
        return Cells(
            self.position[index],
            np.concatenate(([0], np.cumsum(width))),
            self.label[cell],
            self.mass[cell],
            self.count[cell],
            self.size[index],
        )


def cells(answers: Votes | Distributions) -> Cells:
    """The cells of all items that have an answer."""
    return _of_votes(answers) if isinstance(answers, Votes) else _of_distributions(answers)


def _of_votes(votes: Votes) -> Cells:
    """Votes are sorted by label inside an item: a cell is a run of equal labels."""
    size = votes.votes_per_item
    position = np.flatnonzero(size)
    first = votes.indptr[position]
    new = np.ones(len(votes.label), np.bool_)
    np.not_equal(votes.label[1:], votes.label[:-1], out=new[1:])
    new[first] = True
    cell = np.flatnonzero(new)
    count = np.diff(cell, append=len(votes.label)).astype(np.float64)
    return Cells(
        position,
        np.append(np.searchsorted(cell, first), len(cell)),
        votes.label[cell],
        count if votes.weight is None else np.add.reduceat(votes.weight, cell),
        count,
        size[position],
    )


def _of_distributions(distributions: Distributions) -> Cells:
    item, label = np.nonzero(distributions.probability)
    mass = distributions.probability[item, label]
    size = (
        np.zeros(len(distributions), np.int64) if distributions.votes_per_item is None else distributions.votes_per_item
    )
    return Cells(
        np.arange(len(distributions)),
        np.searchsorted(item, np.arange(len(distributions) + 1)),
        label,
        mass,
        mass * size[item],
        size,
    )


def require_pairs(answers: Cells, need: str) -> None:
    """Refuse answers without two votes on any item; `need` says what cannot be computed."""
    if len(answers) and not answers.counted:
        raise UndefinedError(
            f"these are probabilities, not votes, {need}",
            remedy="give the votes, or Distributions with the number of votes of each item (votes_per_item=)",
        )
    if not len(answers) or answers.size.max() < 2:
        raise UndefinedError(f"no item has two votes, {need}", remedy="collect a second vote on some items first")


def entropy(answers: Cells) -> F64:
    """Entropy of the shares of each item [n], in nats; exactly zero where all agree."""
    share = answers.mass / np.repeat(answers.total(answers.mass), answers.width)
    return np.asarray(0.0 - answers.total(share * np.log(share)))


def unanimous(answers: Cells) -> Bool:
    """Items [n] on which one class has all answers."""
    return np.asarray(answers.width == 1)


def tied(answers: Cells) -> Bool:
    """Items [n] whose largest mass is shared by several classes, up to 1e-12 of it, as in `votes.tied()`."""
    top = np.maximum.reduceat(answers.mass, answers.start[:-1])
    return np.asarray(answers.total((answers.mass >= np.repeat(top, answers.width) * (1 - 1e-12)).astype(np.int64)) > 1)


def class_share(answers: Cells, num_classes: int) -> F64:
    """Share of each class [C] in all answers: of the votes, or of the probability."""
    mass = np.bincount(answers.label, answers.mass, minlength=num_classes)
    return np.asarray(mass / mass.sum())
