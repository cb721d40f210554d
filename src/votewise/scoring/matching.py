"""Predictions and true labels brought into the order of the votes: by name where both have names, else by position."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.scoring.predictions import Predictions
from votewise.scoring.probabilities import I64
from votewise.votes import Answers, Votes
from votewise.votes.answers import repeated
from votewise.votes.coding import codes
from votewise.wording import counted, listing, quoted

_TOLD = {"said": "", "names": ", as the names in it say", "numbers": ", told from the numbers"}


@dataclass(frozen=True, eq=False)
class Matched:
    """Predictions in the order of the votes: what they were matched `by`, and what a reader should know of it."""

    predictions: Predictions
    by: str
    notes: tuple[str, ...]

    def __str__(self) -> str:
        found = self.predictions
        place = "" if found.where is None else f"{found.where}: "
        return (
            f"{place}{counted(len(found), 'prediction')} read as {found.kind}{_TOLD[found.told]}, matched by {self.by}"
        )


def match(predictions: Predictions, answers: Answers) -> Predictions:
    """The predictions with one row for each item of `answers` and one column for each class, in their order.

    Ids are matched where both have them, else ids that are whole numbers with the rows of the votes, else positions.
    Every item needs a prediction and every prediction an item.
    """
    refuse_others(answers)
    return matched(predictions, answers).predictions


def matched(predictions: Predictions, answers: Answers) -> Matched:
    """The same, with how it was done."""
    predictions, column = _with_ids(predictions, answers)
    unread = [name for name in predictions.unread if name != column]
    notes = [f"columns not read: {listing(unread)}"] if unread else []
    named = predictions.classes is not None and set(predictions.classes) == set(answers.classes)
    unnamed = not named and answers.classes != tuple(map(str, range(answers.num_classes)))
    if predictions.items is None and answers.items is not None:
        both = f"; and no class names: taken as {listing(answers.classes)}" if unnamed else ""
        notes.append(in_order("predictions", answers) + both)
    elif unnamed:
        notes.append(f"predictions have no class names: taken as {listing(answers.classes)}")
    by = (
        "position"
        if predictions.items is None
        else "row number"
        if answers.items is None or predictions.by_row
        else "item id"
    )
    by += f" (column {quoted(column)})" if column else ""
    by += " and class name" if named else " and position of the classes" if predictions.items is not None else ""
    return Matched(_match_items(_match_classes(predictions, answers.classes), answers), by, tuple(notes))


def predicted(predictions: Predictions, answers: Answers) -> I64:
    """Where those items of the votes stand that have a prediction; all of them where none has, which is for `matched` to tell."""
    predictions, _ = _with_ids(predictions, answers)
    if predictions.items is None:
        raise VotewiseError(
            "predictions of some of the items need the ids of those items",
            where=predictions.where,
            remedy="name the column of ids with item= (--prediction-item), or the items in a column 'item' or an array 'items'",
        )
    found, _ = places_of(predictions.items, names_of(answers, predictions.by_row))
    there = found >= 0
    return np.flatnonzero(there if there.any() else ~there)


def with_votes(
    predictions: Predictions, votes: Answers, true_class: I64 | None
) -> tuple[Predictions, Answers, I64 | None]:
    """What is left of all three when items that nobody voted on are skipped; from here on they go by position."""
    voted = votes.votes_per_item > 0 if isinstance(votes, Votes) else np.ones(len(votes), dtype=np.bool_)
    if not voted.any():
        raise VotewiseError(
            "no item has votes to score against", remedy="give the votes of the items that were predicted"
        )
    predictions = replace(predictions, items=None)
    if voted.all():
        return predictions, votes, true_class
    place = np.flatnonzero(voted)
    return predictions.take(place), votes.select(place), None if true_class is None else true_class[place]


def in_order(what: str, answers: Answers) -> str:
    """The sentence about something without ids that is taken in the order of items that have them."""
    first = [answers.name_of(place) for place in range(min(3, len(answers)))]
    more = " …" if len(answers) > len(first) else ""
    return f"{what} have no item ids: taken in the order of the votes, {listing(first)}{more}"


def names_of(answers: Answers, by_row: bool = False) -> list[str]:
    """What items are matched by: their ids, or their rows where they have none or rows are asked for."""
    if by_row or answers.items is None:
        return [str(row) for row in answers.row.tolist()]
    return answers.items.tolist()  # type: ignore[no-any-return]


def places_of(names: Sequence[str], known: Sequence[str]) -> tuple[I64, list[str]]:
    """Where each of the `known` names stands among `names` (-1 where it does not), and those that do not."""
    place = {name: position for position, name in enumerate(names)}
    found = np.array([place.get(name, -1) for name in known], dtype=np.int64)
    return found, [name for name, position in zip(known, found, strict=True) if position < 0]


def refuse_others(answers: Any) -> None:
    """Refuse what is given for the votes and is neither `Votes` nor `Distributions`, such as the path of a file."""
    if isinstance(answers, Answers):
        return
    if isinstance(answers, str | os.PathLike):
        path = os.fspath(answers)
        raise VotewiseError(f"{path!r} is a path, not votes", remedy=f"read it first: read_votes({path!r})")
    raise VotewiseError(
        f"a {type(answers).__name__} is given for the votes",
        remedy="read them with read_votes(path), or make them with Votes.from_counts or Votes.from_long",
    )


def _with_ids(predictions: Predictions, answers: Answers) -> tuple[Predictions, str | None]:
    """Where no column is known to hold the ids, the one that has at least half of those of the votes, and its name."""
    if predictions.items is None and predictions.unread:
        known = set(names_of(answers))
        for name, column in predictions.unread.items():
            code, ids = codes(column, missing=True)
            if 2 * len(known.intersection(ids)) >= len(known) and (code >= 0).all():
                return replace(predictions, items=tuple(ids[place] for place in code.tolist())), name
    return predictions, None


def _match_classes(predictions: Predictions, classes: tuple[str, ...]) -> Predictions:
    given = predictions.classes
    width = predictions.values.shape[1]
    if width != len(classes):
        names = "" if given is None else f" ({listing(given)})"
        unread = f", and columns not read are {listing(predictions.unread)}" if predictions.unread else ""
        other = [] if given is None or not set(given) >= set(classes) else [n for n in given if n not in classes]
        raise VotewiseError(
            f"predictions have {counted(width, 'class')}{names}, the votes have {len(classes)} ({listing(classes)}){unread}",
            where=predictions.where,
            remedy=f"leave {listing(other)} out, or name all classes of the votes with classes= (--classes)"
            if other
            else "give one column per class, those that nobody voted for too",
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
                f"{counted(len(predictions), 'prediction')} for {counted(len(answers), 'item')}",
                where=predictions.where,
                remedy="give one row per item in the order of the votes, or name the items in a column 'item'",
            )
        return predictions
    known = names_of(answers, predictions.by_row)
    if twice := repeated(predictions.items):
        raise VotewiseError(
            f"several predictions for one item: {listing(twice)}", where=predictions.where, remedy="keep one of each"
        )
    found, absent = places_of(predictions.items, known)
    other = (
        set(predictions.items).difference(known) if len(predictions.items) > len(known) - len(absent) else set[str]()
    )
    if absent:
        also = f", and {counted(len(other), 'prediction')} for other items: {listing(sorted(other))}" if other else ""
        raise VotewiseError(
            f"no prediction for {len(absent)} of {counted(len(known), 'item')}: {listing(absent)}{also}",
            where=predictions.where,
            remedy="check that both name the same items, or name another column of ids with item= (--prediction-item)"
            + ("" if len(absent) == len(known) else "; partial=True (--partial) scores those that have a prediction"),
        )
    if other:
        raise VotewiseError(
            f"{counted(len(other), 'prediction')} for items that have no votes: {listing(sorted(other))}",
            where=predictions.where,
            remedy="leave them out, or give the votes on them",
        )
    return predictions.take(found)
