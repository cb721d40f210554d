"""Colour, shape and dash of each method, the same on every chart.

The colours are those of Okabe and Ito (2008) except black and yellow, which are invisible on a dark or on a white page; a dark grey and an indigo
replace them. Further colours are for variants and unknown methods. Any two colours are distinguishable without red, green or blue vision;
shape and dash carry the same information.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from votewise.comparison import Methods
from votewise.studies import Results


@dataclass(frozen=True)
class Look:
    """The name of a method and its style; `shape` and `dash` are values of Vega."""

    name: str
    colour: str
    shape: str
    dash: tuple[int, ...]


Drawn = tuple[str, str, tuple[int, ...]]

KNOWN: dict[str, Drawn] = {
    "soft": ("#0072B2", "circle", (1, 0)),
    "sls": ("#D55E00", "square", (7, 3)),
    "multipass": ("#009E73", "triangle-up", (4, 2)),
    "deterministic": ("#CC79A7", "diamond", (2, 2)),
    "shuffled-sls": ("#6A4FE0", "triangle-left", (1, 3)),
    "majority": ("#646464", "cross", (9, 3, 2, 3)),
    "label-smoothing": ("#56B4E9", "triangle-down", (5, 2, 1, 2)),
    "mixup": ("#E69F00", "triangle-right", (12, 4)),
}


OTHERS: tuple[Drawn, ...] = (  # a star, a hexagon, an hourglass, a bar, a beam and a bow
    (
        "#906030",
        "M0,-1L0.29,-0.4L0.95,-0.31L0.48,0.15L0.59,0.81L0,0.5L-0.59,0.81L-0.48,0.15L-0.95,-0.31L-0.29,-0.4Z",
        (3, 1),
    ),
    ("#C000A8", "M0.87,-0.5L0.87,0.5L0,1L-0.87,0.5L-0.87,-0.5L0,-1Z", (6, 1, 1, 1)),
    ("#A878F0", "M-0.8,-0.8L0.8,-0.8L-0.8,0.8L0.8,0.8Z", (2, 4)),
    ("#A89048", "M-0.3,-1L0.3,-1L0.3,1L-0.3,1Z", (10, 2, 3, 2)),
    ("#906090", "M-1,-0.3L1,-0.3L1,0.3L-1,0.3Z", (4, 4)),
    ("#A84848", "M-0.8,-0.8L0.8,0.8L0.8,-0.8L-0.8,0.8Z", (1, 1)),
)


@dataclass(frozen=True)
class Looks:
    """The styles of the methods of some results.

    Variants of a method and unknown methods get separate styles, in the order of the plans. With more than six of them, styles repeat.

    >>> looks = Looks(Methods())
    >>> looks["soft"].colour, looks["mine"].name
    ('#0072B2', 'mine')
    """

    methods: Methods

    @classmethod
    def of(cls, results: Results) -> Looks:
        """The styles of the methods of results."""
        return cls(Methods.of(results))

    def __getitem__(self, method: str) -> Look:
        return Look(self.methods.name(method), *(KNOWN.get(method) or OTHERS[self._place(method) % len(OTHERS)]))

    def _place(self, method: str) -> int:
        others = [label for label in self.methods.by_label if label not in KNOWN]
        return others.index(method) if method in others else len(others)

    def name(self, method: str) -> str:
        """The name of a method."""
        return self.methods.name(method)

    def in_sentence(self, method: str) -> str:
        """The name of a method inside a sentence."""
        return self.methods.in_sentence(method)

    def sorted(self, methods: Iterable[str]) -> list[Look]:
        """The styles of methods without duplicates, in the order of charts and legends."""
        return [self[method] for method in self.methods.in_order(methods)]
