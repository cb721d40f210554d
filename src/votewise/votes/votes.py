"""Votes as they were cast: a frozen CSR layout in canonical order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise import counter
from votewise.arrays import F64, I64, Ints, plain
from votewise.errors import VotewiseError
from votewise.frozen import FrozenMapping, fresh, frozen
from votewise.limits import MOST_OF_A_CELL, require_votes
from votewise.read_options import TableOptions
from votewise.votes import drawing
from votewise.votes.answers import Answers, Index, little, positions_of
from votewise.votes.frame_columns import is_frame
from votewise.votes.scale import NOMINAL, Scale
from votewise.wording import counted, listing

if TYPE_CHECKING:
    import polars as pl

    from votewise.votes.distributions import Distributions

CHECK_COUNTS = "check the counts, or give probabilities"


@dataclass(frozen=True, slots=True, eq=False)
class Votes(Answers):
    """V votes on N items over C classes. The votes of item i are label[indptr[i] : indptr[i + 1]].

    Make them with `read_votes`, `Votes.from_frame`, `Votes.from_long` or `Votes.from_counts`.

    Attributes:
        indptr: [N + 1] from 0 to V, non-decreasing; items without votes are allowed.
        label: class of each vote [V], sorted within an item by (label, annotator), regardless of the order of the file.
        annotator: code of the annotator of each vote [V] into `annotators`, -1 if unknown; None if the format has none.
        annotators: names, sorted.
        weight: of each vote [V], above 0; None means 1. The only optional column that affects results.
        columns: name -> further values of each vote [V], for example its time. They are carried along and do not affect results.
        classes, scale, row, items: see `Answers`.

    Example:
        >>> votes = Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"))
        >>> votes
        Votes(6 votes on 2 items, 2 classes)
        >>> votes.probabilities().tolist()
        [[0.75, 0.25], [0.0, 1.0]]
        >>> votes[1].counts().tolist()
        [[0, 2]]
    """

    indptr: I64
    label: Ints
    _: KW_ONLY
    annotator: Ints | None = None
    annotators: tuple[str, ...] = ()
    weight: F64 | None = None
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    # --- construction -------------------------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        indptr, label = np.asarray(self.indptr, dtype=np.int64), np.asarray(self.label)
        if indptr.ndim != 1 or [*indptr[:1], *indptr[-1:]] != [0, len(label)] or (np.diff(indptr) < 0).any():
            raise VotewiseError(
                f"indptr must rise from 0 to the number of votes ({len(label)})",
                remedy="use Votes.from_long or Votes.from_counts",
            )
        if label.size and (
            label.dtype.kind not in "iu" or int(label.min()) < 0 or int(label.max()) >= len(self.classes)
        ):
            raise VotewiseError(
                f"labels are not integers from 0 to {len(self.classes) - 1}",
                remedy="use Votes.from_long for labels that are names",
            )
        _set(self, "indptr", frozen(indptr))
        _set(self, "label", label.astype(np.min_scalar_type(max(len(self.classes) - 1, 1)), copy=False))
        self._check_identity()
        _check_lengths(len(label), {"annotator": self.annotator, "weight": self.weight, **self.columns})
        if self.annotator is not None:
            annotator = np.asarray(self.annotator, dtype=np.int32)
            if annotator.size and (annotator.min() < -1 or annotator.max() >= len(self.annotators)):
                raise VotewiseError(
                    "annotator has a code without a name in annotators", remedy="give annotators= one name per code"
                )
            if len(set(self.annotators)) < len(self.annotators):
                raise VotewiseError("two annotators have the same name", remedy="give each annotator a separate name")
            _set(self, "annotator", annotator)
        if self.weight is not None:
            weight = np.asarray(self.weight, dtype=np.float64)
            if not ((weight > 0) & np.isfinite(weight)).all():
                raise VotewiseError("weights must be above zero and finite", remedy="drop votes that should not count")
            with np.errstate(over="ignore"):
                if not np.isfinite(weight.sum()):
                    raise VotewiseError(
                        "the weights are too large to be summed", remedy="divide all of them by the same number"
                    )
            _set(self, "weight", weight)
        self._sort()

    def _sort(self) -> None:
        """Sort the votes of each item by (label, annotator, weight), if they are not sorted."""
        keys = [key for key in (self.label, self.annotator, self.weight) if key is not None]
        falls, equal = np.zeros(max(len(self.label) - 1, 0), np.bool_), True
        for key in keys:
            falls |= equal & (key[:-1] > key[1:])
            equal = equal & (key[:-1] == key[1:])
        starts = self.indptr[1:-1]  # the first vote of an item follows no other
        falls[starts[(starts > 0) & (starts < len(self.label))] - 1] = False
        order: slice | I64 = slice(None)
        if falls.any():
            order = np.lexsort([*reversed(keys), np.repeat(np.arange(len(self)), self.votes_per_item)])
        for name in ("label", "annotator", "weight"):
            if (column := getattr(self, name)) is not None:
                _set(self, name, _in_order(column, order))
        columns = {name: _in_order(np.asarray(column), order) for name, column in self.columns.items()}
        _set(self, "columns", FrozenMapping(columns))

    @classmethod
    def from_counts(
        cls, counts: ArrayLike | Any, classes: Sequence[str] | None = None, *, scale: Scale = NOMINAL, items: Any = None
    ) -> Votes:
        """Votes from a table of counts.

        Args:
            counts: [N, C], whole numbers of 0 or more; or a pandas or polars frame, for example `pandas.crosstab`, whose columns
                are classes and whose index, or column of ids, names the items.
            classes: names of the classes. Default: 0 ... C-1, or the columns of the frame. The columns of a frame are chosen by name.
            scale: nominal, or `Scale.ordinal(classes)`.
            items: unique ids [N].

        Raises:
            VotewiseError: a count is negative or not a whole number.

        Example:
            >>> Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"), items=["a", "b"])["b"].counts().tolist()
            [[0, 2]]
        """
        if is_frame(counts):
            from votewise.votes.readers.wide_table import counts_in_frame

            found = counts_in_frame(counts, classes)
            counts, classes, items = found.mass(), found.classes, found.items if items is None else items
        table = plain(counts)
        if table.ndim != 2 or table.dtype.kind not in "iubf":
            raise VotewiseError(
                f"counts have shape {table.shape} and type {table.dtype}",
                remedy="give whole numbers, one row per item and one column per class",
            )
        wrong = table < 0
        if table.dtype.kind == "f":
            wrong |= ~np.isfinite(table) | (table != np.floor(table))
        if wrong.any():
            i, k = np.argwhere(wrong)[0]
            raise VotewiseError(
                f"count {table[i, k]} in row {i}, column {k} is not a whole number of 0 or more",
                remedy="give 0 if no annotator chose the class, for example unstack(fill_value=0)"
                if np.isnan(table[i, k])
                else "use Distributions for probabilities",
            )
        if (large := table > np.float64(MOST_OF_A_CELL)).any():
            i, k = np.argwhere(large)[0]
            raise VotewiseError(
                f"count {table[i, k]} in row {i}, column {k} is more than {MOST_OF_A_CELL:,} votes of one item for one class",
                remedy=CHECK_COUNTS,
            )
        require_votes(table.sum(dtype=np.float64), remedy=CHECK_COUNTS)
        table = table.astype(np.int64)
        names = tuple(map(str, range(table.shape[1]))) if classes is None else tuple(classes)
        if len(names) != table.shape[1]:
            given = f"{counted(len(names), 'class name')} for {counted(table.shape[1], 'column')}"
            raise VotewiseError(given, remedy="name each column")
        label = np.repeat(
            np.tile(np.arange(len(names), dtype=np.min_scalar_type(max(len(names) - 1, 1))), len(table)), table.ravel()
        )
        indptr = np.concatenate(([0], np.cumsum(table.sum(axis=1, dtype=np.int64))))
        return cls(indptr, fresh(label), classes=names, scale=scale, items=items)

    @classmethod
    def from_long(
        cls,
        item: Sequence[object] | NDArray[Any],
        label: Sequence[object] | NDArray[Any],
        annotator: Sequence[object] | NDArray[Any] | None = None,
        *,
        classes: Sequence[object] | None = None,
        scale: Scale = NOMINAL,
        weight: ArrayLike | None = None,
        columns: Mapping[str, NDArray[Any]] | None = None,
    ) -> Votes:
        """Votes from one row per vote.

        Items and classes are sorted: by value if all are numbers, by the number in them if all are the same text around a
        whole number (img_2 before img_10), otherwise by name.

        Args:
            item: item of each vote [V], as names or numbers.
            label: its label [V].
            annotator: its annotator [V], None if unknown.
            classes: names of all classes in order. Default: the labels that occur, sorted.
            scale: nominal, or `Scale.ordinal(classes)`.
            weight: of each vote [V], above 0.
            columns: name -> further values of each vote [V].

        Raises:
            VotewiseError: the lengths differ, or a label is not one of the classes.

        Example:
            >>> Votes.from_long(["b", "a", "b"], ["yes", "no", "no"], ["ann", "ann", "bob"]).items.tolist()
            ['a', 'b']
        """
        from votewise.votes.coding import codes, codes_for

        item_code, items = codes(item)
        label_code, names = codes(label) if classes is None else codes_for(label, [str(name) for name in classes])
        annotator_code, annotators = (None, []) if annotator is None else codes(annotator, missing=True)
        return cls.from_codes(
            item_code,
            label_code,
            annotator_code,
            items=items,
            classes=names,
            annotators=annotators,
            scale=scale,
            weight=weight,
            columns=columns,
        )

    @classmethod
    def from_frame(cls, frame: Any, **options: Unpack[TableOptions]) -> Votes:
        """Votes from a pandas or polars frame with one row per vote.

        Missing values (NaN, None, NA) are treated as in a file: a row without a label is dropped, with a `DroppedVotes`
        warning. Categorical columns are read by their values.

        Args:
            frame: a `pandas.DataFrame` or `polars.DataFrame`.
            **options: names of the columns (default: found by their usual names), the classes, and what to do with second
                votes; see `TableOptions`.

        Raises:
            VotewiseError: a column is missing or holds invalid values.

        Example:
            >>> import polars as pl
            >>> frame = pl.DataFrame({"image": ["a", "a", "b"], "who": ["ann", "bob", "ann"], "rating": [1, 3, 2]})
            >>> Votes.from_frame(frame, annotator="who", ordinal=True)
            Votes(3 votes on 2 items, 3 classes, 2 annotators)
        """
        from votewise.votes.readers.shared.long_rows import votes_in_frame

        return votes_in_frame(frame, options)

    @classmethod
    def from_codes(
        cls,
        item: Ints,
        label: Ints,
        annotator: Ints | None = None,
        *,
        items: Sequence[str],
        classes: Sequence[str],
        annotators: Sequence[str] = (),
        scale: Scale = NOMINAL,
        weight: ArrayLike | None = None,
        columns: Mapping[str, NDArray[Any]] | None = None,
    ) -> Votes:
        """Votes from one row per vote, in any order: codes [V] into items, classes and annotators (-1: unknown)."""
        from votewise.votes.coding import row_order, sorted_rows

        _check_lengths(len(item), {"label": label, "annotator": annotator, "weight": weight, **(columns or {})})
        rows, sizes = [item, label], [len(items), len(classes)]
        unknown = 0
        if annotator is not None:
            unknown = int(annotator.min(initial=0) < 0)  # -1 is packed as 0, other codes as 1 and above
            rows, sizes = [*rows, annotator + unknown if unknown else annotator], [*sizes, len(annotators) + unknown]
        order: slice | I64 = slice(None)
        if weight is None and not columns:
            rows = sorted_rows(rows, sizes)
        else:
            order = row_order(rows, sizes)
            rows = [column[order] for column in rows]
        return cls(
            np.searchsorted(rows[0], np.arange(len(items) + 1, dtype=rows[0].dtype)),
            rows[1],
            classes=tuple(classes),
            scale=scale,
            items=items,  # type: ignore[arg-type]  # a list of ids becomes an array there
            annotator=None if annotator is None else np.subtract(rows[2], unknown, dtype=np.int32),
            annotators=tuple(annotators),
            weight=None if weight is None else np.asarray(weight)[order],
            columns={name: np.asarray(column)[order] for name, column in (columns or {}).items()},
        )

    # --- shape and derived numbers ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        who = f", {counted(len(self.annotators), 'annotator')}" if self.annotators else ""
        return f"Votes({counted(len(self.label), 'vote')} on {counted(len(self), 'item')}, {self.num_classes} classes{who})"

    @property
    def weighted(self) -> bool:
        """Whether votes have different weights."""
        return self.weight is not None and len(self.weight) > 0 and bool(np.ptp(self.weight) > 0)

    @property
    def votes_per_item(self) -> I64:
        """Number of votes of each item [N]."""
        return np.diff(self.indptr)

    def counts(self, index: Index | None = None) -> I64:
        """Number of votes for each class [n, C] of the items at `index` (default: all), regardless of weights."""
        return self._tally(index, None)

    def mass(self, index: Index | None = None) -> NDArray[Any]:
        """Counts [n, C], or sums of weights if votes have weights."""
        return self._tally(index, self.weight)

    def _tally(self, index: Index | None, weight: F64 | None) -> NDArray[Any]:
        c, index = self.num_classes, slice(None) if index is None else index
        if isinstance(index, slice) and index.step in (None, 1):
            start, stop, _ = index.indices(len(self))
            size = np.diff(self.indptr[start : stop + 1])
            votes: slice | I64 = slice(self.indptr[start], self.indptr[max(start, stop)])
        else:
            place = positions_of(index, len(self))
            size = self.indptr[place + 1] - self.indptr[place]
            votes = drawing.spans(self.indptr[place], size)
        cell = np.repeat(np.arange(len(size)) * c, size) + self.label[votes]
        return np.bincount(cell, None if weight is None else weight[votes], minlength=len(size) * c).reshape(
            len(size), c
        )

    # --- operations ---------------------------------------------------------------------------------------------------

    def select(self, index: Index) -> Votes:
        place = positions_of(index, len(self))
        size = self.votes_per_item[place]
        return self.pick(drawing.spans(self.indptr[place], size), size, place)

    def pick(self, votes: I64, size: I64, items: I64 | slice = slice(None)) -> Votes:
        """A selection of the votes, with their annotators, weights and columns.

        Args:
            votes: positions of votes [V'], item after item.
            size: number of these votes on each item [n].
            items: positions of the items [n]. Default: all of them, in their order.
        """
        picked = replace(
            self,
            indptr=np.concatenate(([0], np.cumsum(size))),
            label=fresh(self.label[votes]),
            row=self.row[items],
            items=None,
            annotator=None if self.annotator is None else fresh(self.annotator[votes]),
            weight=None if self.weight is None else fresh(self.weight[votes]),
            columns={name: fresh(column[votes]) for name, column in self.columns.items()},
        )
        return picked._with_ids_of(self, items)

    def _with_empty(self, ids: Sequence[str]) -> Votes:
        known = set() if self.items is None else set(self.items.tolist())
        here = np.array([name in known for name in ids], dtype=np.bool_)
        voted = self.select(self.positions(name for name in ids if name in known))
        size, row = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
        size[here], row[here] = voted.votes_per_item, voted.row
        row[~here] = self.row.max(initial=-1) + 1 + np.arange((~here).sum())
        return replace(
            voted,
            indptr=np.concatenate(([0], np.cumsum(size))),
            row=row,
            items=np.array(ids, dtype=np.dtypes.StringDType()),
        )

    def voted(self) -> Votes:
        """The items that have votes."""
        return self.select(self.votes_per_item > 0)

    def shuffled(self, seed: int) -> Ints:
        """The labels [V], shuffled within each item by `seed` and the item's row."""
        return drawing.shuffle(self.label, self.indptr, self.row, counter.key("shuffle", seed))

    def subsample(self, k: int, seed: int) -> Votes:
        """At most `k` votes of each item, without replacement and nested: the votes for k = 5 are among those for k = 10.

        >>> Votes.from_counts([[3, 2], [1, 0]]).subsample(4, seed=0).votes_per_item.tolist()
        [4, 1]
        """
        return self.pick(*drawing.first_votes(self.indptr, self.row, k, seed))

    def distributions(self) -> Distributions:
        """The (weighted) vote shares of each item, without the individual votes."""
        from votewise.votes.distributions import Distributions

        votes = None if self.weight is not None else self.votes_per_item
        return Distributions(self.probabilities(), votes_per_item=votes, **self._identity())

    def to_polars(self) -> pl.DataFrame:
        """One row per vote: item, annotator (if known), label as class name, weight (if any) and the carried columns.

        >>> Votes.from_long(["a", "a"], ["yes", "no"], ["ann", "bob"]).to_polars().rows(named=True)
        [{'item': 'a', 'annotator': 'bob', 'label': 'no'}, {'item': 'a', 'annotator': 'ann', 'label': 'yes'}]
        """
        import polars as pl

        item = np.repeat(np.arange(len(self)), self.votes_per_item)
        frame: dict[str, Any] = {"item": pl.Series(self.names(), dtype=pl.String).gather(item)}
        if self.annotator is not None:
            names = pl.Series([*self.annotators, None], dtype=pl.String)  # -1, unknown, is the last
            frame["annotator"] = names.gather(self.annotator % len(names))
        frame["label"] = pl.Series(self.classes, dtype=pl.String).gather(self.label)
        if self.weight is not None:
            frame["weight"] = self.weight
        if taken := [name for name in self.columns if name in ("item", "row", "annotator", "label", "weight")]:
            raise VotewiseError(f"a carried column is called {listing(taken)}", remedy="give it another name")
        carried = {name: c.tolist() if c.dtype.kind in "OT" else c for name, c in self.columns.items()}
        return pl.DataFrame({**frame, **carried})

    def _drawing(self) -> tuple[drawing.Draw, dict[str, NDArray[Any]]]:
        return self.distributions()._drawing() if self.weight is not None else (drawing.from_votes, self.tables())

    def tables(self) -> dict[str, NDArray[Any]]:
        """The tables for drawing a vote: `start` and `size` [N], `label` [V]."""
        if not (size := self.votes_per_item).all():
            raise VotewiseError(
                f"cannot draw labels for {counted(int((size == 0).sum()), 'item')} without votes",
                remedy="leave them out with votes.voted()",
            )
        return {"start": self.indptr[:-1], "size": size, "label": self.label}

    def _content(self) -> Iterator[bytes | memoryview]:
        yield b"votewise.votes/1"
        yield little(np.array([len(self), len(self.label)]), "<i8")
        yield little(self.indptr, "<i8")
        yield little(self.label, "<u4")
        yield b"" if self.annotator is None else little(self.annotator, "<i4")
        yield b"" if self.weight is None else little(self.weight, "<f8")


def _in_order(column: NDArray[Any], order: slice | I64) -> NDArray[Any]:
    return frozen(column) if isinstance(order, slice) else fresh(column[order])


def _check_lengths(count: int, columns: Mapping[str, Any]) -> None:
    for name, column in columns.items():
        if column is not None and np.shape(column) != (count,):
            raise VotewiseError(
                f"{name} has shape {np.shape(column)} for {count} votes", remedy="give one value per vote"
            )


def _set(votes: Votes, name: str, value: object) -> None:
    object.__setattr__(votes, name, value)
