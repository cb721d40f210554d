"""Predictions read from a file or given as an array, and matched with the items and classes of the votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError, listing
from votewise.scoring.probabilities import F64, I64, Kind, as_array, as_kind, as_probabilities, kind_of, normalised
from votewise.votes import Answers
from votewise.votes.answers import repeated


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a model said of N items.

    values   [N, C] of the given kind, as they came: logarithms are never rounded through their exponentials
    items    ids of the items as text, None where rows go by position
    classes  names of the columns, None where they go by position
    where    the file they came from, for errors
    row      [N] number of each row where it came from, which errors name
    """

    values: NDArray[Any]
    kind: Kind
    items: tuple[str, ...] | None = None
    classes: tuple[str, ...] | None = None
    where: str | None = None
    row: Sequence[int] | I64 | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def probabilities(self) -> F64:
        """Probabilities [N, C]."""
        return as_probabilities(self.values, self.kind, where=self.where)

    def normalised(self, part: slice) -> tuple[F64, F64]:
        """Probabilities and their logarithms [C, n] of some rows."""
        rows = range(len(self)) if self.row is None else self.row
        return normalised(self.values[part], self.kind, self.where, rows[part])

    def take(self, index: I64) -> Predictions:
        """The rows at `index` [n]."""
        row = np.arange(len(self)) if self.row is None else np.asarray(self.row)
        items = None if self.items is None else tuple(self.items[place] for place in index)
        return replace(self, values=self.values[index], items=items, row=row[index])


def as_predictions(values: Any, kind: str = "probabilities", where: str | None = None) -> Predictions:
    """An array [N, C] as predictions by position; `Predictions` stay what they are."""
    if isinstance(values, Predictions):
        return values
    array = as_array(values, where)
    return Predictions(array, kind_of(array, where) if kind == "auto" else as_kind(kind), where=where)


def match(predictions: Predictions, answers: Answers) -> Predictions:
    """The predictions with one row for each item of `answers` and one column for each class, in their order.

    Ids are matched where both have them, else ids that are whole numbers with the rows of the votes, else positions.
    Every item needs a prediction and every prediction an item.
    """
    return _match_items(_match_classes(predictions, answers.classes), answers)


def _match_classes(predictions: Predictions, classes: tuple[str, ...]) -> Predictions:
    given = predictions.classes
    width = predictions.values.shape[1]
    if width != len(classes):
        names = "" if given is None else f" ({listing(given)})"
        raise VotewiseError(
            f"predictions have {width} classes{names}, the votes have {len(classes)} ({listing(classes)})",
            where=predictions.where,
            remedy="give one column per class, those that nobody voted for too",
        )
    numbered = given == tuple(map(str, range(width))) and set(given) != set(classes)
    if given is None or given == classes or numbered:
        return replace(predictions, classes=classes)
    if unknown := [name for name in given if name not in classes]:
        raise VotewiseError(
            f"predictions for classes that the votes do not have: {listing(unknown)}",
            where=predictions.where,
            remedy=f"name the columns after the classes: {listing(classes)}",
        )
    place = [given.index(name) for name in classes]
    return replace(predictions, values=predictions.values[:, place], classes=classes)


def _match_items(predictions: Predictions, answers: Answers) -> Predictions:
    if predictions.items is None:
        if len(predictions) != len(answers):
            raise VotewiseError(
                f"{len(predictions)} predictions for {len(answers)} items",
                where=predictions.where,
                remedy="give one row per item in the order of the votes, or name the items in a column 'item'",
            )
        return predictions
    known = _names(answers)
    if twice := repeated(predictions.items):
        raise VotewiseError(
            f"several predictions for one item: {listing(twice)}", where=predictions.where, remedy="keep one of each"
        )
    place = {name: position for position, name in enumerate(predictions.items)}
    found = np.array([place.get(name, -1) for name in known], dtype=np.int64)
    absent = [name for name, position in zip(known, found, strict=True) if position < 0]
    other = set(predictions.items).difference(known) if len(place) > len(known) - len(absent) else set()
    if absent:
        also = f", and {len(other)} predictions are for other items: {listing(sorted(other))}" if other else ""
        raise VotewiseError(
            f"no prediction for {len(absent)} of {len(known)} items: {listing(absent)}{also}",
            where=predictions.where,
            remedy="check that both name the same items, or select the items you want to score",
        )
    if other:
        raise VotewiseError(
            f"{len(other)} predictions are for items that have no votes: {listing(sorted(other))}",
            where=predictions.where,
            remedy="leave them out, or give the votes on them",
        )
    return predictions.take(found)


def _names(answers: Answers) -> list[str]:
    return [str(row) for row in answers.row.tolist()] if answers.items is None else answers.items.tolist()
