"""Predictions of a model, from an array or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, I64
from votewise.errors import VotewiseError
from votewise.scoring.probabilities import AnyKind, Kind, as_array, as_kind, by_number, kind_of, normalised
from votewise.votes import Answers, in_order
from votewise.wording import listing

KindFrom = Literal["argument", "names", "values"]


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """Predictions of a model for N items. Create them with `read_predictions`, or give an array to `score`.

    Attributes:
        values: [N, C], not converted to probabilities, so that logarithms keep their precision.
        kind: type of the values.
        kind_from: how the kind was determined: by an argument, by names in the file, or by the values.
        items: ids of the items as text, None if rows are matched by position.
        by_row: whether `items` are rows of the votes (`votes.row`) and not their ids.
        classes: names of the columns, None if they are matched by position.
        where: the file of the predictions, for errors.
        row: [N] number of each row in the file; `place` turns it into a name for errors.
        unread: name -> values, for columns or arrays of a file that are not predictions; one of them may contain the item ids,
            and an array [C] the classes.

    Example:
        >>> Predictions(np.array([[0.0, 0.0]]), "logits", items=("a",)).probabilities.tolist()
        [[0.5, 0.5]]
    """

    values: NDArray[Any]
    kind: Kind
    kind_from: KindFrom = "argument"
    items: tuple[str, ...] | None = None
    by_row: bool = False
    classes: tuple[str, ...] | None = None
    where: str | None = None
    row: I64 | None = None
    place: Callable[[int], str] = by_number
    unread: Mapping[str, Any] = field(default_factory=dict)
    by_name: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Predictions({len(self)} items, {self.values.shape[1]} classes, {self.kind})"

    @property
    def probabilities(self) -> F64:
        """Probabilities [N, C]."""
        return np.ascontiguousarray(self.normalised(slice(None))[0].T)

    def normalised(self, part: slice) -> tuple[F64, F64]:
        """Probabilities and their logarithms [C, n] of some rows."""

        def place(row: int) -> str:
            position = row + (part.start or 0)
            return self.place(position if self.row is None else int(self.row[position]))

        return normalised(self.values[part], self.kind, self.where, place)

    def take(self, index: I64) -> Predictions:
        """The rows at `index` [n]."""
        row = np.arange(len(self)) if self.row is None else self.row
        items = None if self.items is None else tuple(self.items[place] for place in index)
        return replace(self, values=self.values[index], items=items, row=row[index], unread={})


def as_predictions(values: Any, kind: AnyKind = "auto", where: str | None = None) -> Predictions:
    """An array [N, C] as predictions by position; `Predictions` are returned unchanged."""
    if isinstance(values, Predictions):
        return values
    if isinstance(values, Answers):
        raise VotewiseError(
            f"predictions must be an array or Predictions, got {type(values).__name__}",
            remedy="give predictions first and votes second; to score Distributions as predictions, give their .probability",
        )
    array = as_array(values, where)
    return Predictions(array, *decided(array, kind, None, where), where=where)


def decided(values: NDArray[Any], kind: AnyKind, by_names: Kind | None, where: object) -> tuple[Kind, KindFrom]:
    """The kind of `values` [N, C], and how it was determined: given, implied by names in the file, or by the values."""
    if kind != "auto":
        return as_kind(kind), "argument"
    return (kind_of(values, where), "values") if by_names is None else (by_names, "names")


def position_note(what: str, answers: Answers) -> str:
    """A note on data without ids that is matched with items that have ids."""
    first = [answers.name_of(place) for place in range(min(3, len(answers)))]
    more = " …" if len(answers) > len(first) else ""
    names = [] if answers.items is None else answers.items.tolist()
    by_id = " (sorted by id)" if len(names) > 1 and names == in_order(names) else ""
    return f"{what} have no item ids: matched in the order of votes.items{by_id}, {listing(first)}{more}"
