"""The interface that `Votes` and `Distributions` share: N items, the classes, and the answers on each item."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.arrays import F64, I64, Bool, Ids
from votewise.errors import VotewiseError
from votewise.frozen import fresh, frozen, restored
from votewise.hashing import digest
from votewise.votes import drawing, tally
from votewise.votes.ids import match_ids, repeated, string_ids
from votewise.votes.scale import NOMINAL, Scale
from votewise.wording import counted, listing

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from votewise.votes.votes import Votes

Index = ArrayLike | slice  # positions [n], a mask [N] or a slice

_CELLS = 1 << 18  # cells of a dense [n, C] block: large enough to be fast, small enough for the cache


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Answers(ABC):
    """N items and the answers on each, over C classes. Frozen: every operation gives a new object of the same type.

    Two objects are equal if all their fields are. `votes[3]`, `votes["img_2"]`, `votes[["a", "b"]]`, `votes[10:20]` and
    `votes[mask]` select items.

    Attributes:
        classes: C >= 2 unique names.
        scale: nominal, or ordinal with a position for each class.
        row: identity of each item in its source [N]; it survives selection, and every random draw uses it.
        items: unique ids [N], for matching and display only; None if unknown.

    Example:
        >>> from votewise import example_truth, example_votes
        >>> for answers in (example_votes(), example_truth()):
        ...     print(answers[["message-007"]].probabilities().round(2).tolist())
        [[0.0, 1.0, 0.0, 0.0, 0.0]]
        [[0.04, 0.85, 0.0, 0.02, 0.08]]
    """

    classes: tuple[str, ...] = ()
    scale: Scale = NOMINAL
    row: I64 = None  # type: ignore[assignment]  # default: arange(N)
    items: Ids | None = None

    # --- what a subclass defines --------------------------------------------------------------------------------------

    @abstractmethod
    def __len__(self) -> int:
        """N, the number of items."""

    @property
    @abstractmethod
    def votes_per_item(self) -> I64 | None:
        """Number of votes of each item [N]; None if unknown."""

    @abstractmethod
    def mass(self, index: Index | None = None) -> NDArray[Any]:
        """Weight of each class [n, C] for the items at `index`: counts of votes, sums of weights, or probabilities."""

    @abstractmethod
    def select(self, index: Index) -> Self:
        """The items at `index` (positions [n], mask [N] or slice), in that order. Each item keeps its `row`."""

    @abstractmethod
    def voted(self) -> Self:
        """The items that have answers."""

    @abstractmethod
    def to_polars(self) -> pl.DataFrame:
        """The answers as a polars frame."""

    @abstractmethod
    def _drawing(self) -> tuple[drawing.Draw, dict[str, NDArray[Any]]]:
        """How to draw an answer of an item, and the tables that it needs: see `votewise.votes.drawing`."""

    @abstractmethod
    def _with_empty(self, ids: Sequence[str]) -> Self:
        """The items with these ids; unknown ones are empty."""

    @abstractmethod
    def _content(self) -> Iterator[bytes | memoryview]:
        """The data in the fingerprint, in addition to classes, scale and rows."""

    # --- identity -----------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(self))

    def __hash__(self) -> int:
        return hash((type(self), self.classes, self.scale, len(self)))  # cheap, unlike a digest of all votes

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), {field.name: getattr(self, field.name) for field in fields(self)})

    def _identity(self) -> dict[str, Any]:
        """Classes, scale, rows and ids: the arguments that a new object on these items shares."""
        return {"classes": self.classes, "scale": self.scale, "row": self.row, "items": self.items}

    def _with_ids_of(self, whole: Self, index: I64 | slice) -> Self:
        """Set the ids of a selection of `whole`. They are unique because its rows are, so they are not checked."""
        if whole.items is not None:
            object.__setattr__(self, "items", fresh(whole.items[index]))
        return self

    def _check_identity(self) -> None:
        count = len(self)
        object.__setattr__(self, "classes", tuple(str(name) for name in self.classes))
        if len(self.classes) < 2:
            raise VotewiseError(
                f"{counted(len(self.classes), 'class')} given, at least 2 are needed",
                remedy="name all classes with classes= (--classes)",
            )
        if len(set(self.classes)) < len(self.classes):
            raise VotewiseError(
                f"class names repeat: {listing(repeated(self.classes))}", remedy="give each class its own name"
            )
        if self.scale.position is not None and len(self.scale.position) != len(self.classes):
            raise VotewiseError(
                f"the scale has {counted(len(self.scale.position), 'position')} for {counted(len(self.classes), 'class')}",
                remedy="give one position per class",
            )
        row = np.arange(count) if self.row is None else np.asarray(self.row)
        kind, whole = row.dtype, row.dtype.kind in "iu" or not row.size
        row = row.astype(np.int64, copy=False) if whole else row
        if not whole or row.shape != (count,) or (count and row.min() < 0):
            raise VotewiseError(
                f"row has shape {row.shape} and type {kind}, expected {count} integers of at least 0",
                remedy="leave row= out to number the items from 0",
            )
        if self.row is not None and not np.diff(np.sort(row)).all():  # several times faster than np.unique
            raise VotewiseError("two items have the same row", remedy="select each item once, or give unique rows")
        object.__setattr__(self, "row", frozen(row))
        if self.items is not None:
            object.__setattr__(self, "items", frozen(string_ids(self.items, count)))

    # --- items --------------------------------------------------------------------------------------------------------

    __iter__ = None  # iterating over items is slow and never needed; without this, `__getitem__` would allow it

    def __array__(self, *_: Any, **__: Any) -> NDArray[Any]:
        """Refuse conversion to an array: NumPy would create an array of objects."""
        raise VotewiseError(
            f"{type(self).__name__} cannot be converted to an array",
            remedy="use probabilities(), majority() or counts()",
        )

    def __getitem__(self, index: str | int | Index) -> Self:
        """Some of the items, in the order of `index`.

        Args:
            index: an id or a list of ids (text); or a position, positions [n], a mask [N] or a slice.

        Returns:
            An object of the same type, also for a single item.

        Raises:
            VotewiseError: an id or a position does not exist.
        """
        if isinstance(index, slice):
            return self.select(index)
        array = np.asarray(index)
        if array.dtype.kind in "UTO":
            return self.select(self.positions(array.reshape(-1).tolist()))
        if array.ndim == 0 and array.dtype.kind in "iu":
            return self.select([int(array) + len(self) if array < 0 else int(array)])
        return self.select(array)

    @property
    def num_classes(self) -> int:
        """C, the number of classes."""
        return len(self.classes)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the content: equal answers have equal digests, regardless of the order of the file."""
        scale = repr((self.scale.kind, self.scale.position)).encode()
        names = [name.encode() for name in self.classes]
        return digest([*self._content(), len(names).to_bytes(8, "little"), *names, scale, little(self.row, "<i8")])

    def probabilities(self, index: Index | None = None) -> F64:
        """Share of each class [n, C].

        Args:
            index: which items: positions [n], a mask [N] or a slice. Default: all.

        Raises:
            VotewiseError: an item has no votes.
        """
        mass = self._voted(index).astype(np.float64)
        mass /= mass.sum(axis=1, keepdims=True)
        return mass

    def _voted(self, index: Index | None) -> NDArray[Any]:
        """The mass of items; raises if one of them has no votes."""
        mass = self.mass(index)
        if not (voted := mass.any(axis=1)).all():
            raise VotewiseError(
                f"cannot compute the shares of {counted(int((~voted).sum()), 'item')} without votes",
                remedy="leave them out with votes.voted()",
            )
        return mass

    def majority(self, *, ties: tally.Ties = "lowest", seed: int = 0) -> I64:
        """The class with the largest share [N].

        Args:
            ties: 'lowest' picks the first of the tied classes, 'random' draws one from `seed` and the item's row.
            seed: seed of the draw.
        """
        return self._by_block(lambda part: tally.majority(self._voted(part), ties, seed, self.row[part]), np.int64)

    def tied(self) -> Bool:
        """Whether several classes have the largest share [N]."""
        return self._by_block(lambda part: tally.tied(self._voted(part)), np.bool_)

    def entropy(self) -> F64:
        """Entropy of the shares of each item [N], in nats."""
        return self._by_block(lambda part: tally.entropy(self.probabilities(part)), np.float64)

    def align(self, ids: Iterable[object], missing: Literal["error", "empty"] = "error") -> Self:
        """The items with these ids, in this order. Use it to bring votes into the order of a dataset.

        Args:
            ids: ids of items [n].
            missing: what to do with unknown ids: 'error', or 'empty' to add items without votes.

        Raises:
            VotewiseError: an id is unknown, or the items have no ids.

        Example:
            >>> from votewise import Votes
            >>> votes = Votes.from_long(["a", "b", "b"], ["yes", "no", "yes"])
            >>> votes.align(["b", "c", "a"], missing="empty").votes_per_item.tolist()
            [2, 0, 1]
        """
        if missing not in ("error", "empty"):
            raise VotewiseError(f"missing must be 'error' or 'empty', got {missing!r}")
        names = [str(name) for name in ids]
        return self.select(self.positions(names)) if missing == "error" else self._with_empty(names)

    def positions(self, ids: Iterable[object]) -> I64:
        """Position of each id [n] among the items; unknown ids raise an error that names some of them."""
        if self.items is None:
            raise VotewiseError(
                "the items have no ids to match by", remedy="match by position, or read the votes with item ids"
            )
        return match_ids([str(name) for name in ids], self.items.tolist(), thing="vote")

    def resample(self, k: int, seed: int) -> Votes:
        """`k` votes per item, drawn with replacement from its distribution: multinomial(k, p_i), independent for each k.

        Drawn votes have no annotator, weight or carried columns.

        >>> from votewise import Distributions
        >>> Distributions([[0.5, 0.5], [1, 0]]).resample(5, seed=0).votes_per_item.tolist()
        [5, 5]
        """
        from votewise.votes.votes import Votes

        drawn = drawing.multinomial(*self._drawing(), self.row, k, seed)
        return Votes(np.arange(len(self) + 1) * k, drawn.ravel(), **self._identity())

    def name_of(self, position: int) -> str:
        """The name of an item in messages: its id, or its row if there are no ids."""
        return str(self.row[position]) if self.items is None else str(self.items[position])

    def to_pandas(self) -> pd.DataFrame:
        """The frame of `to_polars` as a pandas frame, if pandas is installed."""
        import pandas as pd

        return pd.DataFrame({column.name: column.to_list() for column in self.to_polars()})

    def names(self, *, by_row: bool = False) -> list[str]:
        """The ids of the items [N]; their rows if they have none, or with `by_row`."""
        return [str(name) for name in (self.row if by_row or self.items is None else self.items).tolist()]

    def blocks(self) -> Iterator[slice]:
        """Slices over the items whose dense [n, C] arrays fit in the cache."""
        step = max(1, _CELLS // self.num_classes)
        return (slice(start, min(start + step, len(self))) for start in range(0, len(self), step))

    def _by_block(self, of: Callable[[slice], NDArray[Any]], kind: Any) -> NDArray[Any]:
        out = np.empty(len(self), kind)
        for part in self.blocks():
            out[part] = of(part)
        return out


def require_answers(votes: object) -> None:
    """Raise unless the argument is `Votes` or `Distributions`; a path, for example, is not."""
    if isinstance(votes, str | os.PathLike):
        path = os.fspath(votes)
        raise VotewiseError(f"{path!r} is a path, not votes", remedy=f"read it first: read_votes({path!r})")
    if not isinstance(votes, Answers):
        raise VotewiseError(
            f"votes must be Votes or Distributions, got {type(votes).__name__}",
            remedy="read a file or a frame with read_votes, or make them with Votes.from_counts or Votes.from_long",
        )


def _same(one: Any, other: Any) -> bool:
    """Whether two fields are equal; NaN is equal to NaN."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(one is other or (type(one) is type(other) and one == other))


def little(array: NDArray[Any], kind: str) -> memoryview:
    """The bytes of an array in a fixed type and byte order."""
    return memoryview(np.ascontiguousarray(array, dtype=kind).tobytes())


def positions_of(index: Index, count: int) -> I64:
    """An index (positions, mask or slice) as positions [n] below `count`."""
    if isinstance(index, slice):
        return np.arange(count)[index]
    array = np.asarray(index)
    if array.dtype == np.bool_:
        if array.shape != (count,):
            raise VotewiseError(
                f"a mask of shape {array.shape} does not fit {count} items", remedy="give one value per item"
            )
        return np.flatnonzero(array)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise VotewiseError(
            f"an index of type {array.dtype} and shape {array.shape} is not valid",
            remedy="give a list of positions or a mask",
        )
    array = array.astype(np.int64)
    if array.size and (array.min() < 0 or array.max() >= count):
        raise VotewiseError(
            f"index {int(array.min() if array.min() < 0 else array.max())} is out of range for {counted(count, 'item')}",
            remedy=f"use 0 to {count - 1}",
        )
    return array
