"""Hugging Face datasets: converts columns to votes and back.

These functions are for datasets with one row per item, the usual layout on the Hub, with the labels of its annotators as a list
or as counts. For one row per vote, use `Votes.from_frame(dataset.to_polars(), item=..., label=...)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.votes import Distributions, Votes
from votewise.wording import listing, quoted

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
        labels: Column with the list of labels of each item: class numbers, `ClassLabel`s or names.
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
    names = classes or getattr(getattr(dataset.features[labels], "feature", None), "names", None)
    if names is not None:
        rows = [[names[value] if isinstance(value, int) else value for value in row] for row in rows]
    place = [f"{position}" for position, row in enumerate(rows) for _ in row]
    who = None if annotators is None else [one for row in dataset[annotators] for one in row]
    votes = Votes.from_long(place, [value for row in rows for value in row], who, classes=names)
    votes = votes.align(range(len(rows)), missing="empty")
    return Votes(
        votes.indptr, votes.label, classes=votes.classes, items=ids,
        annotator=votes.annotator, annotators=votes.annotators,
    )  # fmt: skip


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
