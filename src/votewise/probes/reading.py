"""The result of a probe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from votewise.errors import UndefinedError
from votewise.probes.quantities import QUANTITIES
from votewise.quantity import Quantity

Numbers = dict[str, float | None]


@dataclass(frozen=True, repr=False)
class Reading:
    """The result of a probe. `print` shows every number with its meaning.

    Attributes:
        numbers: the numbers by key; None if a number is undefined, with a note that gives the reason.
        curves: data to plot, by name; each is a table of columns.
        notes: remarks on the numbers.
        quantities: the declarations of numbers that `votewise.probes.QUANTITIES` does not list, for example of a custom set of inputs.
    """

    numbers: Mapping[str, float | None]
    curves: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    quantities: Mapping[str, Quantity] = field(default_factory=dict, compare=False)

    def quantity(self, key: str) -> Quantity:
        """The declaration of a number; for an undeclared number, only its key."""
        return self.quantities.get(key) or QUANTITIES.get(key) or Quantity(key=key, label=key)

    def __or__(self, other: Reading) -> Reading:
        """A reading with the numbers, curves and notes of both."""
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
        """One line per number and per note; a meaning is printed once."""
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
    """The defined numbers, None for undefined numbers, and a note for each undefined number.

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
