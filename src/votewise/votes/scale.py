"""The scale of the classes: names only, or positions on a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from votewise.errors import VotewiseError


@dataclass(frozen=True, slots=True)
class Scale:
    """Nominal classes only have names; ordinal classes also have a position on a line, strictly increasing.

    Attributes:
        kind: 'nominal' or 'ordinal'.
        position: where each class is on the line [C]; None for nominal classes.

    Example:
        >>> Scale.ordinal(["1", "2", "5"])
        Scale(kind='ordinal', position=(1.0, 2.0, 5.0))
    """

    kind: Literal["nominal", "ordinal"] = "nominal"
    position: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.position is not None:
            object.__setattr__(self, "position", tuple(map(float, self.position)))
        if self.kind not in ("nominal", "ordinal"):
            raise VotewiseError(f"unknown scale {self.kind!r}", remedy="use 'nominal' or 'ordinal'")
        if (self.kind == "ordinal") != (self.position is not None):
            raise VotewiseError(
                "an ordinal scale has positions and a nominal one has none", remedy="use Scale.ordinal(classes)"
            )
        if self.position is not None and (
            not all(map(math.isfinite, self.position))
            or any(b <= a for a, b in zip(self.position, self.position[1:], strict=False))
        ):
            raise VotewiseError(
                f"positions {self.position} of an ordinal scale do not increase",
                remedy="list the classes in their order",
            )

    @classmethod
    def ordinal(cls, classes: Sequence[str]) -> Scale:
        """The scale of ordered classes: at their numeric values if all are numbers, else at 0, 1, 2 ...

        Args:
            classes: names of the classes [C] in increasing order.

        >>> Scale.ordinal(["-1", "0", "5"]).position
        (-1.0, 0.0, 5.0)
        >>> Scale.ordinal(["low", "high"]).position
        (0.0, 1.0)
        """
        try:
            position = tuple(float(name) for name in classes)
        except ValueError:
            position = tuple(float(place) for place in range(len(classes)))
        return cls("ordinal", position)


NOMINAL = Scale()
