"""True classes, if they are known: an array, or a file with one label per item."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
        classes: the true class of each item of some votes [N], in their order.
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
        remedy = "give the true label of every item that has votes"
        place = match_ids(votes.names(), ids, thing="true label", remedy=remedy, where=where)
        return replace(as_truth(truth.iloc[place].to_numpy(), votes, where), notes=())  # type: ignore[union-attr]  # a series with an index of ids has iloc
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


def read_truth(path: str | os.PathLike[str], answers: Answers) -> Truth:
    r"""Read the true class of each item.

    Args:
        path: a table of items and labels, which may have more items; or, in the order of the votes, an .npy or a file with
            one label per line, with or without a header.
        answers: the `Votes` or `Distributions` with the items and classes.

    Returns:
        [N] true classes, for `votewise.score(..., truth=)`.

    Raises:
        VotewiseError: If the file cannot be read, or does not have exactly one known class for every item.

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
    truth = _votes(source, answers)
    remedy = "give the true label of every item that has votes"
    place = match_ids(answers.names(), truth.names(), thing="true label", remedy=remedy, where=source.path)
    return Truth(truth.majority()[place])


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


def _votes(source: SourceFile, answers: Answers) -> Votes:
    """The labels as votes, one on each item."""
    label = None
    if source.kind != "json" and not column_roles.candidates(source.columns, "label"):
        others = [name for name in source.columns if name not in column_roles.candidates(source.columns, "item")]
        label = others[0] if len(others) == 1 else None
    item = column_roles.candidates(source.columns, "item")
    one = item[0] if source.kind != "json" and len(item) == 1 else None  # which is different in every row, as expected
    try:
        truth = inspect_votes(source.path, classes=answers.classes, label=label, item=one).votes()
    except VotewiseError as error:  # its remedy would be about votes
        remedy = "give a table with the columns 'item' and 'label', or one label per line"
        raise VotewiseError(error.what, where=error.where, remedy=remedy) from error
    if not isinstance(truth, Votes) or (truth.votes_per_item != 1).any():
        raise source.error("expected exactly one label per item", "give one row per item")
    return truth
