"""What n seeds can decide, against the exact test itself."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wilcoxon

from votewise.errors import VotewiseError
from votewise.evidence import seeds_needed, smallest_p


@pytest.mark.parametrize("seeds", range(1, 13))
def test_the_smallest_p_is_that_of_differences_of_one_sign(seeds: int) -> None:
    differences = np.arange(1.0, seeds + 1)
    assert smallest_p(seeds) == wilcoxon(differences, alternative="greater", method="exact").pvalue
    assert smallest_p(seeds, 2) == wilcoxon(differences, method="exact").pvalue


def test_five_seeds_never_survive_holm_over_twelve_cells() -> None:
    assert smallest_p(5) == 0.03125
    assert (seeds_needed(12), seeds_needed(12, 2)) == (8, 9)
    assert (seeds_needed(), seeds_needed(sides=2)) == (5, 6)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("cells", [1, 4, 9, 12, 50])
def test_one_seed_fewer_is_too_few(cells: int, sides: int) -> None:
    needed = seeds_needed(cells, sides)
    assert smallest_p(needed, sides) * cells <= 0.05 < smallest_p(needed - 1, sides) * cells


def test_nonsense_is_told() -> None:
    for wrong in (lambda: smallest_p(0), lambda: seeds_needed(0), lambda: seeds_needed(3, level=0)):
        with pytest.raises(VotewiseError):
            wrong()
