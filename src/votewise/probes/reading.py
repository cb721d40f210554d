"""What a probe found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from votewise.scoring.undefined import UndefinedError

Numbers = dict[str, float | None]


@dataclass(frozen=True)
class Reading:
    """Numbers by name (None: not defined here, and a note says why), and curves to draw, each a table of columns."""

    numbers: Mapping[str, float | None]
    curves: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __or__(self, other: Reading) -> Reading:
        """Both."""
        return Reading({**self.numbers, **other.numbers}, {**self.curves, **other.curves}, self.notes + other.notes)


def where_defined(wanted: Mapping[str, Callable[[], float]]) -> tuple[Numbers, tuple[str, ...]]:
    """The numbers that are defined, None for those that are not, and a note for each of these.

    >>> def undefined():
    ...     raise UndefinedError("all items are alike")
    >>> where_defined({"a": lambda: 1.0, "b": undefined})
    ({'a': 1.0, 'b': None}, ('b: all items are alike',))
    """
    numbers: Numbers = {}
    notes = []
    for name, number in wanted.items():
        try:
            numbers[name] = float(number())
        except UndefinedError as reason:
            numbers[name] = None
            notes.append(f"{name}: {reason.what}")
    return numbers, tuple(notes)
