"""Hugging Face datasets: converts columns to votes and back.

These functions are for datasets with one row per item, the usual layout on the Hub, with the labels of its annotators as a list
or as counts. For one row per vote, use `Votes.from_frame(dataset.to_polars(), item=..., label=...)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes import Distributions, ReadReport, Votes
from votewise.wording import counted, listing, quoted

if TYPE_CHECKING:
    from datasets import Dataset


def from_dataset(
    dataset: Dataset,
    *,
    labels: str | None = None,
    counts: str | None = None,
    probabilities: str | None = None,
    item: str | None = None,
    annotators: str | None = None,
    classes: Sequence[str] | None = None,
) -> Votes | Distributions:
    """The votes in the rows of a dataset, in the order of the rows.

    Args:
        dataset: One row per item.
        labels: Column with the list of labels of each item: class numbers, `ClassLabel`s or names. Missing labels, and with
            class numbers also -1, are dropped with a warning.
        counts: Column with the number of votes for each class [C], instead of `labels`.
        probabilities: Column with the vote shares [C], instead of `labels`.
        item: Column with unique ids. Default: no ids.
        annotators: Column with the list of annotators, for use with `labels`.
        classes: Names of the classes. Default: those of `ClassLabel`, or the labels that occur.

    Raises:
        VotewiseError: If a column is missing or has an unexpected type.
    """
    given = [name for name in (labels, counts, probabilities) if name is not None]
    if len(given) != 1:
        raise VotewiseError("one of labels=, counts= and probabilities= is needed", remedy="give exactly one of them")
    for name in (*given, *(name for name in (item, annotators) if name is not None)):
        if name not in dataset.column_names:
            raise VotewiseError(
                f"column {quoted(name)} is missing", remedy=f"the columns are {listing(dataset.column_names, 20)}"
            )
    ids = None if item is None else np.array([str(value) for value in dataset[item]])
    if counts is not None:
        return Votes.from_counts(dataset[counts][:], classes, items=ids)
    if probabilities is not None:
        return Distributions(dataset[probabilities][:], classes=tuple(classes or ()), items=ids)
    assert labels is not None
    rows = dataset[labels][:]
    declared = getattr(getattr(dataset.features[labels], "feature", None), "names", None)
    names = classes or declared
    if names is not None:
        rows = [[_name_of(value, names, declared is not None) for value in row] for row in rows]
    label = [value for row in rows for value in row]
    voted = np.array([value is not None for value in label], np.bool_)
    if not voted.all():
        why, dropped = f"column {quoted(labels)}", {"no label": int((~voted).sum())}
        ReadReport(path="the dataset", format="lists of labels", why=why, rows=len(rows), dropped=dropped).warn()
    place = np.repeat(np.arange(len(rows)), [len(row) for row in rows])[voted]
    who = None if annotators is None else _annotators(dataset[annotators][:], rows)[voted]
    votes = Votes.from_long(place, [value for value in label if value is not None], who, classes=names)
    votes = votes.align(range(len(rows)), missing="empty")
    return Votes(
        votes.indptr, votes.label, classes=votes.classes, items=ids,
        annotator=votes.annotator, annotators=votes.annotators,
    )  # fmt: skip


def _annotators(named: Sequence[Sequence[object]], rows: Sequence[Sequence[object]]) -> NDArray[np.object_]:
    """The annotator of each label [V]."""
    for place, (who, row) in enumerate(zip(named, rows, strict=True)):
        if len(who) != len(row):
            raise VotewiseError(
                f"row {place} has {counted(len(row), 'label')} and {counted(len(who), 'annotator')}",
                remedy="give one annotator per label, None if unknown",
            )
    return np.array([one for who in named for one in who], object)


def _name_of(value: object, names: Sequence[str], declared: bool) -> object:
    """The name of a class number, None for -1 (no label); names are unchanged."""
    if not isinstance(value, int):
        return value
    if not declared and str(value) in names and value != list(names).index(str(value)):
        raise VotewiseError(
            f"label {value} could be a class number or the name of a class",
            remedy="give the labels as texts, or as a `ClassLabel`",
        )
    if value == -1:
        return None
    if not 0 <= value < len(names):
        raise VotewiseError(
            f"label {value} is not a class number", remedy=f"use 0 to {len(names) - 1}, and -1 for no label"
        )
    return names[value]


def to_dataset(votes: Votes) -> Dataset:
    """One row per item: `item`, `labels` (a list of `ClassLabel`), `annotators` (if known) and `counts`."""
    from datasets import ClassLabel, Dataset, Features, List, Value

    start, stop = votes.indptr[:-1], votes.indptr[1:]
    columns: dict[str, Any] = {
        "item": votes.names(),
        "labels": [votes.label[a:b].tolist() for a, b in zip(start, stop, strict=True)],
        "counts": votes.counts().tolist(),
    }
    kinds: dict[str, Any] = {
        "item": Value("string"), "labels": List(ClassLabel(names=list(votes.classes))), "counts": List(Value("int64")),
    }  # fmt: skip
    if votes.annotator is not None:
        who = [votes.annotators[code] if code >= 0 else None for code in votes.annotator.tolist()]
        columns["annotators"] = [who[a:b] for a, b in zip(start, stop, strict=True)]
        kinds["annotators"] = List(Value("string"))
    return Dataset.from_dict(columns, features=Features(kinds))
