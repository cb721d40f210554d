"""A score is a function that carries its own facts, so that tables and reports need no second list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex

from numpy.typing import ArrayLike

from votewise.errors import UndefinedError
from votewise.scoring.matching import match, with_votes
from votewise.scoring.predictions import as_predictions
from votewise.scoring.table import Table, tabulate
from votewise.scoring.truth import true_classes
from votewise.votes import Answers

Better = Literal["lower", "higher"]
INFINITY = float("inf")


@dataclass(frozen=True, eq=False, repr=False)
class Score:
    """One number out of predictions and votes: called with both, it is a plain function.

    of          the number, out of a table of columns
    columns     the columns that it and its correction need
    definition  one sentence; p is the share of the votes, q the model's probability
    better      "lower" or "higher"; None where neither is
    corrected   the same without the bias of few votes, where there is such a thing; `correction` says how
    equals      the score that it is another name of, or an expression of: "1 - total_variation"
    variant_of  the score that a dialect's own is a variant of

    >>> from votewise.scoring import total_variation
    >>> from votewise.votes import Votes
    >>> total_variation([[0.6, 0.4]], Votes.from_counts([[1, 3]]))
    0.35
    >>> total_variation.unit, total_variation.bounds, total_variation.better
    ('probability', (0.0, 1.0), 'lower')
    """

    name: str
    of: Callable[[Table], float]
    columns: tuple[str, ...]
    definition: str
    unit: str
    bounds: tuple[float, float]
    better: Better | None
    citation: str
    corrected: Callable[[Table], float] | None = None
    correction: str | None = None
    equals: str | None = None
    variant_of: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", str(self))  # what `help` shows of an instance

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """By name, as functions are pickled: what a score computes with may be a function inside another one."""
        from votewise.scoring.dialects import DIALECTS
        from votewise.scoring.registry import SCORES

        for dialect, scores in ((None, SCORES), *DIALECTS.items()):
            if scores.get(self.name) is self:
                return _known, (self.name, dialect)
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return f"Score({self.name}: {self.definition}; {self._numbers})"

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.definition}", self._numbers, self.citation]
        lines += [f"= {self.equals}"] if self.equals else []
        return "\n  ".join([*lines, *([f"corrected for few votes: {self.correction}"] if self.correction else [])])

    @property
    def _numbers(self) -> str:
        low, high = self.bounds
        span = (
            f"{low:.4g} to {high:.4g}" if high < INFINITY else f"{low:g} or more" if low > -INFINITY else "any number"
        )
        return f"{self.unit}, {span}" + ("" if self.better is None else f", {self.better} is better")

    def __call__(
        self,
        probabilities: Any,
        votes: Answers,
        *,
        truth: ArrayLike | None = None,
        kind: str = "probabilities",
        **options: Any,
    ) -> float:
        """The score of predictions [N, C] for the items that have votes; further options are those of `tabulate`."""
        found = match(as_predictions(probabilities, kind), votes)
        predictions, answers, true = with_votes(found, votes, true_classes(truth, votes))
        return self.of(tabulate(predictions, answers, self.columns, truth=true, **options))

    @property
    def arrow(self) -> str:
        """The direction that is better."""
        return {"lower": "↓", "higher": "↑", None: " "}[self.better]

    def facts(self) -> dict[str, Any]:
        """All but the functions, for JSON; an infinite bound is None."""
        low, high = (bound if abs(bound) < INFINITY else None for bound in self.bounds)
        return {
            "definition": self.definition,
            "unit": self.unit,
            "bounds": [low, high],
            "better": self.better,
            "citation": self.citation,
            "correction": self.correction,
            "equals": self.equals,
        }


def _known(name: str, dialect: str | None) -> Score:
    from votewise.scoring.dialects import DIALECTS
    from votewise.scoring.registry import SCORES

    return SCORES[name] if dialect is None else DIALECTS[dialect][name]


def scored(
    definition: str,
    *,
    columns: str,
    unit: str,
    bounds: tuple[float, float],
    better: Better | None,
    cite: str,
    name: str = "",
    corrected: Callable[[Table], float] | None = None,
    correction: str | None = None,
    equals: str | None = None,
) -> Callable[[Callable[[Table], float]], Score]:
    """Make a score of a function of a table; `columns` are separated by blanks."""

    def make(of: Callable[[Table], float]) -> Score:
        return Score(
            name=name or of.__name__,
            of=of,
            columns=tuple(columns.split()),
            definition=definition,
            unit=unit,
            bounds=bounds,
            better=better,
            citation=cite,
            corrected=corrected,
            correction=correction,
            equals=equals,
        )

    return make


def values_of(scores: Mapping[str, Callable[[Table], float]], table: Table) -> tuple[dict[str, float], dict[str, str]]:
    """The value of each score, and of each that has none the reason and what to do."""
    values, absent = {}, {}
    for name, of in scores.items():
        try:
            values[name] = of(table)
        except UndefinedError as reason:
            absent[name] = str(reason)
    return values, absent
