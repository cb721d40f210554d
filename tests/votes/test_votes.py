"""Votes: a frozen CSR whose content does not depend on how it came in."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from strategies import seeds, votes
from votewise.errors import VotewiseError
from votewise.votes import NOMINAL, Distributions, Scale, Votes

LONG = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.sampled_from(["ann", "bob", "eve", None])),
    min_size=2,
    max_size=30,
)


def from_rows(rows: list[tuple[int, str, str | None]]) -> Votes:
    item, label, annotator = zip(*rows, strict=True)
    return Votes.from_long(item, label, annotator, classes="abc")


@given(LONG, st.randoms())
def test_the_fingerprint_does_not_depend_on_the_order_of_the_rows(rows, random) -> None:
    shuffled = random.sample(rows, len(rows))
    assert from_rows(rows).fingerprint == from_rows(shuffled).fingerprint


@given(LONG)
def test_the_fingerprint_changes_with_any_vote(rows) -> None:
    item, label, annotator = rows[0]
    other = [(item, "abc"["abc".index(label) - 1], annotator), *rows[1:]]
    assert from_rows(rows).fingerprint != from_rows(other).fingerprint


@given(LONG)
def test_counts_are_what_a_counter_counts(rows) -> None:
    found = from_rows(rows)
    expected = Counter((str(item), label) for item, label, _ in rows)
    for position, item in enumerate(found.items.tolist()):
        assert found.counts()[position].tolist() == [expected[item, label] for label in "abc"]


def test_a_fingerprint_is_fixed_for_good() -> None:
    votes = Votes.from_long([1, 1, 2, 10], ["no", "yes", "yes", "no"], ["bob", "ann", "ann", None])
    assert votes.fingerprint == "9e33953c2f9f18133f646fd1090645f324bffbc59bf637a683850f2007bc638b"


@given(votes())
def test_counts_and_probabilities_agree_with_plain_loops(v: Votes) -> None:
    for i in range(len(v)):
        mine = Counter(v.label[v.indptr[i] : v.indptr[i + 1]].tolist())
        row = [mine[k] for k in range(v.num_classes)]
        assert v.counts([i])[0].tolist() == row
        assert v.probabilities([i])[0] == pytest.approx([x / sum(row) for x in row], abs=0)
        assert v.majority()[i] == row.index(max(row))
        assert v.tied()[i] == (row.count(max(row)) > 1)
        assert v.entropy()[i] == pytest.approx(entropy(row), abs=1e-12)


@given(votes(empty=True), st.data())
def test_selection_keeps_each_item_with_its_identity(v: Votes, data) -> None:
    index = data.draw(st.lists(st.integers(0, len(v) - 1), unique=True))
    part = v.select(index)
    assert part.row.tolist() == index
    assert np.array_equal(part.counts(), v.counts()[index])
    mask = np.isin(np.arange(len(v)), index)
    assert np.array_equal(v.select(mask).row, np.flatnonzero(mask))


def test_masked_counts_are_refused() -> None:
    with pytest.raises(VotewiseError, match="the array has masked values"):
        Votes.from_counts(np.ma.masked_array([[3, 1], [0, 2]], [[False, True], [False, False]]))


@given(votes(), seeds)
def test_from_counts_is_the_inverse_of_counts(v: Votes, seed: int) -> None:
    assert Votes.from_counts(v.counts(), v.classes).fingerprint == v.fingerprint


@given(votes(), seeds)
def test_a_shuffled_item_holds_the_votes_it_held(v: Votes, seed: int) -> None:
    mixed = v.shuffled(seed)
    for i in range(len(v)):
        span = slice(v.indptr[i], v.indptr[i + 1])
        assert sorted(mixed[span]) == v.label[span].tolist()


def test_every_order_of_four_votes_is_equally_likely() -> None:
    from scipy.stats import chisquare

    v = Votes.from_counts(np.ones((48_000, 4), dtype=np.int64))
    orders = Counter(map(tuple, v.shuffled(0).reshape(-1, 4).tolist()))
    assert len(orders) == 24
    assert chisquare(list(orders.values())).pvalue > 0.001


@given(votes(empty=True), seeds, st.integers(1, 6), st.integers(0, 4))
def test_subsamples_are_nested_and_take_what_there_is(v: Votes, seed: int, k: int, more: int) -> None:
    few, many = v.subsample(k, seed), v.subsample(k + more, seed)
    assert (few.counts() <= many.counts()).all()
    assert (many.counts() <= v.counts()).all()
    assert np.array_equal(few.votes_per_item, np.minimum(v.votes_per_item, k))


def test_a_subsample_keeps_annotator_weight_and_columns_with_their_vote() -> None:
    v = Votes.from_long(
        list("aabbb"),
        list("xyxyx"),
        list("12312"),
        weight=[1.0, 2.0, 3.0, 4.0, 5.0],
        columns={"time": np.arange(5) * 10},
    )
    rows = set(zip(v.label.tolist(), v.annotator.tolist(), v.weight.tolist(), v.columns["time"].tolist(), strict=True))
    part = v.subsample(2, seed=1)
    assert (
        set(
            zip(
                part.label.tolist(),
                part.annotator.tolist(),
                part.weight.tolist(),
                part.columns["time"].tolist(),
                strict=True,
            )
        )
        <= rows
    )
    assert np.array_equal(part.weight * 10 - 10, part.columns["time"])


@given(votes(), seeds, st.integers(1, 8))
def test_resampled_counts_sum_to_k_and_stay_in_the_support(v: Votes, seed: int, k: int) -> None:
    drawn = v.resample(k, seed)
    assert (drawn.votes_per_item == k).all()
    assert ((drawn.counts() == 0) | (v.counts() > 0)).all()
    assert v.distributions().resample(k, seed).fingerprint == drawn.fingerprint


def test_resampling_draws_from_the_distribution_and_is_not_nested() -> None:
    from scipy.stats import chisquare

    v = Votes.from_counts(np.tile([6, 3, 1], (40_000, 1)))
    five, ten = v.resample(5, 0).counts(), v.resample(10, 0).counts()
    assert chisquare(five.sum(axis=0), five.sum() * np.array([0.6, 0.3, 0.1])).pvalue > 0.001
    assert not (five <= ten).all()
    assert abs(np.corrcoef(five[:, 0], ten[:, 0])[0, 1]) < 0.02  # independent draws
    assert five[:, 0].var() == pytest.approx(5 * 0.6 * 0.4, rel=0.03)  # binomial spread


def test_weights_change_probabilities_and_nothing_else() -> None:
    v = Votes.from_long(list("aaa"), list("xxy"), weight=[1.0, 1.0, 6.0])
    assert v.counts().tolist() == [[2, 1]]
    assert v.probabilities().tolist() == [[0.25, 0.75]]
    assert v.majority().tolist() == [1]


def test_items_without_votes_are_legal_and_refused_where_a_distribution_is_needed() -> None:
    v = Votes.from_counts([[1, 0], [0, 0]])
    assert v.votes_per_item.tolist() == [1, 0]
    with pytest.raises(VotewiseError, match=r"1 item without votes; .*votes\.voted\(\)"):
        v.probabilities()
    assert v.voted().row.tolist() == [0]


def test_alignment_brings_items_into_the_order_of_other_ids() -> None:
    v = Votes.from_long(["a", "b", "c"], ["x", "y", "y"])
    assert v.align(["c", "a"]).items.tolist() == ["c", "a"]
    with pytest.raises(VotewiseError, match=r"1 of 2 items: 'zzz'"):
        v.align(["a", "zzz"])
    padded = v.align(["zzz", "b"], missing="empty")
    assert padded.votes_per_item.tolist() == [0, 1]
    assert padded.row.tolist() == [3, 1]


def test_ids_that_look_like_numbers_are_ordered_as_numbers() -> None:
    assert Votes.from_long([10, 9, 100], ["x", "y", "x"]).items.tolist() == ["9", "10", "100"]
    assert Votes.from_long(["007", "7"], ["x", "y"]).items.tolist() == ["007", "7"]


def test_nothing_can_be_changed_afterwards() -> None:
    v = Votes.from_counts([[1, 2], [3, 0]])
    for array in (v.label, v.indptr, v.row):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        v.label = v.label  # type: ignore[misc]


def test_an_array_that_somebody_still_holds_is_copied() -> None:
    label = np.array([0, 1], dtype=np.uint8)
    v = Votes([0, 2], label, classes=("a", "b"))
    before = v.fingerprint
    label[0] = 1
    assert v.fingerprint == before
    with pytest.raises(TypeError):
        v.columns["x"] = label  # type: ignore[index]


def test_ties_are_broken_by_a_named_policy() -> None:
    v = Votes.from_counts(np.tile([2, 2, 1], (3000, 1)))
    assert (v.majority() == 0).all()
    drawn = v.majority(ties="random", seed=4)
    assert set(drawn.tolist()) == {0, 1}
    assert drawn.mean() == pytest.approx(0.5, abs=0.05)
    assert np.array_equal(v.select(np.arange(500)).majority(ties="random", seed=4), drawn[:500])
    with pytest.raises(VotewiseError, match="unknown tie policy"):
        v.majority(ties="first")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Votes.from_counts([[1.5, 0]]), "1.5 in row 0, column 0 is not a whole number"),
        (lambda: Votes.from_counts([[1, 0], [0, -2]]), "-2 in row 1, column 1 is not a whole number of 0 or more"),
        (lambda: Votes.from_counts([[np.nan, 0]]), "nan in row 0"),
        (lambda: Votes.from_counts([1, 2]), "one row per item"),
        (lambda: Votes.from_counts([[1], [2]]), "at least 2"),
        (lambda: Votes.from_counts([[1, 2]], classes=("a", "a")), "repeat: 'a'"),
        (lambda: Votes.from_counts([[1, 2]], classes=("a",)), "1 class name for 2 columns"),
        (lambda: Votes.from_counts([[1, 2]], items=["x", "y"]), "2 ids for 1 item"),
        (lambda: Votes.from_counts([[1, 2], [1, 1]], items=["x", "x"]), "ids repeat: 'x'"),
        (lambda: Votes([0, 1], [2], classes=("a", "b")), "integers from 0 to 1"),
        (lambda: Votes([0, 1], [0], classes=("a", "b"), row=[float("nan")]), "expected 1 integers of at least 0"),
        (lambda: Votes([0, 5], [1], classes=("a", "b")), "indptr"),
        (lambda: Votes([0, 1], [1], classes=("a", "b"), weight=[0.0]), "above zero"),
        (lambda: Votes([0, 1], [1], classes=("a", "b"), annotator=[0]), "without a name"),
        (lambda: Votes.from_long([1, 2], ["a", "b"], weight=[1.0, 2.0, 3.0]), "weight has shape"),
        (lambda: Votes.from_long([1, 2, 3], ["a"]), "label has shape"),
        (lambda: Votes.from_counts([["a", "b"]]), "type <U1"),
        (lambda: Distributions([[0.5, 0.5]]).resample(0, seed=0), "k must be a whole number of 1 or more, got 0"),
        (lambda: Votes.from_counts([[0, 0]]).majority(), "without votes"),
        (lambda: Votes.from_long([1, None], ["a", "b"]), "row 1 has no value"),
        (lambda: Votes.from_long([1, 2], ["a", "q"], classes="ab"), "'q'"),
        (lambda: Votes.from_counts([[1, 2]]).subsample(0, seed=0), "k must be a whole number of 1 or more, got 0"),
        (lambda: Votes.from_counts([[1, 2]]).select([3]), "index 3 is out of range for 1 item;"),
        (lambda: Votes.from_counts([[1, 2]]).select([0, 0]), "same row"),
        (lambda: Distributions([[0.5, 0.4]], classes=("a", "b")), r"row 0.*sums to 0\.9"),
        (lambda: Distributions([[0.5, 0.5], [1.5, -0.5]], classes=("a", "b")), "row 1"),
        (lambda: Distributions([[np.nan, 1]], classes=("a", "b")), "row 0"),
        (lambda: Distributions([[0.5, 0.5]], classes=("a", "b", "c")), "do not fit 3 classes"),
        (lambda: Scale("ordinal", (0.0, 0.0)), "do not increase"),
        (lambda: Votes.from_counts([[1, 2]], scale=Scale.ordinal("abc")), "3 positions for 2 classes"),
    ],
)
def test_bad_input_is_told_in_one_sentence(make, message: str) -> None:
    with pytest.raises(VotewiseError, match=message) as caught:
        make()
    assert caught.value.remedy or "must be" in str(caught.value)


def test_scales_stand_at_their_numbers_or_at_their_places() -> None:
    assert Scale.ordinal(["-5", "0", "5"]).position == (-5.0, 0.0, 5.0)
    assert Scale.ordinal(["bad", "good"]).position == (0.0, 1.0)
    assert NOMINAL.position is None


def test_cifar10h_has_the_published_votes(data) -> None:
    v = Votes.from_counts(np.load(data / "cifar10h/cifar10h-counts.npy"))
    assert len(v) == 10_000
    assert len(v.label) == 511_000
    assert (v.votes_per_item.min(), v.votes_per_item.max()) == (47, 63)
    assert v.tied().sum() == 3
    labels = np.load(data / "cifar10h/cifar10-test.npz")["labels"]
    assert (v.majority() == labels).mean() == pytest.approx(0.9921)
    assert np.quantile(v.entropy(), [0.75, 0.8, 0.9, 0.95]) == pytest.approx([0.193, 0.257, 0.464, 0.677], abs=0.001)
    assert (v.entropy() == 0).mean() == pytest.approx(0.439, abs=0.001)
    assert (v.subsample(50, seed=0).votes_per_item < 50).sum() == 883
