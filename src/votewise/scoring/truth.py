"""True classes, if they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import VotewiseError
from votewise.scoring.predictions import position_note
from votewise.scoring.probabilities import I64
from votewise.votes import Answers
from votewise.wording import listing


@dataclass(frozen=True, eq=False)
class Truth:
    """The true class [N] of each item of some votes, in their order, with notes on how it was matched."""

    classes: I64
    notes: tuple[str, ...] = ()


TrueClasses = ArrayLike | Sequence[str] | Truth


def as_truth(truth: TrueClasses, votes: Answers, where: object = None) -> Truth:
    """True classes [N] by position, as numbers or names."""
    if isinstance(truth, Truth):
        return truth
    given = np.asarray(truth)
    if given.shape != (len(votes),):
        raise VotewiseError(
            f"true classes of shape {given.shape} for {len(votes)} items", where=where, remedy="give one per item"
        )
    if given.dtype.kind not in "iu":
        place = {name: number for number, name in enumerate(votes.classes)}
        given = np.array([place.get(str(name), -1) for name in given.tolist()], dtype=np.int64)
    wrong = (given < 0) | (given >= votes.num_classes)
    if wrong.any():
        row = int(wrong.argmax())
        raise VotewiseError(
            f"the true class {np.asarray(truth).tolist()[row]!r} of item {votes.name_of(row)!r} is not one of the classes",
            where=where,
            remedy=f"give numbers from 0 to {votes.num_classes - 1}, or names among {listing(votes.classes)}",
        )
    notes = [] if votes.items is None else [position_note("true classes", votes)]
    if np.asarray(truth).dtype.kind in "iu" and _numbers_of_their_own(votes.classes):
        notes.append(
            f"true classes are taken as places from 0, not as the names {listing(votes.classes)}: give text for names"
        )
    return Truth(given.astype(np.int64), tuple(notes))


def _numbers_of_their_own(classes: Sequence[str]) -> bool:
    """Whether a number could be meant as a class or as its place, and the two differ."""
    whole = all(name.removeprefix("-").isdecimal() for name in classes)
    return whole and list(classes) != [str(place) for place in range(len(classes))]
