"""Checks before training that a dataset, a model and a delivery fit together."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from votewise.errors import VotewiseError


def require_fit(
    delivery: Any, *, dataset: Any = None, outputs: int | None = None, ids: Iterable[object] | None = None
) -> None:
    """Raise if a dataset or model does not fit the delivery.

    Args:
        delivery: A delivery, `Votes` or `Distributions` with N items and C classes.
        dataset: A dataset of N examples that can be indexed by position. If it has the ids of the votes, in a column of a
            Hugging Face dataset or the index of a pandas frame, they must be in the same order.
        outputs: Number of outputs of the model; must be C.
        ids: Ids of the examples [N]; must equal the ids of the votes, in the same order.

    Raises:
        VotewiseError: For the first mismatch.

    Example:
        >>> from votewise.votes import Votes
        >>> require_fit(Votes.from_counts([[3, 1], [0, 2]]), outputs=10)
        Traceback (most recent call last):
        votewise.errors.VotewiseError: the model has 10 outputs, but the votes have 2 classes; build it with 2 outputs
    """
    for needed in ("num_classes", "__len__"):
        if not hasattr(delivery, needed):
            raise VotewiseError(
                f"expected a delivery, got {type(delivery).__name__}", remedy="give e.g. votewise.Multipass(votes)"
            )
    if isinstance(dataset, Mapping):
        raise VotewiseError(
            f"dataset is a {type(dataset).__name__} of {len(dataset)} datasets, not a dataset with one example per item",
            remedy="give a single dataset, e.g. datasets['train']",
        )
    if dataset is not None:
        if not hasattr(dataset, "__getitem__") or not hasattr(dataset, "__len__"):
            raise VotewiseError(
                f"a dataset of type {type(dataset).__name__} has no length and cannot be indexed, so its examples cannot be identified",
                remedy="use a map-style dataset",
            )
        count = int(dataset.shape[0]) if hasattr(dataset, "shape") else len(dataset)
        if count != len(delivery):
            raise VotewiseError(
                f"the dataset has {count} examples, but the votes have {len(delivery)} items",
                remedy="bring the votes into the order of the dataset with votes.align(ids) or votes.select(index)",
            )
    if outputs is not None and outputs != delivery.num_classes:
        c = delivery.num_classes
        raise VotewiseError(
            f"the model has {outputs} outputs, but the votes have {c} classes", remedy=f"build it with {c} outputs"
        )
    votes = getattr(delivery, "votes", delivery)
    if ids is not None:
        _require_order(votes, [str(name) for name in ids])
    elif dataset is not None and getattr(votes, "items", None) is not None:
        known = set(votes.names())
        for found in _columns(dataset, known):
            if len(found) == len(votes) and set(found) == known:
                _require_order(votes, found)


def _columns(dataset: Any, known: Container[str]) -> Iterator[list[str]]:
    """Candidates for the ids of the examples [N]: the index of a pandas frame, unless it only counts rows, and the columns of
    a Hugging Face dataset that begin with a known id.
    """
    if hasattr(dataset, "iloc"):
        index = [str(name) for name in dataset.index]
        if index != [str(i) for i in range(len(index))]:
            yield index
    for name in getattr(dataset, "column_names", None) or ():
        if isinstance(first := dataset[0][name], str | int) and str(first) in known:
            yield [str(value) for value in dataset[name]]


def _require_order(votes: Any, ids: list[str]) -> None:
    if getattr(votes, "items", None) is None:
        raise VotewiseError("the votes have no item ids to compare with ids=", remedy="leave ids out")
    names = votes.names()
    wrong = next((i for i, (one, other) in enumerate(zip(ids, names, strict=False)) if one != other), None)
    if wrong is not None:
        raise VotewiseError(
            f"the votes are in a different order from the dataset: example {wrong} is {ids[wrong]!r} but its votes are those of"
            f" {names[wrong]!r}",
            remedy="use votes.align(ids)",
        )
    if len(ids) != len(names):
        raise VotewiseError(f"{len(ids)} ids for {len(names)} items of the votes", remedy="use votes.align(ids)")
