"""What a probe found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from votewise.errors import UndefinedError
from votewise.probes.glossary import meaning

Numbers = dict[str, float | None]


@dataclass(frozen=True, repr=False)
class Reading:
    """Numbers by name (None: not defined here, and a note says why), and curves to draw, each a table of columns.

    `print` shows every number with what it means.
    """

    numbers: Mapping[str, float | None]
    curves: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __or__(self, other: Reading) -> Reading:
        """Both."""
        return Reading({**self.numbers, **other.numbers}, {**self.curves, **other.curves}, self.notes + other.notes)

    def __repr__(self) -> str:
        few = [f"{name} {_shown(value)}" for name, value in self.numbers.items()][:4]
        return f"Reading({', '.join(few)}{', …' if len(self.numbers) > len(few) else ''})"

    def __str__(self) -> str:
        """A line for each number, with what it is where that was not said above, and for each note."""
        width, said, lines = max(map(len, self.numbers), default=0), {""}, list[str]()
        for name, value in self.numbers.items():
            what = meaning(name)
            lines.append(f"{name:{width}}  {_shown(value):>10}  {'' if what in said else what}".rstrip())
            said.add(what)
        return "\n".join((*lines, *self.notes))


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.5g}"


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
