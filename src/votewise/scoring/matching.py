"""Matches predictions and true classes with the votes: by name if both have names, otherwise by position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from votewise.arrays import I64
from votewise.errors import VotewiseError
from votewise.scoring.columns import Column
from votewise.scoring.item_table import Table, tabulate
from votewise.scoring.prediction_files import read_predictions
from votewise.scoring.predictions import Predictions, as_predictions, position_note
from votewise.scoring.probabilities import AnyKind
from votewise.scoring.truth import TrueClasses, as_truth
from votewise.votes import INDEX, Answers, Votes, codes, is_frame, locate_ids, match_ids, repeated, require_answers
from votewise.wording import counted, listing, quoted

_PARTS = (
    "train/",
    "validation/",
    "test/",
)  # prefixes of the ids of a predefined split, if an id occurs in several of its files
_KIND_FROM = {"argument": "", "names": " (detected by names)", "values": " (detected by values)"}


@dataclass(frozen=True, eq=False)
class Aligned:
    """Predictions, votes and true classes of the same N items, all of which have votes, in one order.

    Attributes:
        predictions: one row for each item and one column for each class of the votes.
        votes: the votes on these items.
        truth: [N] true classes, -1 if not known; None if not given.
        by: how predictions and votes were matched.
        notes: notes on the matching.
        skipped: number of items left out because they have no votes.
        unpredicted: number of items left out because they have no prediction.
    """

    predictions: Predictions
    votes: Answers
    truth: I64 | None
    by: str
    notes: tuple[str, ...]
    skipped: int = 0
    unpredicted: int = 0

    def __str__(self) -> str:
        predictions = self.predictions
        place = "" if predictions.where is None else f"{predictions.where}: "
        kind = f"{predictions.kind}{_KIND_FROM[predictions.kind_from]}"
        return f"{place}{counted(len(predictions) + self.skipped, 'prediction')} read as {kind}, matched by {self.by}"

    def take(self, index: I64, votes: Answers | None = None) -> Aligned:
        """The items at `index` [n], with other votes on them if given."""
        return replace(
            self,
            predictions=self.predictions.take(index),
            votes=self.votes.select(index) if votes is None else votes,
            truth=None if self.truth is None else self.truth[index],
        )

    def table(self, columns: Iterable[Column], **options: Any) -> Table:
        """Columns of these items; the options are those of `tabulate`."""
        return tabulate(self.predictions, self.votes, columns, truth=self.truth, **options)


def align(
    probabilities: Any,
    votes: Answers,
    truth: TrueClasses | None = None,
    *,
    kind: AnyKind = "auto",
    partial: bool = False,
) -> Aligned:
    """Predictions with one row for each item that has votes and one column for each class, in the order of the votes.

    Match by ids if both have them, otherwise by ids that are row numbers of the votes, otherwise by position.
    Every item needs a prediction, unless `partial`, and every prediction an item.
    """
    predictions = (
        read_predictions(probabilities, kind) if is_frame(probabilities) else as_predictions(probabilities, kind)
    )
    require_answers(votes)
    true = None if truth is None else as_truth(truth, votes)
    true_class, size = None if true is None else true.classes, len(votes)
    predictions, column = _with_ids(_with_classes(_without_part(predictions, votes), votes.classes), votes)
    if partial:
        place = _predicted(predictions, votes)
        votes, true_class = votes.select(place), None if true_class is None else true_class[place]
    by, notes = _how(predictions, votes, column)
    ordered = _match_items(_match_classes(predictions, votes.classes), votes, partial)
    # from here on, items are matched by position
    data = Aligned(replace(ordered, items=None), votes, true_class, by, (*notes, *(() if true is None else true.notes)))
    if len(votes) < size:
        note = f"left out: {counted(size - len(votes), 'item')} without a prediction"
        data = replace(data, unpredicted=size - len(votes), notes=(*data.notes, note))
    return _with_votes(data)


def _with_votes(data: Aligned) -> Aligned:
    """The data without items that have no votes."""
    votes = data.votes
    voted = votes.votes_per_item > 0 if isinstance(votes, Votes) else np.ones(len(votes), dtype=np.bool_)
    if not voted.any():
        raise VotewiseError("no item has votes to score against", remedy="give votes on the predicted items")
    if voted.all():
        return data
    return replace(data.take(np.flatnonzero(voted)), skipped=int((~voted).sum()))


def _how(predictions: Predictions, answers: Answers, column: str | None) -> tuple[str, list[str]]:
    """How predictions and votes are matched, and notes on it."""
    unread = [name for name in predictions.unread if name not in (column, INDEX)]
    notes = [f"not read: {listing(unread)}"] if unread else []
    named = predictions.classes is not None and set(predictions.classes) == set(answers.classes)
    unnamed = not named and answers.classes != tuple(map(str, range(answers.num_classes)))
    if predictions.items is None and answers.items is not None:
        both = f"; and no class names: matched in the order {listing(answers.classes)}" if unnamed else ""
        notes.append(position_note("predictions", answers) + both)
    elif unnamed:
        notes.append(f"predictions have no class names: matched in the order {listing(answers.classes)}")
    if predictions.items is None:
        return "position" + (" and class name" if named else ""), notes
    by = "row number" if answers.items is None or predictions.by_row else "item id"
    by += f" (column {quoted(column)})" if column else ""
    return by + (" and class name" if named else " and position of the classes"), notes


def _predicted(predictions: Predictions, answers: Answers) -> I64:
    """Positions of the items with a prediction. If there are none, all positions, so that matching raises the error."""
    if predictions.items is None:
        raise VotewiseError(
            "partial=True (--partial) needs predictions with item ids",
            where=predictions.where,
            remedy="name the column of ids with item= (--prediction-item), or add the ids as a column 'item' or an array 'items'",
        )
    has_prediction = locate_ids(answers.names(by_row=predictions.by_row), predictions.items) >= 0
    return np.flatnonzero(has_prediction if has_prediction.any() else ~has_prediction)


def _without_part(predictions: Predictions, answers: Answers) -> Predictions:
    """The predictions with the ids in the file of one part of a predefined split, if they are for one part."""
    items = predictions.items or ()
    for part in _PARTS:
        plain = tuple(item.removeprefix(part) for item in items if item.startswith(part))
        if plain and len(plain) == len(items) and set(plain) <= set(answers.names()):
            return replace(predictions, items=plain)
    return predictions


def _with_classes(predictions: Predictions, classes: tuple[str, ...]) -> Predictions:
    """The predictions with class names from an array that is not named like one, but holds exactly the classes."""
    fits = {key: array for key, array in predictions.unread.items() if len(array) == len(classes)}
    for key, array in fits.items() if predictions.classes is None else ():
        code, names = codes(array, missing=True)
        if set(names) == set(classes):
            unread = {name: values for name, values in predictions.unread.items() if name != key}
            return replace(predictions, classes=tuple(names[place] for place in code.tolist()), unread=unread)
    return predictions


def _with_ids(predictions: Predictions, answers: Answers) -> tuple[Predictions, str | None]:
    """The predictions with ids from a column that is not named like one, and the name of that column.

    The column must contain at least half of the ids of the votes, or an id in at least half of its rows. If there are several, it is
    the one with most of the ids.
    """
    if predictions.items is not None or not predictions.unread:
        return predictions, None
    known, found = set(answers.names()), dict[str, tuple[int, tuple[str, ...]]]()
    for name, column in predictions.unread.items():
        code, ids = codes(column, missing=True)
        shared = len(known.intersection(ids))
        if len(code) == len(predictions) and 2 * shared >= min(len(known), len(code)) > 0 and (code >= 0).all():
            found[name] = shared, tuple(ids[place] for place in code.tolist())
    most = [name for name, (shared, _) in found.items() if shared == max(found.values())[0]]
    if len({found[name][1] for name in most}) > 1:
        raise VotewiseError(
            f"columns {listing(most)} of the predictions differ, but both have ids of the votes",
            where=predictions.where,
            remedy="name the column of ids with item= (--prediction-item), or leave the other one out",
        )
    return (replace(predictions, items=found[most[0]][1]), most[0]) if most else (predictions, None)


def _match_classes(predictions: Predictions, classes: tuple[str, ...]) -> Predictions:
    names = predictions.classes
    width = predictions.values.shape[1]
    if width != len(classes):
        listed = "" if names is None else f" ({listing(names)})"
        words = [name for name in predictions.unread if name != INDEX]
        other = [] if names is None or not set(names) >= set(classes) else [n for n in names if n not in classes]
        unread = f", and columns not read are {listing(words)}" if words and not other else ""
        raise VotewiseError(
            f"predictions have {counted(width, 'class')}{listed}, but the votes have {len(classes)} ({listing(classes)}){unread}",
            where=predictions.where,
            remedy=f"leave {listing(other)} out, or name all classes of the votes with classes= (--classes)"
            if other
            else "give one column per class, including classes without votes",
        )
    numbered = names == tuple(map(str, range(width))) and set(names) != set(classes)
    if (numbered or names is None) and predictions.by_name:
        raise VotewiseError(
            f"the columns are {listing(names or range(width))}, not the classes",
            where=predictions.where,
            remedy=f"name the columns after the classes {listing(classes, 20)}, in the order of the model's outputs",
        )
    if names is None or names == classes or numbered:
        return replace(predictions, classes=classes)
    if twice := repeated(names):
        raise VotewiseError(
            f"class {quoted(twice[0])} is named twice",
            where=predictions.where,
            remedy="give each class one column",
        )
    if unknown := [name for name in names if name not in classes]:
        raise VotewiseError(
            f"predictions have classes that the votes do not have: {listing(unknown)}",
            where=predictions.where,
            remedy=f"name the columns after the classes: {listing(classes)}",
        )
    place = [names.index(name) for name in classes]
    return replace(predictions, values=predictions.values[:, place], classes=classes)


def _match_items(predictions: Predictions, answers: Answers, partial: bool) -> Predictions:
    if predictions.items is not None:
        remedy = "check that both name the same items, or name another column of ids with item= (--prediction-item)"
        remedy += "" if partial else "; partial=True (--partial) scores only the items that have a prediction"
        wanted = answers.names(by_row=predictions.by_row)
        where, items = predictions.where, predictions.items
        return predictions.take(match_ids(wanted, items, thing="prediction", remedy=remedy, where=where, exact=True))
    if predictions.by_name and answers.items is not None:
        raise VotewiseError(
            "no column or index of the predictions has the item ids, and the rows may be in any order",
            where=predictions.where,
            remedy=f"add the item id of each row as a column 'item', with ids like {listing(answers.names(), 2)}",
        )
    if len(predictions) != len(answers):
        raise VotewiseError(
            f"{counted(len(predictions), 'prediction')} for {counted(len(answers), 'item')}",
            where=predictions.where,
            remedy="give one row per item in the order of the votes, or add the item ids as a column 'item'",
        )
    return predictions
