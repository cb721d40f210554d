"""A score: a function of predictions and votes, together with the metadata that tables and reports use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Required, SupportsIndex, TypedDict, TypeVar, Unpack

from votewise.arrays import F64
from votewise.errors import UndefinedError, VotewiseError
from votewise.importing import import_object
from votewise.quantity import Direction, Quantity
from votewise.scoring.columns import Column
from votewise.scoring.item_table import Table
from votewise.scoring.matching import align
from votewise.scoring.probabilities import AnyKind
from votewise.scoring.truth import TrueClasses
from votewise.votes import Answers, tally

INFINITY = float("inf")
K = TypeVar("K", bound=Hashable)


class Facts(TypedDict, total=False):
    """The metadata of a score. By default, `key` is the name of its function and `label` is the key in words."""

    key: str
    label: str
    meaning: Required[str]
    unit: str
    better: Direction | None
    citation: str
    bounds: tuple[float, float]
    binned: bool
    corrected: Callable[[Table], float]
    correction: str
    of_items: Callable[[Table], F64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Score(Quantity):
    """One number computed from predictions and votes. It can be called like a plain function.

    Create one with `Score.mean_of`, for a mean over items, or with `scored`, for any other function.

    Attributes:
        of: computes the number from a table of columns.
        columns: the columns that it and its correction need.
        meaning: its definition in one sentence; p is the share of the votes, q the model's probability.
        bounds: the lowest and the highest possible value.
        binned: whether it depends on the number of bins.
        corrected: the score without the bias of few votes, if a correction is known; `correction` describes it.
        equals: the score or expression of a score that it equals, for example `1 - total_variation`.
        of_items: its value for each item [N], if it is a mean over items.
        variant_of: for a score of a dialect, the key of the score that it is a variant of.

    Example:
        >>> from votewise.scoring import total_variation
        >>> from votewise.votes import Votes
        >>> total_variation([[0.6, 0.4]], Votes.from_counts([[1, 3]]))
        0.35
        >>> total_variation.unit, total_variation.bounds, total_variation.better
        ('probability', (0.0, 1.0), 'lower')
    """

    of: Callable[[Table], float]
    columns: tuple[Column, ...]
    bounds: tuple[float, float] = (-INFINITY, INFINITY)
    binned: bool = False
    corrected: Callable[[Table], float] | None = None
    correction: str | None = None
    equals: str | None = None
    variant_of: str | None = None
    of_items: Callable[[Table], F64] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", str(self))  # shown by `help` for an instance

    @classmethod
    def mean_of(cls, column: Column, *others: Column, **facts: Unpack[Facts]) -> Score:
        """The mean over items of a column.

        Args:
            column: function of a block of n items that returns [n]; see `votewise.scoring.Block`.
            *others: further columns, which the correction needs.
            **facts: key, label, meaning, unit, better, citation, bounds, corrected, correction.

        Example:
            >>> import votewise as vw
            >>> def doubt(b):
            ...     return 1 - b.model.max(axis=0)
            >>> score = vw.Score.mean_of(doubt, meaning="mean over items of 1 - max q", better="lower")
            >>> score([[0.6, 0.4], [0.5, 0.5]], vw.Votes.from_counts([[1, 3], [2, 2]]))
            0.45
        """
        facts.setdefault("key", _name(column))
        facts.setdefault("of_items", partial(_values, column))
        return scored(column, *others, **facts)(partial(_mean, column))

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Pickle by name, as functions are pickled, because a score often replaces its function under the same name."""
        from votewise.scoring.dialects import DIALECTS
        from votewise.scoring.scores import SCORES

        for dialect, scores in ((None, SCORES), *DIALECTS.items()):
            if scores.get(self.key) is self:
                return _known, (self.key, dialect)
        path = f"{getattr(self.of, '__module__', '')}:{getattr(self.of, '__qualname__', '')}"
        try:
            if import_object(path) is self:
                return import_object, (path,)
        except VotewiseError:
            pass
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return f"Score({self.key}: {self.meaning}; {self._numbers})"

    def __str__(self) -> str:
        lines = [f"{self.key}: {self.meaning}", self._numbers, self.citation]
        lines += [f"= {self.equals}"] if self.equals else []
        lines += [f"corrected for few votes: {self.correction}"] if self.correction else []
        return "\n  ".join(filter(None, lines))

    @property
    def _numbers(self) -> str:
        low, high = self.bounds
        span = (
            f"{low:.4g} to {high:.4g}" if high < INFINITY else f"{low:g} or more" if low > -INFINITY else "any number"
        )
        better = "" if self.better is None else f"{self.better} is better"
        return ", ".join(filter(None, (self.unit, span, better)))

    def __call__(
        self,
        probabilities: Any,
        votes: Answers,
        *,
        truth: TrueClasses | None = None,
        kind: AnyKind = "auto",
        bins: int = 15,
        ties: tally.Ties = "lowest",
        seed: int = 0,
    ) -> float:
        """The score of predictions [N, C] for the items that have votes; the arguments are those of `votewise.score`."""
        data = align(probabilities, votes, truth, kind=kind)
        return self.of(data.table(self.columns, bins=bins, ties=ties, seed=seed))


loss_in_nats = partial(Score.mean_of, unit="nats", bounds=(0.0, INFINITY), better="lower")


def scored(*columns: Column, **facts: Unpack[Facts]) -> Callable[[Callable[[Table], float]], Score]:
    """Create a score from a function of a table of columns.

    Args:
        *columns: the columns that the function and its correction use.
        **facts: key, label, meaning, unit, better, citation, bounds, corrected, correction.

    Example:
        >>> import numpy as np
        >>> import votewise as vw
        >>> def doubt(b):
        ...     return 1 - b.model.max(axis=0)
        >>> @vw.scored(doubt, meaning="largest 1 - max q of all items")
        ... def largest_doubt(table):
        ...     return float(table[doubt].max())
        >>> largest_doubt([[0.6, 0.4], [0.5, 0.5]], vw.Votes.from_counts([[1, 3], [2, 2]]))
        0.5
    """

    def make(of: Callable[[Table], float]) -> Score:
        key = facts.get("key") or _name(of)
        named = {"key": key, "label": key.replace("_", " ").capitalize()}
        return Score(of=of, columns=columns, **{**named, **facts})  # type: ignore[arg-type]  # Facts are fields of a Score

    return make


def _name(of: Callable[..., Any]) -> str:
    return getattr(of, "__name__", "score")


def _values(column: Column, table: Table) -> F64:
    return table[column]


def _mean(column: Column, table: Table) -> float:
    return table.mean(table[column])


def _known(key: str, dialect: str | None) -> Score:
    from votewise.scoring.dialects import DIALECTS
    from votewise.scoring.scores import SCORES

    return SCORES[key] if dialect is None else DIALECTS[dialect][key]


def values_of(scores: Mapping[K, Callable[[Table], float]], table: Table) -> tuple[dict[K, float], dict[K, str]]:
    """The value of each defined score, and for each undefined score the reason and a remedy."""
    values, absent = {}, {}
    for key, of in scores.items():
        try:
            values[key] = of(table)
        except UndefinedError as reason:
            absent[key] = str(reason)
    return values, absent
