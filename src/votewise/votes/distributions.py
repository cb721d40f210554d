"""Where only probabilities are known: one distribution per item instead of its votes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.errors import VotewiseError
from votewise.frozen import frozen
from votewise.votes import drawing, sampling
from votewise.votes.answers import F64, I64, Answers, little, positions_of
from votewise.votes.votes import Votes

TOLERANCE = 1.001e-3  # of row sums: room for half precision and for three decimals (0.333 thrice), none for a wrong row


@dataclass(frozen=True, slots=True, eq=False)
class Distributions(Answers):
    """N items with a probability for each of C classes; it takes the place of `Votes` wherever single votes are not needed.

    classes are named 0 ... C-1 unless given
    probability  [N, C], finite, not negative, rows sum to one within 1e-3; renormalised once, here
    votes        [N] number of votes behind each row where known: it enables the finite-vote corrections

    >>> d = Distributions([[0.2, 0.8], [0.5, 0.5]], classes=("cat", "dog"))
    >>> len(d), d.num_classes, d.majority().tolist(), d.tied().tolist()
    (2, 2, [1, 0], [False, True])
    """

    probability: F64
    _: KW_ONLY
    votes: I64 | None = None

    def __post_init__(self) -> None:
        probability = np.array(self.probability, dtype=np.float64)
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
                f"row {row} is no distribution: {np.array2string(probability[row], threshold=6)} sums to {total[row]:.6g}",
                remedy="probabilities must be 0 or more and sum to one in each row",
            )
        probability /= total[:, None]
        object.__setattr__(self, "probability", frozen(probability))
        if self.votes is not None:
            votes = np.asarray(self.votes, dtype=np.int64)
            if votes.shape != total.shape or (votes < 1).any():
                raise VotewiseError(
                    "the numbers of votes must be one per item and at least 1",
                    remedy="leave votes= out where they are not known",
                )
            object.__setattr__(self, "votes", frozen(votes))
        self._check_identity()

    def __len__(self) -> int:
        return len(self.probability)

    def __repr__(self) -> str:
        return f"Distributions({len(self)} items, {self.num_classes} classes)"

    def mass(self, index: ArrayLike | slice) -> NDArray[Any]:
        return self.probability[index if isinstance(index, slice) else positions_of(index, len(self))]

    def select(self, index: ArrayLike) -> Distributions:
        """The items at `index` (positions [n] or mask [N]), in that order, each with its identity."""
        place = positions_of(index, len(self))
        return Distributions(
            self.probability[place],
            classes=self.classes,
            scale=self.scale,
            row=self.row[place],
            items=None if self.items is None else self.items[place],
            votes=None if self.votes is None else self.votes[place],
        )

    def resample(self, k: int, seed: int) -> Votes:
        """`k` votes per item, independent draws from its distribution: how simulated people would have voted."""
        drawn = sampling.multinomial(drawing.from_distribution, drawing.thresholds(self.probability), self.row, k, seed)
        return Votes(
            np.arange(len(self) + 1) * k,
            drawn.ravel(),
            classes=self.classes,
            scale=self.scale,
            row=self.row,
            items=self.items,
        )

    def _content(self) -> Iterator[bytes | memoryview]:
        yield b"votewise.distributions/1"
        yield little(np.array(self.probability.shape), "<i8")
        yield little(self.probability, "<f8")
        yield b"" if self.votes is None else little(self.votes, "<i8")
