"""Distributions: probabilities of the classes of each item, for data without individual votes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, I64, plain
from votewise.errors import VotewiseError
from votewise.frozen import frozen, restored
from votewise.votes import drawing
from votewise.votes.answers import Answers, Index, little, positions_of
from votewise.wording import counted, listing

if TYPE_CHECKING:
    import polars as pl

ROUNDED_PERCENTAGES = 5  # deviation from 100 of a sum of percentages, which are often rounded to whole numbers
TOLERANCE = (
    1.001e-3  # tolerance of row sums: allows half precision and three decimals (three times 0.333), but not a wrong row
)


@dataclass(frozen=True, slots=True, eq=False)
class Distributions(Answers):
    """N items with a probability for each of C classes. Use them in place of `Votes` for data without individual votes.

    Args:
        probability: [N, C], finite, not negative, rows sum to one within 1e-3; they are renormalised.
        classes: names of the classes. Default: 0 ... C-1.
        votes_per_item: number of votes behind each row [N], if known; needed for the corrections for few votes.
        scale: nominal, or ordinal with a position for each class.
        row: identity of each item in its source [N]. Default: 0 ... N-1.
        items: unique ids [N].

    Raises:
        VotewiseError: a row is not a distribution, or the shapes do not fit.

    Example:
        >>> d = Distributions([[0.2, 0.8], [0.5, 0.5]], classes=("cat", "dog"), items=["a", "b"])
        >>> d, d.majority().tolist(), d.tied().tolist(), d["b"].probabilities().tolist()
        (Distributions(2 items, 2 classes), [1, 0], [False, True], [[0.5, 0.5]])
    """

    probability: F64
    _: KW_ONLY
    votes_per_item: I64 | None = None

    def __post_init__(self) -> None:
        given = plain(self.probability)
        if given.dtype.kind not in "iufb":
            raise VotewiseError(
                f"probabilities must be a numeric array [N, C], got type {given.dtype}",
                remedy="give one row per item, one column per class",
            )
        probability = np.array(given, dtype=np.float64)
        if not self.classes and probability.ndim == 2:
            object.__setattr__(self, "classes", tuple(map(str, range(probability.shape[1]))))
        if probability.ndim != 2 or probability.shape[1] != len(self.classes):
            raise VotewiseError(
                f"probabilities of shape {probability.shape} do not fit {len(self.classes)} classes",
                remedy="give one row per item, one column per class",
            )
        total = probability.sum(axis=1)
        wrong = ~((probability >= 0).all(axis=1) & (np.abs(total - 1) <= TOLERANCE))  # NaN fails both
        if wrong.any():
            row = int(wrong.argmax())
            raise VotewiseError(
                f"row {row} is not a distribution: {np.array2string(probability[row], threshold=6)} sums to {total[row]:.6g}",
                remedy="probabilities must be 0 or more and sum to one in each row",
            )
        probability /= total[:, None]
        object.__setattr__(self, "probability", frozen(probability))
        if self.votes_per_item is not None:
            votes = plain(self.votes_per_item)
            whole = votes.dtype.kind in "iuf" and bool((votes == np.floor(votes)).all())
            if not whole or votes.shape != total.shape or not ((votes >= 1) & (votes <= 2**53)).all():
                raise VotewiseError(
                    f"votes_per_item of shape {votes.shape} must be {len(total)} integers of at least 1",
                    remedy="leave it out if the numbers of votes are unknown",
                )
            object.__setattr__(self, "votes_per_item", frozen(votes.astype(np.int64)))
        self._check_identity()

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        item: str | None = None,
        classes: Sequence[str] | None = None,
        ordinal: bool = False,
    ) -> Distributions:
        """Distributions from a pandas or polars frame with one row per item and one column per class, like the one from `to_polars`.

        Args:
            frame: a `pandas.DataFrame` or `polars.DataFrame` of probabilities, or of counts of votes.
            item: the column with the item ids. Default: the column with a usual name; if there is none, items are matched by position.
            classes: the columns of the classes, in order. Default: the columns of numbers.
            ordinal: whether the classes are ordered.

        Raises:
            VotewiseError: a column is missing, or a row is neither a distribution nor counts.

        Example:
            >>> import polars as pl
            >>> frame = pl.DataFrame({"image": ["a", "b"], "cat": [0.25, 1.0], "dog": [0.75, 0.0]})
            >>> Distributions.from_frame(frame)["a"].probabilities().tolist()
            [[0.25, 0.75]]
        """
        from votewise.votes.readers.wide_table import distributions_in_frame

        return distributions_in_frame(frame, {"item": item, "classes": classes, "ordinal": ordinal})

    def __len__(self) -> int:
        return len(self.probability)

    def __repr__(self) -> str:
        return f"Distributions({counted(len(self), 'item')}, {self.num_classes} classes)"

    def mass(self, index: Index | None = None) -> NDArray[Any]:
        if index is None or isinstance(index, slice):  # a slice is not copied
            return self.probability[slice(None) if index is None else index]
        return self.probability[positions_of(index, len(self))]

    def select(self, index: Index) -> Distributions:
        place = positions_of(index, len(self))
        votes = None if self.votes_per_item is None else self.votes_per_item[place]
        rows = {"probability": self.probability[place], "votes_per_item": votes, "row": self.row[place]}
        # renormalising would change bits
        selected = restored(Distributions, {"classes": self.classes, "scale": self.scale, "items": None, **rows})
        selected._check_identity()
        return selected._with_ids_of(self, place)

    def voted(self) -> Distributions:
        """The items that have a distribution: all of them."""
        return self

    def to_polars(self) -> pl.DataFrame:
        """One row per item: its id, the probability of each class, and the number of votes if known.

        >>> Distributions([[0.2, 0.8]], classes=("cat", "dog"), votes_per_item=[5]).to_polars().rows(named=True)
        [{'item': '0', 'cat': 0.2, 'dog': 0.8, 'votes_per_item': 5}]
        """
        import polars as pl

        if taken := {"item", "votes_per_item"}.intersection(self.classes):
            raise VotewiseError(
                f"a class is named {listing(taken)}, which is also the name of another column",
                remedy="rename the class, or use probabilities()",
            )
        votes = {} if self.votes_per_item is None else {"votes_per_item": self.votes_per_item}
        shares = {name: self.probability[:, code] for code, name in enumerate(self.classes)}
        return pl.DataFrame({"item": pl.Series(self.names(), dtype=pl.String), **shares, **votes})

    def _with_empty(self, ids: Sequence[str]) -> Distributions:
        raise VotewiseError(
            "missing='empty' needs Votes: an item cannot have an empty distribution", remedy="use missing='error'"
        )

    def _drawing(self) -> tuple[drawing.Draw, dict[str, NDArray[Any]]]:
        return drawing.from_distribution, drawing.thresholds(self.probability)

    def _content(self) -> Iterator[bytes | memoryview]:
        yield b"votewise.distributions/1"
        yield little(np.array(self.probability.shape), "<i8")
        yield little(self.probability, "<f8")
        yield b"" if self.votes_per_item is None else little(self.votes_per_item, "<i8")
