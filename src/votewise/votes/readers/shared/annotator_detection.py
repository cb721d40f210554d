"""Which columns of a table with one row per item each hold the labels of one annotator."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from votewise.votes.readers.shared import column_roles

_MOST = 20  # labels in the columns of annotators together; with more, only names like rater_1 decide
_ROWS = 5  # of numbers, below which they are read as counts
_NO_ANNOTATOR = ("final", "finallabel", "consensus", "adjudicated", "adjudication", "prediction", "predicted")
_FRACTION = re.compile(r"[-+]?[0-9]*[.,][0-9]*[1-9][0-9]*")


def find(labels_by_column: Mapping[str, set[str]], classes: Sequence[object] | None = None) -> list[str]:
    """The columns of annotators, given the labels in each: those with telling names, or that hold the classes if given;
    else the most that share a small set of labels, and none where two sets are shared by as many.

    >>> find({"id": {"a", "b"}, "anna": {"yes", "no"}, "ben": {"no"}, "gold": {"yes"}, "rater 1": {"yes"}})
    ['anna', 'ben', 'rater 1']
    """
    if len(telling := [name for name in labels_by_column if named(name)]) > 1:
        return telling
    labels_by_column = {name: labels for name, labels in labels_by_column.items() if labels and possible(name, labels)}
    if classes is not None:
        return [name for name, labels in labels_by_column.items() if _alike(labels, set(map(str, classes)))]
    groups: list[list[str]] = []
    for name, labels in labels_by_column.items():
        near = [group for group in groups if any(_alike(labels, labels_by_column[other]) for other in group)]
        groups = [group for group in groups if group not in near] + [[*(one for group in near for one in group), name]]
    largest = max(map(len, groups), default=0)
    found = [group for group in groups if len(group) == largest > 1]
    if len(found) != 1 or len(set[str]().union(*(labels_by_column[name] for name in found[0]))) > _MOST:
        return []
    return [name for name in labels_by_column if name in found[0]]


def labels_in(cells: Iterable[str | None]) -> set[str]:
    """The different labels in some cells; an empty cell holds none."""
    return {label for cell in cells if cell and (label := cell.strip())}


def named(column: str) -> bool:
    """Whether a column is named after one of several annotators.

    >>> named("rater_1"), named("Annotator 2"), named("rater"), named("class_1")
    (True, True, False, False)
    """
    word = column_roles.normal(column).rstrip("0123456789")
    return word != column_roles.normal(column) and bool(column_roles.candidates([word], "annotator"))


def possible(column: str, labels: set[str]) -> bool:
    """Whether a column with these labels may be an annotator's."""
    if named(column):
        return True
    other = column_roles.companion(column) or column_roles.normal(column) in _NO_ANNOTATOR
    return not other and len(labels) <= _MOST and not any(map(_FRACTION.fullmatch, labels))


def _alike(some: set[str], others: set[str]) -> bool:
    """Whether half of the smaller set is in the other."""
    return 2 * len(some & others) >= min(len(some), len(others))


def may_be_ratings(numbers: Sequence[Sequence[str]]) -> bool:
    """Whether columns of numbers may be ratings of annotators, and not the counts of votes for a class.

    Counts have no gaps. And the classes share the votes on an item, so that one has more where another has less, while
    annotators rate a good thing high and a bad one low: then the sum varies more than it would if columns had nothing in common.
    """
    if min(map(len, numbers), default=0) < _ROWS:
        return False
    if any("" in column for column in numbers):
        return True
    try:
        table = np.array(numbers, dtype=np.float64)
    except ValueError:  # a word among them
        return False
    return bool(table.sum(axis=0).var() > table.var(axis=1).sum())
