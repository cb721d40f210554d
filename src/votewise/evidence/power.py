"""What the exact paired Wilcoxon test can decide with n seeds, before any of them is run.

With n differences there are 2**n patterns of signs, equally likely if there is no difference; the most extreme is one of them.
"""

from __future__ import annotations

from typing import Literal

from votewise.errors import VotewiseError

Sides = Literal[1, 2]


def smallest_p(seeds: int, sides: Sides = 1) -> float:
    """The smallest p that `seeds` pairs can give.

    >>> smallest_p(5), smallest_p(5, sides=2)
    (0.03125, 0.0625)
    """
    if seeds < 1:
        raise VotewiseError(f"{seeds} seeds cannot be tested", remedy="use at least one")
    return min(1.0, float(sides) / 2.0**seeds)


def seeds_needed(cells: int = 1, sides: Sides = 1, level: float = 0.05) -> int:
    """The fewest seeds with which a comparison can survive Holm's correction over `cells` comparisons at `level`.

    >>> seeds_needed(12), seeds_needed(12, sides=2)
    (8, 9)
    """
    if cells < 1 or not 0 < level < 1:
        raise VotewiseError(
            f"{cells} comparisons at level {level}", remedy="give at least one, and a level between 0 and 1"
        )
    seeds = 1
    while smallest_p(seeds, sides) > level / cells:
        seeds += 1
    return seeds
