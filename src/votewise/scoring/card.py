"""The scores of one model on one set of votes, with what one has to know to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from votewise.errors import VotewiseError, listing
from votewise.scoring.bootstrap import Interval
from votewise.scoring.dialects import DIALECTS
from votewise.scoring.registry import SCORES
from votewise.scoring.undefined import UndefinedError


@dataclass(frozen=True)
class Scorecard:
    """Scores by name. `str(card)` is a table for people, `card.as_dict()` the same for machines.

    scores       name -> value, for every score that this data can give
    corrected    name -> value without the bias of few votes, where there is such a thing; `entropy_floor` too
    absent       name -> why it has no value here
    floor        mean entropy of the votes: the least soft NLL that any model can reach on them
    ceiling      name -> what half of the votes reaches against the other half, where asked for
    intervals    name -> (low, high), where asked for; `corrected_intervals` likewise
    dialect      name in a community -> value by its conventions
    items        how many were scored; `skipped`: how many nobody voted on; `ties`: how many have no single majority;
                 `uncorrected`: how many have one vote, which the corrected scores leave out
    settings     what the numbers depend on
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
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """A table: score, direction that is better, value, interval, corrected value, ceiling, unit."""
        head = ["score", "", "value"]
        level = f"{100 * (self.settings.get('level') or 0):g}%"
        extra: dict[str, Mapping[str, Any]] = {
            f"{level} interval": self.intervals,
            "corrected": self.corrected,
            f"{level} interval of corrected": self.corrected_intervals,
            "half against half": self.ceiling,
        }
        extra = {name: column for name, column in extra.items() if column}
        rows = [[*head, *extra, "unit"]]
        for name, value in self.scores.items():
            more = [_shown(column.get(name)) for column in extra.values()]
            rows.append([name, SCORES[name].arrow, _shown(value), *more, SCORES[name].unit])
        table = _aligned(rows)
        facts = f"{self.items:,} items, {self.skipped:,} without votes skipped, {self.ties:,} majority ties"
        lines = [facts, "", *table, "", f"entropy of the votes, the least soft_nll there is: {self.floor:.4f} nats"]
        if self.dialect:
            conventions = DIALECTS[str(self.settings["dialect"])]
            theirs = [
                [name, conventions[name].arrow, _shown(value), conventions[name].definition]
                for name, value in self.dialect.items()
            ]
            lines += ["", f"in the terms of {self.settings['dialect']}:", *_aligned(theirs)]
        lines += [f"no {name}: {reason}" for name, reason in self.absent.items()]
        return "\n".join([*lines, *self.notes])


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def _shown(value: float | Interval | None) -> str:
    if value is None:
        return ""
    return f"{value[0]:.4f} … {value[1]:.4f}" if isinstance(value, tuple) else f"{value:.4f}"


def _aligned(rows: list[list[str]]) -> list[str]:
    """Rows as lines, numbers to the right and words to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if place in (0, last) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
