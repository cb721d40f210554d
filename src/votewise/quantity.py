"""A number that a score or a probe produces, declared once.

Tables, figures, captions, JSON, help texts and claims look up the facts of a number here; they are listed nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["lower", "higher"]


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What a number is called, what it means, and which way is better.

    Attributes:
        key: its name in results, files and JSON, for example `soft_nll`.
        label: its name for readers, for example `Soft NLL`.
        meaning: one sentence on what it is.
        unit: for example `nats`; empty if it has none.
        better: which way is better, or None where neither is.
        citation: where it comes from.
    """

    key: str
    label: str
    meaning: str = ""
    unit: str = ""
    better: Direction | None = None
    citation: str = ""

    @property
    def arrow(self) -> str:
        """The arrow of a table's head: which way is better."""
        return {"lower": "↓", "higher": "↑", None: ""}[self.better]
