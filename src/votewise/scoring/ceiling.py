"""What people reach against each other: one half of the votes of each item scored as if it predicted the other half."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.errors import UndefinedError, VotewiseError
from votewise.scoring.facts import values_of
from votewise.scoring.probabilities import normalised
from votewise.scoring.registry import SCORES
from votewise.scoring.table import tabulate
from votewise.votes import Answers, Votes
from votewise.votes.sampling import shuffle
from votewise.wording import listing

F64 = NDArray[np.float64]

# scores that mean something between two halves of the votes
CEILING = (
    "soft_nll", "kl", "soft_brier", "accuracy", "entropy_correlation", "js_divergence", "js_distance", "total_variation",
    "dist_ce", "ent_ce", "manhattan", "wasserstein", "soft_accuracy", "po_jsd", "soft_f1_micro",
)  # fmt: skip
_SMOOTHED = ("soft_nll", "kl")


def annotator_ceiling(
    votes: Answers, splits: int = 5, seed: int = 0, names: tuple[str, ...] = CEILING
) -> dict[str, float]:
    """The scores of half of each item's votes against the other half, averaged over random splits.

    The half that predicts is the smaller one where the number is odd; items with one vote are left out. A class that the
    predicting half did not choose would make soft NLL and KL infinite: for these two it starts with 1/C of a vote each.
    Both halves are small, so a good model can do better than this: it is what as many people as that reach, not a bound.
    """
    if splits < 1 or not set(names) <= set(CEILING):
        raise VotewiseError(
            f"{splits} splits for {listing(names)}",
            remedy=f"give 1 split or more, and names among {listing(CEILING, 20)}",
        )
    if not isinstance(votes, Votes):
        raise UndefinedError("there are no single votes to split, only distributions")
    enough = votes.votes_per_item > 1
    if not enough.any():
        raise UndefinedError("no item has two votes to split")
    votes = votes if enough.all() else votes.select(enough)
    drawn = []
    for split in range(splits):
        first, second = _halves(votes, counter.key(f"ceiling-{split}", seed))
        values: dict[str, float] = {}
        for smoothing in (0.0, 1.0):
            chosen = [name for name in names if (name in _SMOOTHED) == bool(smoothing)]
            columns = [column for name in chosen for column in SCORES[name].columns]
            table = tabulate(_Half(first, smoothing / votes.num_classes), second, columns)
            values |= values_of({name: SCORES[name].of for name in chosen}, table)[0]
        drawn.append(values)
    every = [name for name in names if all(name in values for values in drawn)]
    return {name: float(np.mean([values[name] for values in drawn])) for name in every}


@dataclass(frozen=True)
class _Half:
    """A half of the votes as a model, each class starting with some mass."""

    votes: Votes
    start: float

    def normalised(self, part: slice) -> tuple[F64, F64]:
        share = self.votes.mass(part) + self.start
        return normalised(share / share.sum(axis=1, keepdims=True), "probabilities")


def _halves(votes: Votes, seed: int) -> tuple[Votes, Votes]:
    """The votes of each item in a random order, cut in the middle."""
    place = shuffle(np.arange(len(votes.label)), votes.indptr, votes.row, counter.key("shuffle", seed))
    size = votes.votes_per_item
    rank = np.arange(len(place)) - np.repeat(votes.indptr[:-1], size)
    early = rank < np.repeat(size // 2, size)
    # sorted, the places of an item are in the canonical order of its votes again
    return _part(votes, np.sort(place[early]), size // 2), _part(votes, np.sort(place[~early]), size - size // 2)


def _part(votes: Votes, place: NDArray[np.int64], size: NDArray[np.int64]) -> Votes:
    weight = None if votes.weight is None else votes.weight[place]
    indptr = np.concatenate(([0], np.cumsum(size)))
    return Votes(indptr, votes.label[place], classes=votes.classes, scale=votes.scale, row=votes.row, weight=weight)
