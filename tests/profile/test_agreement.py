"""Alpha against the krippendorff package and Krippendorff's own example; pairs against a double loop."""

from itertools import permutations

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from votewise.profile.agreement import alpha, most_deviant, overall_agreement, pairwise_agreement
from votewise.profile.cells import cells
from votewise.votes import Votes

COUNTS = arrays(np.int64, st.tuples(st.integers(1, 8), st.integers(2, 5)), elements=st.integers(0, 4)).filter(np.any)
LEVELS = ("nominal", "ordinal", "interval")


@given(COUNTS, st.sampled_from(LEVELS), st.randoms(use_true_random=False))
def test_alpha_equals_the_krippendorff_package(counts, level, random):
    """Ragged votes, items with one vote and with none."""
    c = counts.shape[1]
    position = np.cumsum([random.choice([0.5, 1.0, 3.0]) for _ in range(c)]) - 4
    ours = alpha(cells(Votes.from_counts(counts)), c, level, position)
    pairable = counts[counts.sum(axis=1) > 1]
    if (pairable.sum(axis=0) > 0).sum() < 2:  # nobody to compare with, or nothing to tell apart
        assert np.isnan(ours)
        return
    theirs = krippendorff.alpha(value_counts=counts, value_domain=position, level_of_measurement=level)
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(
    arrays(
        np.float64, st.tuples(st.integers(2, 5), st.integers(2, 10)), elements=st.sampled_from([np.nan, 1, 2, 3, 4])
    ),
    st.sampled_from(LEVELS),
)
def test_alpha_of_a_matrix_with_missing_votes_equals_the_krippendorff_package(matrix, level):
    here = ~np.isnan(matrix)
    assume(len(np.unique(matrix[:, here.sum(axis=0) > 1][here[:, here.sum(axis=0) > 1]])) > 1)
    coder, item = np.nonzero(here)
    votes = Votes.from_long(item, matrix[here].astype(int), coder, classes=[1, 2, 3, 4])
    theirs = krippendorff.alpha(reliability_data=matrix, value_domain=[1, 2, 3, 4], level_of_measurement=level)
    assert alpha(cells(votes), 4, level, np.arange(4.0)) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(level, published):
    """Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, example C: four observers, twelve units."""
    coders = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    long = [(unit, value, coder) for coder, row in enumerate(coders) for unit, value in enumerate(row) if value != "."]
    unit, value, coder = zip(*long, strict=True)
    votes = Votes.from_long(unit, value, coder, classes="12345")
    assert alpha(cells(votes), 5, level, np.arange(5.0)) == pytest.approx(published, abs=5e-4)


def test_alpha_of_a_million_places_keeps_its_digits():
    """Far positions and many votes do not cancel."""
    counts = np.random.default_rng(0).multinomial(7, [0.5, 0.3, 0.2], size=2_000)
    near, far = np.array([0.0, 1.0, 2.0]), np.array([1e9, 1e9 + 1, 1e9 + 2])
    found = cells(Votes.from_counts(counts))
    assert alpha(found, 3, "interval", far) == pytest.approx(alpha(found, 3, "interval", near), abs=1e-9)


@given(COUNTS)
def test_pairwise_agreement_is_what_a_double_loop_counts(counts):
    votes = Votes.from_counts(counts)
    labels = [np.repeat(np.arange(len(row)), row) for row in counts if row.any()]
    pairs = [[a == b for a, b in permutations(each, 2)] for each in labels]
    mine = pairwise_agreement(cells(votes))
    for own, expected in zip(mine, pairs, strict=True):
        assert np.isnan(own) if not expected else own == pytest.approx(np.mean(expected), abs=1e-12)
    every = [agree for item in pairs for agree in item]
    overall = overall_agreement(cells(votes))
    assert np.isnan(overall) if not every else overall == pytest.approx(np.mean(every), abs=1e-12)


def crowd(people: int, items: int, contrary: int | None) -> Votes:
    """Each person votes on each item, right nine times in ten; one person may always vote against the truth."""
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, items)
    label = np.where(rng.random((items, people)) < 0.9, truth[:, None], 1 - truth[:, None])
    if contrary is not None:
        label[:, contrary] = 1 - truth
    item = np.repeat(np.arange(items), people)
    return Votes.from_long(item, label.ravel(), np.tile([f"p{i:02}" for i in range(people)], items))


def test_the_person_who_votes_against_all_is_found_with_the_share_a_loop_counts():
    votes = crowd(people=8, items=60, contrary=3)
    (person,) = most_deviant(votes, cells(votes))
    assert (person.name, person.shared) == ("p03", 60)
    share = []
    for i in range(len(votes)):
        part = slice(votes.indptr[i], votes.indptr[i + 1])
        mine = votes.label[part][votes.annotator[part] == 3][0]
        share.append(np.mean(votes.label[part][votes.annotator[part] != 3] == mine))
    assert person.agreement == pytest.approx(np.mean(share), abs=1e-12)
    assert person.usual == pytest.approx(np.mean(pairwise_agreement(cells(votes))), abs=1e-12)


def test_nobody_is_named_for_chance_alone_nor_where_nobody_is_known():
    votes = crowd(people=30, items=60, contrary=None)
    assert most_deviant(votes, cells(votes)) == ()
    anonymous = Votes.from_counts(votes.counts())
    assert most_deviant(anonymous, cells(anonymous)) == ()
