"""What a model said of N items, as an array or as a file has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.scoring.probabilities import (
    F64,
    I64,
    Kind,
    as_array,
    as_kind,
    as_probabilities,
    by_number,
    kind_of,
    normalised,
)
from votewise.votes import Answers

Told = Literal["said", "names", "numbers"]


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """What a model said of N items.

    values   [N, C] of the given kind, as they came: logarithms are never rounded through their exponentials
    told     how the kind is known: somebody said it, names in the file did, or the numbers themselves
    items    ids of the items as text, None where rows go by position
    by_row   whether `items` are rows of the votes (`votes.row`) and not their ids
    classes  names of the columns, None where they go by position
    where    the file they came from, for errors
    row      [N] number of each row where it came from, and `place`: how errors call it
    unread   name -> values of the columns of a file that are no class; one of them may hold the ids of the items
    """

    values: NDArray[Any]
    kind: Kind
    told: Told = "said"
    items: tuple[str, ...] | None = None
    by_row: bool = False
    classes: tuple[str, ...] | None = None
    where: str | None = None
    row: I64 | None = None
    place: Callable[[int], str] = by_number
    unread: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Predictions({len(self)} items, {self.values.shape[1]} classes, {self.kind})"

    @property
    def probabilities(self) -> F64:
        """Probabilities [N, C]."""
        return as_probabilities(self.values, self.kind, where=self.where)

    def normalised(self, part: slice) -> tuple[F64, F64]:
        """Probabilities and their logarithms [C, n] of some rows."""

        def place(row: int) -> str:
            there = row + (part.start or 0)
            return self.place(there if self.row is None else int(self.row[there]))

        return normalised(self.values[part], self.kind, self.where, place)

    def take(self, index: I64) -> Predictions:
        """The rows at `index` [n]."""
        row = np.arange(len(self)) if self.row is None else self.row
        items = None if self.items is None else tuple(self.items[place] for place in index)
        return replace(self, values=self.values[index], items=items, row=row[index], unread={})


def as_predictions(values: Any, kind: str = "probabilities", where: str | None = None) -> Predictions:
    """An array [N, C] as predictions by position; `Predictions` stay what they are."""
    if isinstance(values, Predictions):
        return values
    if isinstance(values, Answers):
        raise VotewiseError(
            f"{type(values).__name__} are given for the predictions",
            remedy="give predictions first and votes second; of Distributions as predictions give .probability",
        )
    array = as_array(values, where)
    return Predictions(array, *decided(array, said_kind(kind), None, where), where=where)


def said_kind(kind: str) -> Kind | None:
    """The kind that somebody said, None where the predictions have to tell."""
    return None if kind == "auto" else as_kind(kind)


def decided(values: NDArray[Any], said: Kind | None, named: Kind | None, where: object) -> tuple[Kind, Told]:
    """The kind of `values` [N, C], by what was said, else by names in a file, else by the numbers; and which it was."""
    if said is not None:
        return said, "said"
    return (kind_of(values, where), "numbers") if named is None else (named, "names")
