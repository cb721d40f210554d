"""What a probe measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from votewise.errors import UndefinedError
from votewise.probes.quantities import QUANTITIES
from votewise.quantity import Quantity

Numbers = dict[str, float | None]


@dataclass(frozen=True, repr=False)
class Reading:
    """What a probe measured. `print` shows every number and what it means.

    Attributes:
        numbers: the numbers by key; None where one is not defined, and a note says why.
        curves: what can be drawn, by name: each a table of columns.
        notes: what to know about the numbers.
        quantities: the facts about numbers that `votewise.probes.QUANTITIES` does not list, for example of a user's set of inputs.
    """

    numbers: Mapping[str, float | None]
    curves: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    quantities: Mapping[str, Quantity] = field(default_factory=dict, compare=False)

    def quantity(self, key: str) -> Quantity:
        """The facts about one of the numbers; of an undeclared one, its key alone."""
        return self.quantities.get(key) or QUANTITIES.get(key) or Quantity(key=key, label=key)

    def __or__(self, other: Reading) -> Reading:
        """The numbers, curves and notes of both."""
        return Reading(
            {**self.numbers, **other.numbers},
            {**self.curves, **other.curves},
            self.notes + other.notes,
            {**self.quantities, **other.quantities},
        )

    def __repr__(self) -> str:
        few = [f"{key} {_rounded(value)}" for key, value in self.numbers.items()][:4]
        return f"Reading({', '.join(few)}{', …' if len(self.numbers) > len(few) else ''})"

    def __str__(self) -> str:
        """A line for each number, with its meaning unless a line above has the same, and for each note."""
        width, shown, lines = max(map(len, self.numbers), default=0), {""}, list[str]()
        for key, value in self.numbers.items():
            meaning = _meaning(self.quantity(key))
            lines.append(f"{key:{width}}  {_rounded(value):>10}  {'' if meaning in shown else meaning}".rstrip())
            shown.add(meaning)
        return "\n".join((*lines, *self.notes))


def _meaning(quantity: Quantity) -> str:
    unit = f" ({quantity.unit})" if quantity.unit else ""
    return quantity.meaning + unit + (f"; {quantity.better} is better" if quantity.better else "")


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.5g}"


def where_defined(functions: Mapping[str, Callable[[], float]]) -> tuple[Numbers, tuple[str, ...]]:
    """The numbers that are defined, None for the others, and a note for each of these.

    >>> def undefined():
    ...     raise UndefinedError("all items are alike")
    >>> where_defined({"a": lambda: 1.0, "b": undefined})
    ({'a': 1.0, 'b': None}, ('b: all items are alike',))
    """
    numbers: Numbers = {}
    notes = []
    for key, function in functions.items():
        try:
            numbers[key] = float(function())
        except UndefinedError as reason:
            numbers[key] = None
            notes.append(f"{key}: {reason.what}")
    return numbers, tuple(notes)
