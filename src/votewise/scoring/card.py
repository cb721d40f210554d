"""The scores of one model on one set of votes, with the information needed to interpret them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from votewise import terminal
from votewise.cards import Chart, Rows
from votewise.errors import UndefinedError, VotewiseError
from votewise.scoring.bootstrap import Interval
from votewise.scoring.declaration import Score
from votewise.scoring.dialects import DIALECTS
from votewise.scoring.html import html
from votewise.scoring.render import page
from votewise.wording import counted, listing

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@dataclass(frozen=True, repr=False)
class Scorecard:
    """Scores by key. `str(card)` is a table to read, `card.as_dict()` is ready for JSON.

    Attributes:
        scores: key -> value, for every score that is defined on this data.
        corrected: key -> value corrected for the bias of few votes, if a correction is known; includes `entropy_floor`.
        absent: key -> why the score is not defined on this data, and what to do.
        floor: mean entropy of the votes, which is the lower bound of soft NLL.
        items: one row per scored item, with every score that is a mean over items, for example `card.items["kl"]` or
            `card.items.to_polars()`; `len(card.items)` is the number of scored items.
        skipped: number of items without votes.
        ties: number of items without a single majority.
        uncorrected: number of items with one vote, which are excluded from the corrected scores.
        dialect: name of a score in a community -> value by its conventions.
        ceiling: key -> score of one half of the votes against the other half, if requested.
        intervals: key -> (low, high), if requested; `corrected_intervals` are those of the corrected scores.
        settings: the settings that the numbers depend on.
        matching: how predictions and true classes were read and matched with the votes, line by line.
        notes: further notes.
        definitions: the scores.

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
    items: Rows
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
        raise VotewiseError(f"the card has no score {name!r}", remedy=f"choose one of {listing(self.scores, 40)}")

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
            "items": len(self.items),
            "skipped": self.skipped,
            "ties": self.ties,
            "uncorrected": self.uncorrected,
            "settings": dict(self.settings),
            "matching": list(self.matching),
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        few = [f", {name} {value:.4f}" for name, value in self.scores.items()][:4]
        return (
            f"Scorecard({counted(len(self.items), 'item')}{''.join(few)}{', …' if len(self.scores) > len(few) else ''})"
        )

    __str__ = terminal.text  # the dialect's numbers, then every score with its direction, interval, ceiling and unit
    __rich__ = page
    _repr_html_ = html

    def to_polars(self) -> pl.DataFrame:
        """The scores as a frame: key, value, corrected, low, high, unit; null if not available."""
        return self._rows().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """The frame of `to_polars` as a pandas frame, if pandas is installed."""
        return self._rows().to_pandas()

    def _rows(self) -> Rows:
        units = {one.key: one.unit for one in self.definitions}
        ends = [self.intervals.get(key, (None, None)) for key in self.scores]
        return Rows(
            {
                "score": list(self.scores),
                "value": list(self.scores.values()),
                "corrected": [self.corrected.get(key) for key in self.scores],
                "low": [low for low, _ in ends],
                "high": [high for _, high in ends],
                "unit": [units.get(key) for key in self.scores],
            }
        )

    def worst(self, score: str = "soft_nll", top: int = 10) -> Rows:
        """The items with the worst values of a score, worst first.

        Raises:
            VotewiseError: the score has no value for each item.
        """
        from votewise.scoring.per_item import worst_items

        return worst_items(self, score, top)

    def chart(self) -> Chart:
        """The smooth reliability diagram: how often the predicted class is the majority of the votes, as a function of confidence."""
        from votewise.scoring.per_item import reliability_chart

        return reliability_chart(self)


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
