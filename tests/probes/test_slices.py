"""The high-disagreement slice."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.errors import VotewiseError
from votewise.probes.slices import disputed, high

entropies = st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.5000001, 1.2]), min_size=1, max_size=60)


@given(entropies, st.sampled_from(["0.05", "0.07", "0.1", "0.2", "0.25", "0.5", "1.0"]))
def test_it_has_exactly_its_share_and_nobody_outside_is_above_it(values, share) -> None:
    chosen = high(values, float(share))
    assert len(chosen) == math.ceil(len(values) * Fraction(share))
    ranked = sorted(range(len(values)), key=lambda item: (-values[item], item))
    assert chosen.tolist() == sorted(ranked[: len(chosen)])


@pytest.mark.parametrize(
    ("count", "share", "size"), [(100, 0.07, 7), (700, 0.07, 49), (2000, 0.1, 200), (2001, 0.1, 201)]
)
def test_a_share_is_meant_as_it_is_written(count, share, size) -> None:
    """100 * 0.07 is 7.000000000000001 in binary."""
    assert len(high(np.arange(count), share)) == size


def test_a_rounding_does_not_break_a_tie() -> None:
    """The same votes for other classes, summed in another order."""
    unsure = [0.9, np.nextafter(0.9, 1), np.nextafter(0.9, 0), 0.0]
    assert high(unsure, 0.25).tolist() == [0]


@given(entropies)
def test_disputed_items_are_those_of_some_entropy(values) -> None:
    assert disputed(values).tolist() == [item for item, value in enumerate(values) if value > 0]


@pytest.mark.parametrize(
    ("values", "options", "sentence"),
    [
        ([], {}, r"entropy must be one finite number per item, got shape \(0,\)"),
        ([[0.1]], {}, "entropy must be one finite number per item"),
        ([0.1, math.nan], {}, "one finite number per item"),
        ([0.1, 0.2], {"share": 0.0}, "share must be above 0 and at most 1, got 0"),
        ([0.1, 0.2], {"share": 1.5}, "got 1.5"),
    ],
    ids=["no items", "two axes", "nan", "share 0", "share 1.5"],
)
def test_a_slice_of_nothing_is_an_error(values, options, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        high(values, **options)
