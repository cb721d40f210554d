"""The scores of one model on one set of votes, with what one has to know to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from votewise.errors import UndefinedError, VotewiseError
from votewise.scoring.bootstrap import Interval
from votewise.scoring.dialects import DIALECTS
from votewise.wording import counted, listing


@dataclass(frozen=True, repr=False)
class Scorecard:
    """Scores by name. `str(card)` is a table for people, `card.as_dict()` the same for machines.

    scores       name -> value, for every score that this data can give
    corrected    name -> value without the bias of few votes, where there is such a thing; `entropy_floor` too
    absent       name -> why it has no value here, and what to do
    floor        mean entropy of the votes: the least soft NLL that any model can reach on them
    ceiling      name -> what half of the votes reaches against the other half, where asked for
    intervals    name -> (low, high), where asked for; `corrected_intervals` likewise
    dialect      name in a community -> value by its conventions
    items        how many were scored; `skipped`: how many nobody voted on; `ties`: how many have no single majority;
                 `uncorrected`: how many have one vote, which the corrected scores leave out
    settings     what the numbers depend on
    matching     how predictions and true classes were read and brought together with the votes, line by line
    notes        what else a reader should know
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

    def __getitem__(self, name: str) -> float:
        if name in self.scores:
            return self.scores[name]
        if name in self.absent:
            raise UndefinedError(f"{name} has no value here: {self.absent[name]}")
        raise VotewiseError(f"there is no score {name!r} on this card", remedy=f"it has {listing(self.scores, 40)}")

    def as_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it: a number that is not finite is None."""
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
                "definitions": {name: conventions[name].definition for name in self.dialect},
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
        """The page: the dialect's numbers, then every score with its direction, interval, ceiling and unit."""
        from votewise.scoring.page import plain

        return plain(self)


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
