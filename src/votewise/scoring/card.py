"""The scores of one model on one set of votes, with what is needed to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from votewise import terminal
from votewise.errors import UndefinedError, VotewiseError
from votewise.scoring.bootstrap import Interval
from votewise.scoring.declaration import Score
from votewise.scoring.dialects import DIALECTS
from votewise.wording import counted, listing


@dataclass(frozen=True, repr=False)
class Scorecard:
    """Scores by key. `str(card)` is a table to read, `card.as_dict()` is ready for JSON.

    Attributes:
        scores: key -> value, for every score that is defined on this data.
        corrected: key -> value without the bias of few votes, if an estimate is known; `entropy_floor` too.
        absent: key -> why it is not defined on this data, and what to do.
        floor: mean entropy of the votes, the lower bound of soft NLL.
        items: number of items that were scored.
        skipped: number of items without votes.
        ties: number of items without a single majority.
        uncorrected: number of items with one vote, which the corrected scores leave out.
        dialect: name in a community -> value by its conventions.
        ceiling: key -> what half of the votes reaches against the other half, if asked for.
        intervals: key -> (low, high), if asked for; `corrected_intervals` likewise.
        settings: what the numbers depend on.
        matching: how predictions and true classes were read and matched with the votes, line by line.
        notes: what else to know.
        definitions: the scores themselves.

    Example:
        >>> import votewise as vw
        >>> card = vw.score([[0.7, 0.3], [0.2, 0.8]], vw.Votes.from_counts([[4, 1], [1, 4]]), scores=["accuracy", "kl"])
        >>> card["accuracy"], sorted(card.as_dict()["scores"])
        (1.0, ['accuracy', 'kl'])
    """

    scores: Mapping[str, float]
    corrected: Mapping[str, float]
    absent: Mapping[str, str]
    floor: float
    items: int
    skipped: int
    ties: int
    uncorrected: int
    dialect: Mapping[str, float] = field(default_factory=dict)
    ceiling: Mapping[str, float] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    corrected_intervals: Mapping[str, Interval] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    matching: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    definitions: tuple[Score, ...] = ()

    def __getitem__(self, name: str) -> float:
        if name in self.scores:
            return self.scores[name]
        if name in self.absent:
            raise UndefinedError(f"{name} is not defined on this data: {self.absent[name]}")
        raise VotewiseError(f"unknown score {name!r}", remedy=f"this card has {listing(self.scores, 40)}")

    def as_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers for JSON; a number that is not finite is None."""
        conventions = DIALECTS.get(str(self.settings.get("dialect")), {})
        return {
            "scores": _finite(self.scores),
            "corrected": _finite(self.corrected),
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
            "corrected_intervals": {name: list(ends) for name, ends in self.corrected_intervals.items()},
            "absent": dict(self.absent),
            "entropy_floor": self.floor,
            "annotator_ceiling": _finite(self.ceiling),
            "dialect": {
                "name": self.settings.get("dialect"),
                "scores": _finite(self.dialect),
                "definitions": {name: conventions[name].meaning for name in self.dialect},
            },
            "items": self.items,
            "skipped": self.skipped,
            "ties": self.ties,
            "uncorrected": self.uncorrected,
            "settings": dict(self.settings),
            "matching": list(self.matching),
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        few = [f", {name} {value:.4f}" for name, value in self.scores.items()][:4]
        return f"Scorecard({counted(self.items, 'item')}{''.join(few)}{', …' if len(self.scores) > len(few) else ''})"

    def __str__(self) -> str:
        """The dialect's numbers, then every score with its direction, interval, ceiling and unit."""
        return terminal.text(self)

    def __rich__(self) -> terminal.Page:
        """The same in colour, as wide as the console."""
        from votewise.scoring.render import page

        return page(self)


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
