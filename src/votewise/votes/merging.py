"""Merges the votes of several files: the items of the first file, then those of the second, and so on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from votewise.arrays import F64
from votewise.errors import VotewiseError
from votewise.votes.coding import Codes, in_order, renamed
from votewise.votes.distributions import Distributions
from votewise.votes.scale import Scale
from votewise.votes.votes import Votes
from votewise.wording import listing


def merged(parts: Sequence[Votes | Distributions], items: Sequence[str]) -> Votes | Distributions:
    """The answers of all parts over the classes and annotators of all of them.

    Args:
        parts: at least one; all votes, or all distributions over the same classes.
        items: the ids of all items, part after part.

    Raises:
        VotewiseError: the parts cannot be merged.
    """
    ids = np.array(list(items), dtype=np.dtypes.StringDType())
    if all(isinstance(part, Distributions) for part in parts):
        if len({part.classes for part in parts}) > 1:
            raise VotewiseError(
                "the files have distributions over different classes", remedy="use the same classes in all files"
            )
        classes, scale = _classes(parts)
        counts = [part.votes_per_item for part in parts]
        return Distributions(
            np.concatenate([part.probabilities() for part in parts]),
            votes_per_item=None if any(count is None for count in counts) else np.concatenate(counts),  # type: ignore[arg-type]  # without None
            classes=classes,
            scale=scale,
            items=ids,
        )
    votes = [part for part in parts if isinstance(part, Votes)]
    if len(votes) < len(parts):
        raise VotewiseError(
            "one file has votes and another probabilities", remedy="give either votes or probabilities in all files"
        )
    classes, scale = _classes(votes)
    annotators = _union(part.annotators for part in votes)
    indptr = np.concatenate([[0], np.cumsum(np.concatenate([part.votes_per_item for part in votes]))])
    known = [part.annotator is not None for part in votes]
    return Votes(
        indptr,
        np.concatenate([renamed(part.label.astype(np.int32), part.classes, classes) for part in votes]),
        classes=classes,
        scale=scale,
        items=ids,
        annotator=np.concatenate([_annotator(part, annotators) for part in votes]) if any(known) else None,
        annotators=tuple(annotators),
        weight=np.concatenate([_weight(part) for part in votes]) if any(p.weight is not None for p in votes) else None,
        columns={name: np.concatenate([part.columns[name] for part in votes]) for name in _shared_columns(votes)},
    )


def _classes(parts: Sequence[Votes | Distributions]) -> tuple[tuple[str, ...], Scale]:
    """The classes of all parts and their scale. Ordered classes must have the same position in all parts."""
    if len({part.scale.kind for part in parts}) > 1:
        raise VotewiseError(
            "the classes are ordered in one file and not in another", remedy="give --ordinal or --nominal"
        )
    if parts[0].scale.position is None:
        return tuple(_union(part.classes for part in parts)), parts[0].scale
    pairs = {pair for part in parts for pair in zip(part.scale.position or (), part.classes, strict=True)}
    position, classes = zip(*sorted(pairs), strict=True)
    if len(set(position)) < len(pairs) or len(set(classes)) < len(pairs):
        raise VotewiseError(
            f"the files order their classes differently: {'; '.join(dict.fromkeys(listing(p.classes) for p in parts))}",
            remedy="name all classes in order with classes= (--classes)",
        )
    return classes, Scale("ordinal", position)


def _union(names: Iterable[Sequence[str]]) -> list[str]:
    """The names of all parts: those of the first if all are the same, else sorted."""
    every = list(names)
    return list(every[0]) if len(set(map(tuple, every))) == 1 else in_order({name for some in every for name in some})


def _shared_columns(votes: Sequence[Votes]) -> list[str]:
    """The carried columns that all parts have with the same type."""
    names = [name for name in votes[0].columns if all(name in part.columns for part in votes)]
    return [name for name in names if len({part.columns[name].dtype.kind for part in votes}) == 1]


def _annotator(part: Votes, names: Sequence[str]) -> Codes:
    unknown = np.full(len(part.label), -1, np.int32)
    return unknown if part.annotator is None else renamed(part.annotator.astype(np.int32), part.annotators, names)


def _weight(part: Votes) -> F64:
    return np.ones(len(part.label)) if part.weight is None else part.weight
