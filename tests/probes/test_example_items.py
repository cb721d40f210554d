"""Items to show: numbers worked out by hand, and what holds for any predictions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import rel_entr

from votewise.probes import examples

P = np.array([[1.0, 0.0], [0.5, 0.5], [0.9, 0.1], [0.6, 0.4]])
HARD = np.array([[0.99, 0.01], [0.95, 0.05], [0.98, 0.02], [0.9, 0.1]])
SOFT = np.array([[0.95, 0.05], [0.4, 0.6], [0.85, 0.15], [0.55, 0.45]])


def test_items_are_chosen_by_the_entropy_of_their_votes() -> None:
    curves = examples(HARD, SOFT, P, rows=[10, 11, 12, 13]).curves
    assert curves["consensus"]["item"] == [10, 10]
    assert curves["disputed"]["item"] == [11, 11]
    assert curves["disputed"]["votes"] == [0.5, 0.5]
    assert curves["disputed"]["second"] == pytest.approx([0.4, 0.6])


def test_the_example_has_one_winner_and_the_kl_of_both_predictions() -> None:
    found = examples(HARD, SOFT, P)
    kl = np.stack([rel_entr(P, HARD).sum(1), rel_entr(P, SOFT).sum(1)])
    (item,) = set(found.curves["same_winner"]["item"])
    assert item in (0, 2, 3)  # on item 1 the predictions have different winners
    pair = found.numbers["kl_example_first"], found.numbers["kl_example_second"]
    assert pair == pytest.approx(kl[:, int(item)])


def test_without_a_shared_winner_there_is_no_example() -> None:
    found = examples([[0.9, 0.1]], [[0.1, 0.9]], [[0.9, 0.1]])
    assert found.numbers["kl_example_first"] is None
    assert "same_winner" not in found.curves


@settings(max_examples=30)
@given(st.integers(1, 60), st.integers(2, 6), st.integers(0, 10**6))
def test_histograms_count_every_item(n: int, classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, q, r = (rng.dirichlet(np.full(classes, 0.4), n) for _ in range(3))
    table = examples(q, r, p).curves["entropy"]
    for column in ("votes", "first", "second"):
        assert sum(table[column]) == pytest.approx(1)
