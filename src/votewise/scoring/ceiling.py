"""The annotator ceiling: one half of the votes on each item, scored as a prediction of the other half."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from votewise import counter
from votewise.arrays import F64
from votewise.errors import UndefinedError
from votewise.limits import MOST_SPLITS, whole_number
from votewise.scoring.declaration import Score, values_of
from votewise.scoring.item_table import tabulate
from votewise.scoring.probabilities import normalised
from votewise.scoring.scores import chosen
from votewise.votes import Answers, Votes, shuffle, tally

# scores that are meaningful between two halves of the votes
CEILING = (
    "soft_nll", "kl", "soft_brier", "accuracy", "entropy_correlation", "js_divergence", "js_distance", "total_variation",
    "dist_ce", "ent_ce", "manhattan", "wasserstein", "soft_accuracy", "po_jsd", "soft_f1_micro",
)  # fmt: skip
_SMOOTHED = ("soft_nll", "kl")


def annotator_ceiling(
    votes: Answers,
    splits: int = 5,
    seed: int = 0,
    scores: Iterable[str | Score] = CEILING,
    *,
    ties: tally.Ties = "lowest",
) -> dict[str, float]:
    """The scores of half of each item's votes against the other half, averaged over random splits.

    If the number of votes is odd, the predicting half is the smaller one. Items with one vote are left out. A class without
    votes in the predicting half would make soft NLL and KL infinite, so for these two scores every class starts with 1/C votes.
    The result is the score of half of the annotators, and not an upper bound: a good model can score better than them.

    Args:
        votes: `Votes` with at least two votes on some items.
        splits: number of random splits.
        seed: seed of the splits and of random ties.
        scores: which scores, as for `votewise.score`. Default: those that are meaningful between two halves.
        ties: which class wins a tied majority of the half that is predicted, as for `votewise.score`.

    Returns:
        key of the score -> value, for the scores that are defined on every split.

    Raises:
        VotewiseError: If `splits` is below 1 or a score is unknown.
        UndefinedError: If there are no votes to split.

    Example:
        >>> ceiling = annotator_ceiling(Votes.from_counts([[6, 0], [0, 4], [3, 3]]), scores=["accuracy", "kl"])
        >>> sorted(ceiling)
        ['accuracy', 'kl']
    """
    whole_number("splits", splits, 1, MOST_SPLITS, "more splits do not change the mean")
    wanted = chosen(scores)
    if not isinstance(votes, Votes):
        raise UndefinedError("distributions have no individual votes to split")
    enough = votes.votes_per_item > 1
    if not enough.any():
        raise UndefinedError("no item has two votes to split")
    votes = votes if enough.all() else votes.select(enough)
    drawn = []
    for split in range(splits):
        first, second = _halves(votes, counter.key(f"ceiling-{split}", seed))
        values: dict[str, float] = {}
        for smoothing in (0.0, 1.0):
            some = {key: score for key, score in wanted.items() if (key in _SMOOTHED) == bool(smoothing)}
            columns = dict.fromkeys(column for score in some.values() for column in score.columns)
            table = tabulate(_Half(first, smoothing / votes.num_classes), second, columns, ties=ties, seed=seed)
            values |= values_of({key: score.of for key, score in some.items()}, table)[0]
        drawn.append(values)
    defined = [key for key in wanted if all(key in values for values in drawn)]
    return {key: float(np.mean([values[key] for values in drawn])) for key in defined}


@dataclass(frozen=True)
class _Half:
    """One half of the votes as the predictions of a model, with an initial mass on each class."""

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
    # sorting restores the canonical order of the votes of an item
    return votes.pick(np.sort(place[early]), size // 2), votes.pick(np.sort(place[~early]), size - size // 2)
