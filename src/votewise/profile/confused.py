"""Confusion of classes: pairs of different votes on one item."""

from __future__ import annotations

import numpy as np

from votewise.arrays import F64
from votewise.cards import Rows
from votewise.profile import cells
from votewise.profile.cells import Cells
from votewise.votes import Distributions, Votes, require_answers


def confusion(votes: Votes | Distributions, top: int | None = None) -> Rows:
    """Pairs of classes that annotators choose for the same item, the most frequent first.

    Args:
        votes: `Votes`, or `Distributions` with the number of votes behind them.
        top: number of pairs. Default: all that occur.

    Returns:
        One row per pair of classes: `share` of all disagreements (pairs of votes on one item that differ; items count as
        in Krippendorff's alpha), `b_given_a` and `a_given_b`, how often another annotator chooses one class if the first
        chooses the other, and `times_chance`, relative to votes assigned to items at random.

    Raises:
        UndefinedError: no item has two votes.

    Example:
        >>> rows = confusion(Votes.from_counts([[4, 1, 0], [3, 2, 0], [0, 0, 5]], classes=("cat", "dog", "ship")))
        >>> rows.records()[0][:3]
        ('cat', 'dog', 1.0)
    """
    require_answers(votes)
    pairs = coincidences(cells.cells(votes), votes.num_classes)
    of_class, total = pairs.sum(axis=1), pairs.sum()
    one, other = np.nonzero(np.triu(pairs, 1))
    order = np.argsort(-pairs[one, other], kind="stable")[:top]
    one, other = one[order], other[order]
    found = pairs[one, other]
    disagreements = (total - np.trace(pairs)) / 2
    chance = of_class[one] * of_class[other] / (total - 1)
    return Rows(
        {
            "class_a": [votes.classes[code] for code in one],
            "class_b": [votes.classes[code] for code in other],
            "share": found / disagreements if disagreements else found,
            "b_given_a": found / of_class[one],
            "a_given_b": found / of_class[other],
            "times_chance": found / chance,
        }
    )


def coincidences(answers: Cells, num_classes: int) -> F64:
    """Pairs of votes on one item by class [C, C], each item weighted by its number of votes (Krippendorff 2011)."""
    from scipy.sparse import csr_array

    cells.require_pairs(answers, "so confusions are not defined")
    paired = answers.take(np.flatnonzero(answers.size >= 2))
    share = paired.count / np.repeat(paired.size - 1, paired.width)
    shape = (len(paired), num_classes)
    count = csr_array((paired.count, paired.label, paired.start), shape=shape)
    pairs = (count.T @ csr_array((share, paired.label, paired.start), shape=shape)).toarray()
    pairs[np.arange(num_classes), np.arange(num_classes)] -= np.bincount(paired.label, share, minlength=num_classes)
    return np.asarray(np.maximum(pairs, 0.0))
