"""The sparse-target diagnosis: distances and correlations by SciPy, bins by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cityblock, jensenshannon
from scipy.stats import rankdata, spearmanr

from nets import distributions
from votewise.errors import VotewiseError
from votewise.probes.prediction_spread import soft_nll
from votewise.probes.sparse_targets import bins, diagnosis, distances, partial_spearman
from votewise.votes.tally import entropy


def sparse_of(p, k, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([rng.multinomial(k, row) for row in p]) / k


def example(count=400, k=5, seed=0):
    """Full and sparse distributions, and two runs the second of which is better where the sparse target is far off."""
    p = distributions(count, seed=seed, votes=50)
    q = sparse_of(p, k, seed)
    rng = np.random.default_rng(seed + 7)
    soft = 1 + rng.normal(size=count) * 0.2
    return p, q, soft, soft - np.abs(p - q).sum(axis=1) * 0.3 + rng.normal(size=count) * 0.1


@given(st.integers(0, 300), st.integers(2, 6), st.integers(1, 20))
def test_distances_are_scipys(seed, classes, k) -> None:
    p = distributions(12, classes, seed)
    q = sparse_of(p, k, seed)
    found = distances(p, q)
    assert found["js"] == pytest.approx([jensenshannon(a, b) for a, b in zip(p, q, strict=True)], abs=1e-8)
    assert found["l1"] == pytest.approx([cityblock(a, b) for a, b in zip(p, q, strict=True)], abs=1e-12)
    assert (distances(p, p)["js"] == 0).all()


def test_soft_nll_is_the_cross_entropy_of_an_item() -> None:
    assert soft_nll([[0.5, 0.5], [0.25, 0.75]], [[0.5, 0.5], [1.0, 0.0]]) == pytest.approx(np.log([2, 4]))


@given(st.integers(0, 300))
def test_the_partial_correlation_is_that_of_what_regression_leaves(seed) -> None:
    rng = np.random.default_rng(seed)
    z = rng.integers(0, 6, 60).astype(float)
    x, y = z + rng.normal(size=60), rng.integers(0, 9, 60) - z
    ranks = np.stack([np.ones(60), rankdata(z)], axis=1)
    left = [rankdata(v) - ranks @ np.linalg.lstsq(ranks, rankdata(v), rcond=None)[0] for v in (x, y)]
    assert partial_spearman(x, y, z) == pytest.approx(np.corrcoef(*left)[0, 1], abs=1e-9)


def test_one_bin_for_zero_and_nine_of_equal_mass() -> None:
    distance = np.concatenate((np.zeros(7), np.arange(1.0, 41.0)))
    improvement = distance**2
    found = bins(distance, improvement)
    assert [len(column) for column in found.values()] == [10, 10, 10]
    assert found["count"] == [7, 4, 4, 5, 4, 5, 4, 5, 4, 5]
    assert sum(found["count"]) == 47
    assert found["improvement"][:2] == [0.0, (1 + 4 + 9 + 16) / 4]
    assert found["distance"][-1] == 38.0
    assert found["improvement"][-1] == pytest.approx(np.mean(np.arange(36.0, 41.0) ** 2))


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.2, 0.5]), st.floats(-2, 2)), min_size=1, max_size=60), st.randoms()
)
def test_bins_keep_the_total_and_do_not_see_the_order(items, random) -> None:
    distance, improvement = np.array(items).T
    found = bins(distance, improvement)
    count = np.array(found["count"])
    assert count.sum() == len(items)
    assert count @ found["improvement"] == pytest.approx(improvement.sum(), abs=1e-9)
    assert count @ found["distance"] == pytest.approx(distance.sum(), abs=1e-9)
    nonzero = count[1:] if (distance == 0).any() else count
    assert len(nonzero) == min(9, (distance > 0).sum())
    assert len(nonzero) == 0 or np.ptp(nonzero) <= 1
    random.shuffle(items)
    again = bins(*np.array(items).T)
    assert all(again[name] == pytest.approx(found[name], abs=1e-9) for name in found)


def test_the_numbers_are_scipys() -> None:
    p, q, soft, hard = example()
    found = diagnosis(p, q, soft, hard)
    better, unsure = soft - hard, entropy(p).round(12)
    open_, part = unsure > 0, np.sort(np.argsort(-unsure, kind="stable")[:40])
    for kind, distance in (
        ("js", [jensenshannon(a, b) for a, b in zip(p, q, strict=True)]),
        ("l1", np.abs(p - q).sum(axis=1)),
    ):
        distance = np.round(distance, 9)
        assert found.numbers[f"{kind}_correlation"] == pytest.approx(spearmanr(distance, better).statistic)
        assert found.numbers[f"{kind}_correlation_high"] == pytest.approx(
            spearmanr(distance[part], better[part]).statistic
        )
        assert found.numbers[f"{kind}_correlation_disputed"] == pytest.approx(
            spearmanr(distance[open_], better[open_]).statistic
        )
        assert found.numbers[f"{kind}_correlation_partial"] == pytest.approx(partial_spearman(distance, better, unsure))
        assert found.numbers[f"{kind}_lowest"] == pytest.approx(better[distance == 0].mean())
        table = found.curves[f"bins_{kind}"]
        assert found.numbers[f"{kind}_highest"] == table["improvement"][-1] > found.numbers[f"{kind}_lowest"]
        inside = found.curves[f"bins_{kind}_high"]
        assert sum(inside["count"]) == 40
        assert found.numbers[f"{kind}_highest_high"] == inside["improvement"][-1]
        whole = (39 - inside["count"][-1] + 1) * found.numbers[f"{kind}_others_high"]
        assert whole + inside["count"][-1] * inside["improvement"][-1] == pytest.approx(better[part].sum())
    assert found.numbers["js_correlation"] > 0.5


def test_names_can_be_those_of_training_items_and_the_slice_ones_own() -> None:
    p, q, soft, hard = example()
    plain, named = diagnosis(p, q, soft, hard), diagnosis(p, q, soft, hard, prefix="train_")
    assert named.numbers == {f"train_{name}": value for name, value in plain.numbers.items()}
    assert set(named.curves) == {"train_bins_js", "train_bins_l1", "train_bins_js_high", "train_bins_l1_high"}
    everything = diagnosis(p, q, soft, hard, high=np.arange(400)).numbers
    assert everything["js_correlation_high"] == everything["js_correlation"]


def test_swapping_the_runs_turns_every_number_over() -> None:
    p, q, soft, hard = example()
    one, two = diagnosis(p, q, soft, hard).numbers, diagnosis(p, q, hard, soft).numbers
    assert two == pytest.approx({name: -value for name, value in one.items()})


def test_a_slice_that_cannot_tell_has_no_number_and_says_so() -> None:
    p = np.array([[0.5, 0.5], [0.6, 0.4], [0.7, 0.3], [1.0, 0.0]])
    q = np.array([[0.2, 0.8], [0.2, 0.8], [0.2, 0.8], [1.0, 0.0]])
    found = diagnosis(p, q, [1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0])
    assert found.numbers["js_correlation_high"] is None
    assert found.numbers["js_others_high"] is None
    assert "js_correlation_high: fewer than two such items" in found.notes


P, Q, SOFT, HARD = example(30)


@pytest.mark.parametrize(
    ("given", "options", "sentence"),
    [
        ((P, Q[:9], SOFT, HARD), {}, "sparse must have one row per item, got 9"),
        ((P, distributions(30, 3), SOFT, HARD), {}, r"the same classes, got 4 and 3"),
        ((P, Q, SOFT[:9], HARD), {}, "soft must have one soft NLL per item \\[30\\], got 9"),
        ((P, Q, SOFT * np.inf, HARD), {}, "soft must be finite"),
        ((P * 50, Q, SOFT, HARD), {}, "full must be non-negative and sum to one"),
        ((P, Q, SOFT, HARD), {"high": []}, "high must select at least one item"),
    ],
    ids=["lengths", "classes", "nll short", "infinite", "counts", "empty slice"],
)
def test_bad_input(given, options, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        diagnosis(*given, **options)


def test_where_every_vote_was_seen_there_is_nothing_to_diagnose() -> None:
    found = diagnosis(P, P, SOFT, HARD)
    assert found.numbers == {}
    assert found.notes == ("all sparse targets equal the full distribution, so there is no error to diagnose",)
