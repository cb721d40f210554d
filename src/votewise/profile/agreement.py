"""How much annotators agree: Krippendorff's alpha and the share of pairs of votes that agree, both computed without a C x C matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from votewise.arrays import F64, I64, Bool
from votewise.profile.cells import Cells
from votewise.votes import Votes

Level = Literal["nominal", "ordinal", "interval"]
ENOUGH = 10  # minimum number of votes on shared items to judge an annotator
_BEYOND_CHANCE = 4  # standard errors, because there are many annotators
_MOST = 3  # annotators that are named


def pairwise_agreement(answers: Cells) -> F64:
    """Share of the pairs of votes on each item [n] that agree; NaN if there is no pair."""
    agree, pairs = _pairs(answers)
    return np.asarray(np.divide(agree, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0))


def overall_agreement(answers: Cells) -> float:
    """Share of all pairs of votes on one item that agree; NaN if there is no pair."""
    agree, pairs = _pairs(answers)
    return float(agree.sum() / pairs.sum()) if pairs.any() else float("nan")


def _pairs(answers: Cells) -> tuple[F64, F64]:
    """Ordered pairs of votes on each item [n]: those that agree, and all."""
    size = answers.size.astype(np.float64)
    pairs = size * (size - 1)
    return answers.total(answers.count**2) - size, pairs


def alpha(answers: Cells, num_classes: int, level: Level, position: F64 | None = None) -> float:
    """Krippendorff's alpha: 1 is perfect agreement, 0 is chance level; NaN if it is not defined.

    Items with one vote have no pairs and are left out (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability). The sum
    over pairs of squared differences is 2 m times the sum of squares around the mean, so interval alpha is a ratio of
    variances; ordinal alpha is interval alpha at the mid-ranks of the pairable votes. `position` [C] is only used for interval alpha.
    """
    paired = answers.take(np.flatnonzero(answers.size >= 2))
    if not len(paired):
        return float("nan")
    size = paired.size.astype(np.float64)
    of_class = np.bincount(paired.label, paired.count, minlength=num_classes)
    total = of_class.sum()
    if level == "nominal":
        observed = ((size**2 - paired.total(paired.count**2)) / (size - 1)).sum()
        expected = (total**2 - (of_class**2).sum()) / (total - 1)
    else:
        place = np.cumsum(of_class) - of_class / 2 if level == "ordinal" else np.asarray(position, dtype=np.float64)
        place = place - (of_class @ place) / total
        at = place[paired.label]
        mean = paired.total(paired.count * at) / size
        squares = paired.total(paired.count * (at - np.repeat(mean, paired.width)) ** 2)
        observed = (squares * size / (size - 1)).sum()
        expected = (of_class @ place**2) * total / (total - 1)
    return float(1 - observed / expected) if expected > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class Annotator:
    """How often an annotator agrees with the others on `shared` votes, and how often two votes on the same items agree (`usual`)."""

    name: str
    shared: int
    agreement: float
    usual: float


def most_deviant(votes: Votes, answers: Cells) -> tuple[Annotator, ...]:
    """The annotators who agree least with the others, compared with the usual agreement on the same items.

    Only annotators whose agreement is significantly low: see `deviates`.
    """
    if votes.annotator is None:
        return ()
    seen, own, usual, error = with_others(votes, answers)
    gap = own - usual
    apart = np.flatnonzero(deviates(seen, gap, error))
    worst = apart[np.argsort(gap[apart], kind="stable")[:_MOST]]
    rows = zip(worst, seen[worst], own[worst], usual[worst], strict=True)
    return tuple(Annotator(votes.annotators[code], int(n), float(agree), float(rest)) for code, n, agree, rest in rows)


def deviates(shared: I64, gap: F64, error: F64) -> Bool:
    """Which annotators [A], with enough votes on shared items, agree significantly less with the others than is usual there."""
    return np.asarray((shared >= ENOUGH) & (gap < 0) & (gap < -_BEYOND_CHANCE * error))


def with_others(votes: Votes, answers: Cells) -> tuple[I64, F64, F64, F64]:
    """For each annotator [A]: the number of votes on shared items, the agreement with the other votes there, the agreement of two
    votes on these items, and the standard error of the difference. NaN for an annotator without shared items.
    """
    assert votes.annotator is not None
    others = np.repeat(answers.size, answers.size) - 1  # [V]: votes lie item by item, class by class
    same = np.repeat(answers.count, answers.count.astype(np.int64)) - 1
    usual = np.repeat(pairwise_agreement(answers), answers.size)
    comparable = (votes.annotator >= 0) & (others > 0)
    who, agreement, usual = votes.annotator[comparable], same[comparable] / others[comparable], usual[comparable]
    shared = np.bincount(who, minlength=len(votes.annotators))

    def mean(values: F64) -> F64:
        total = np.bincount(who, values, minlength=len(shared))
        return np.asarray(np.divide(total, shared, out=np.full(len(shared), np.nan), where=shared > 0))

    gap = mean(agreement - usual)
    error = np.sqrt(np.maximum(mean((agreement - usual) ** 2) - gap**2, 0) / np.maximum(shared, 1))
    return shared, mean(agreement), mean(usual), error
