"""Linear CKA against its definition with whole Gram matrices."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from votewise.errors import VotewiseError
from votewise.probes.cka import linear_cka, similarity


def hsic(k, m) -> float:
    """The biased estimate: centred Gram matrices, multiplied out."""
    h = np.eye(len(k)) - 1 / len(k)
    return np.trace(k @ h @ m @ h) / (len(k) - 1) ** 2


def hsic_unbiased(k, m) -> float:
    """Equation 4 of Song et al. 2012, as it is written."""
    n, one = len(k), np.ones(len(k))
    k, m = k - np.diag(np.diag(k)), m - np.diag(np.diag(m))
    mixed = (one @ k @ one) * (one @ m @ one) / ((n - 1) * (n - 2))
    return (np.trace(k @ m) + mixed - 2 / (n - 2) * (one @ k @ m @ one)) / (n * (n - 3))


def by_definition(a, b, of) -> float:
    k, m = a @ a.T, b @ b.T
    return of(k, m) / np.sqrt(of(k, k) * of(m, m))


shapes = st.tuples(st.integers(4, 25), st.integers(1, 40), st.integers(1, 40), st.integers(0, 99))


def pair(items, first, second, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(items, first)) * rng.uniform(0.1, 3, first) + rng.normal(size=first)
    return a, a @ rng.normal(size=(first, second)) + rng.normal(size=(items, second)) - 2


@given(shapes)
def test_both_estimates_equal_their_definition(shape) -> None:
    """Features narrower and wider than there are items, in every combination."""
    a, b = pair(*shape)
    found = similarity(a, b).numbers
    assert found["cka"] == pytest.approx(by_definition(a, b, hsic), rel=1e-8)
    assert found["cka_debiased"] == pytest.approx(by_definition(a, b, hsic_unbiased), rel=1e-6, abs=1e-8)
    assert 0 <= found["cka"] <= 1 + 1e-12


@given(shapes, st.floats(0.01, 100))
def test_neither_sees_a_rotation_a_shift_or_a_scale(shape, scale) -> None:
    a, b = pair(*shape)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(b.shape[1], b.shape[1])))[0]
    for debiased in (False, True):
        moved = linear_cka(a, scale * b @ turn + 3, debiased=debiased)
        assert moved == pytest.approx(linear_cka(a, b, debiased=debiased), rel=1e-6, abs=1e-8)
        assert linear_cka(b, a, debiased=debiased) == pytest.approx(linear_cka(a, b, debiased=debiased), rel=1e-9)
        assert linear_cka(a, a, debiased=debiased) == pytest.approx(1)


def test_unrelated_wide_features_look_alike_to_the_usual_estimate_only() -> None:
    """Why the debiased one stands beside it (Murphy et al. 2024: usual CKA goes to one as features outnumber items)."""
    rng = np.random.default_rng(0)
    found = [similarity(rng.normal(size=(60, 512)), rng.normal(size=(60, 512))).numbers for _ in range(20)]
    assert np.mean([each["cka"] for each in found]) > 0.85
    unbiased = np.array([each["cka_debiased"] for each in found])
    assert abs(unbiased.mean()) < 4 * unbiased.std(ddof=1) / np.sqrt(20)


def test_the_estimate_on_few_items_is_right_on_average() -> None:
    """Minibatches of the same population: the unbiased products average to those of all items (Nguyen et al. 2021)."""
    rng = np.random.default_rng(3)
    z = rng.normal(size=(4000, 3))
    a, b = (
        z @ rng.normal(size=(3, 20)) + rng.normal(size=(4000, 20)),
        z @ rng.normal(size=(3, 30)) + rng.normal(size=(4000, 30)),
    )
    whole = linear_cka(a, b, debiased=True)
    parts = [linear_cka(a[s : s + 100], b[s : s + 100], debiased=True) for s in range(0, 4000, 100)]
    assert np.mean(parts) == pytest.approx(whole, abs=4 * np.std(parts) / np.sqrt(40))
    assert linear_cka(a, b) == pytest.approx(whole, abs=0.02)


def test_tensors_are_taken_and_a_large_mean_does_no_harm() -> None:
    a, b = pair(30, 5, 6, 0)
    plain = similarity(a, b).numbers
    shifted = similarity(torch.tensor(a + 1e4, requires_grad=True), torch.tensor(b)).numbers
    assert shifted == pytest.approx(plain, rel=1e-6)


A = np.arange(12.0).reshape(6, 2) ** 2


@pytest.mark.parametrize(
    ("a", "b", "sentence"),
    [
        (np.full((6, 3), 0.1), A, "a must differ between items"),
        (A, np.zeros((6, 3)), "b must differ between items"),
        (A, A[:5], "got 6 and 5"),
        (A, A[:, 0], r"b must be .*\[n, D\], got shape \(6,\)"),
        (A[:0], A[:0], r"a must be .*got shape \(0, 2\)"),
        (A * np.nan, A, "a must be finite, but item 0"),
        (np.eye(6)[:, :1], A, "the features differ in only one item"),
    ],
    ids=["constant", "zero", "lengths", "one axis", "no items", "nan", "one item differs"],
)  # fmt: skip
def test_bad_input(a, b, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        similarity(a, b)


def test_three_items_are_too_few_for_the_debiased_estimate_alone() -> None:
    found = similarity(A[:3], A[:3])
    assert found.numbers == {"cka": pytest.approx(1), "cka_debiased": None}
    assert "at least four items, got 3" in found.notes[0]
