"""The random choices of one case, from the project's counter, addressed by target and number without any state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from votewise import counter

T = TypeVar("T")
_BLOCK = 64


class Draws:
    """The stream of draws of one case.

    >>> Draws("votes", 3).below(10) == Draws("votes", 3).below(10)
    True
    """

    def __init__(self, target: str, case: int) -> None:
        self._key, self._case, self._at = counter.key(f"fuzz:{target}", 0), case, 0
        self._block: list[int] = []

    def bits(self) -> int:
        """32 random bits."""
        place = self._at % _BLOCK
        if place == 0:
            self._block = counter.draw(self._key, self._case, range(self._at, self._at + _BLOCK)).tolist()
        self._at += 1
        return self._block[place]

    def below(self, size: int) -> int:
        """An integer from 0 to size - 1."""
        return self.bits() * size >> 32

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.bits() < share * 2**32

    def pick(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def some(self, values: Sequence[T], share: float = 0.5) -> list[T]:
        """Each of the values with this probability."""
        return [value for value in values if self.chance(share)]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """The values in a random order."""
        return [value for _, _, value in sorted((self.bits(), place, value) for place, value in enumerate(values))]
