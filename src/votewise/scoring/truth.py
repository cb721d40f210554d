"""True classes, if they are known: an array, or a file with one label per item."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from votewise.arrays import I64
from votewise.errors import VotewiseError
from votewise.packed import ArrayFile
from votewise.scoring.prediction_files import opened
from votewise.scoring.predictions import position_note
from votewise.votes import (
    Answers,
    SourceFile,
    Votes,
    column_roles,
    ids_of,
    inspect_votes,
    locate_ids,
    match_ids,
    names_in,
)
from votewise.wording import counted, listing, quoted


@dataclass(frozen=True, eq=False)
class Truth:
    """True classes, as `read_truth` returns them.

    Attributes:
        classes: the true class of each item of some votes [N], in their order; -1 if it is not known.
        notes: how they were matched.
    """

    classes: I64
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Truth({counted(len(self.classes), 'item')})"


TrueClasses = ArrayLike | Sequence[str] | Truth


def as_truth(truth: TrueClasses, votes: Answers, where: object = None) -> Truth:
    """True classes [N] by position, as numbers or names; a pandas series with an index of ids is matched by the index."""
    if isinstance(truth, Truth):
        return truth
    if votes.items is not None and (ids := ids_of(truth)) is not None:
        place = _places(votes, ids, where)
        known = np.flatnonzero(place >= 0)
        found = as_truth(truth.iloc[place[known]].to_numpy(), votes.select(known), where)  # type: ignore[union-attr]  # a series with an index of ids has iloc
        return _by_id(place, known, found.classes)
    given = np.asarray(truth)
    if given.shape != (len(votes),):
        raise VotewiseError(
            f"true classes of shape {given.shape} for {len(votes)} items", where=where, remedy="give one per item"
        )
    if given.dtype.kind not in "iu":
        names = names_in(given)
        if None in names:
            what = f"item {quoted(votes.name_of(names.index(None)))} has no true class"
            raise VotewiseError(what, where=where, remedy="give one for every item")
        given = locate_ids(names, votes.classes)
    wrong = (given < 0) | (given >= votes.num_classes)
    if wrong.any():
        row = int(wrong.argmax())
        raise VotewiseError(
            f"the true class {quoted(np.asarray(truth).tolist()[row])} of item {quoted(votes.name_of(row))} is not one of the classes",
            where=where,
            remedy=f"give numbers from 0 to {votes.num_classes - 1}, or names among {listing(votes.classes)}",
        )
    notes = [] if votes.items is None else [position_note("true classes", votes)]
    numbers = all(name.removeprefix("-").isdecimal() for name in votes.classes)
    places = votes.classes == tuple(map(str, range(votes.num_classes)))
    if (
        np.asarray(truth).dtype.kind in "iu" and numbers and not places
    ):  # ambiguous: numbers that could be class numbers or class names
        notes.append(
            f"true classes are read as class numbers from 0, not as the names {listing(votes.classes)}; to use names, give text"
        )
    return Truth(given.astype(np.int64), tuple(notes))


def _places(votes: Answers, ids: Sequence[str], where: object) -> I64:
    """The place of each item [N] among the ids of true labels, -1 for an item without one. At least one item has one."""
    names, known = votes.names(), set(ids)
    labelled = [name for name in names if name in known] or names
    match_ids(labelled, ids, thing="true label", remedy="give true labels of items that have votes", where=where)
    return locate_ids(names, ids)


def _by_id(place: I64, known: I64, classes: I64) -> Truth:
    """The classes of the items at the positions `known`."""
    every = np.full(len(place), -1)
    every[known] = classes
    note = f"true classes for {len(known):,} of {counted(len(place), 'item')}: scores against them use only these items"
    return Truth(every, () if len(known) == len(place) else (note,))


def read_truth(
    path: str | os.PathLike[str], answers: Answers, *, item: str | None = None, label: str | None = None
) -> Truth:
    r"""Read the true class of each item.

    Args:
        path: a table of items and labels, which may have more or fewer items; or, in the order of the votes, an .npy or a file
            with one label per line, with or without a header.
        answers: the `Votes` or `Distributions` with the items and classes.
        item: the column of the items in a table. Default: one with a usual name.
        label: the column of the labels in a table. Default: one with a usual name, or the only other column.

    Returns:
        [N] true classes, for `votewise.score(..., truth=)`.

    Raises:
        VotewiseError: If the file cannot be read, has several labels for an item, or an unknown class.

    Example:
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "truth.csv"
        >>> _ = path.write_text("item,label\nb,dog\na,cat\n")
        >>> read_truth(path, Votes.from_long(["a", "b"], ["cat", "dog"])).classes.tolist()
        [0, 1]
    """
    source = opened(path, "give one label per item")
    if source.kind == "array":
        arrays = ArrayFile(source.path)
        if len(arrays) != 1:
            raise source.error(f"the file has {len(arrays)} arrays", "save only the true classes, with np.save")
        return as_truth(next(iter(arrays.values())), answers, source.path)
    if source.kind == "unknown" or (source.kind == "delimited" and len(source.columns) == 1):
        return as_truth(_lines(source, answers), answers, source.path)
    truth = _votes(source, answers, item, label)
    place = _places(answers, truth.names(), source.path)
    known = np.flatnonzero(place >= 0)
    return _by_id(place, known, truth.majority()[place[known]])


def _lines(source: SourceFile, answers: Answers) -> list[str] | list[int]:
    """The labels of a file with one class name or number per line; the first line may be a header."""
    rows = csv.reader(io.StringIO(source.text, newline=""), delimiter=source.delimiter)
    labels = [row[0].strip() for row in rows if row]
    if len(labels) == len(answers) + 1 and labels[0] not in answers.classes:
        labels = labels[1:]
    if len(labels) != len(answers):
        raise source.error(
            f"{counted(len(labels), 'true label')} for {counted(len(answers), 'item')}",
            "give one per line in the order of the votes, or add the item ids as a column 'item'",
        )
    numbers = all(map(str.isdecimal, labels)) and not set(labels).intersection(answers.classes)
    return [int(label) for label in labels] if numbers else labels


def _votes(source: SourceFile, answers: Answers, item: str | None, label: str | None) -> Votes:
    """The labels as votes, one on each item."""
    if source.kind != "json":
        items = column_roles.candidates(source.columns, "item")
        if label is None and not column_roles.candidates(source.columns, "label"):
            others = [name for name in source.columns if name != item and name not in items]
            label = others[0] if len(others) == 1 else None
        if item is None and len(items) == 1:  # which is different in every row, as expected
            item = items[0]
    try:
        truth = inspect_votes(source.path, classes=answers.classes, label=label, item=item).votes()
    except VotewiseError as error:  # its remedy would be about votes
        remedy = "give a table with the columns 'item' and 'label', name them with item= and label= (--truth-item, --truth-label), or give one label per line"
        raise VotewiseError(error.what, where=error.where, remedy=remedy) from error
    if not isinstance(truth, Votes) or (truth.votes_per_item != 1).any():
        raise source.error("expected exactly one label per item", "give one row per item")
    return truth
