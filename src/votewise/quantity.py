"""A number that a score or a probe produces, declared once.

Tables, figures, captions, JSON, help texts and claims all use this declaration.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["lower", "higher"]


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """The name, meaning and direction of a number.

    Attributes:
        key: its name in results, files and JSON, for example `soft_nll`.
        label: its name for readers, for example `Soft NLL`.
        meaning: one sentence on what it is.
        unit: for example `nats`; empty if it has none.
        better: which direction is better; None if neither is.
        citation: the source.
    """

    key: str
    label: str
    meaning: str = ""
    unit: str = ""
    better: Direction | None = None
    citation: str = ""

    @property
    def arrow(self) -> str:
        """The arrow that shows in a table header which direction is better."""
        return {"lower": "↓", "higher": "↑", None: ""}[self.better]
