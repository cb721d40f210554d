"""The sparse form says what the dense one says."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from votewise.profile import cells
from votewise.votes import Votes, tally

COUNTS = arrays(np.int64, st.tuples(st.integers(1, 8), st.integers(2, 5)), elements=st.integers(0, 4)).filter(np.any)


@given(COUNTS)
def test_votes_and_their_counts_have_the_same_cells(counts):
    found = cells.cells(Votes.from_counts(counts))
    item, label = np.nonzero(counts)
    assert found.position[found.item].tolist() == item.tolist()
    assert found.label.tolist() == label.tolist()
    assert found.count.tolist() == counts[item, label].tolist()
    assert found.size.tolist() == [n for n in counts.sum(axis=1) if n]


@given(COUNTS, st.randoms(use_true_random=False))
def test_entropy_ties_and_class_share_equal_the_dense_ones(counts, random):
    label = [k for row in counts for k, n in enumerate(row) for _ in range(n)]
    indptr = np.concatenate(([0], counts.sum(axis=1).cumsum()))
    weight = [random.choice([0.1, 0.2, 0.3, 1.0]) for _ in label]
    names = tuple(map(str, range(counts.shape[1])))
    for votes in (Votes.from_counts(counts), Votes(indptr, label, classes=names, weight=weight)):
        found, mass = cells.cells(votes), votes.voted().mass()
        np.testing.assert_allclose(cells.entropy(found), votes.voted().entropy(), atol=1e-12)
        np.testing.assert_array_equal(cells.tied(found), tally.tied(mass))
        np.testing.assert_array_equal(cells.unanimous(found), (mass > 0).sum(axis=1) == 1)
        np.testing.assert_allclose(cells.class_share(found, len(names)), mass.sum(axis=0) / mass.sum(), atol=1e-12)


@given(COUNTS)
def test_distributions_with_their_number_of_votes_have_the_cells_of_the_votes(counts):
    votes = Votes.from_counts(counts).voted()
    a, b = cells.cells(votes), cells.cells(votes.distributions())
    np.testing.assert_array_equal(a.start, b.start)
    np.testing.assert_array_equal(a.label, b.label)
    np.testing.assert_allclose(a.count, b.count, rtol=1e-12)


def test_weights_that_add_up_to_the_same_are_tied():
    votes = Votes([0, 3], [0, 0, 1], classes=("a", "b"), weight=[0.1, 0.2, 0.3])
    assert cells.tied(cells.cells(votes)).tolist() == votes.tied().tolist() == [True]


def test_agreement_of_all_is_zero_to_the_last_bit():
    assert cells.entropy(cells.cells(Votes.from_counts([[0, n] for n in range(1, 60)]))).tolist() == [0.0] * 59
