"""The gradient noise of label sampling: Proposition 1 against gradients that autograd made."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy, spearmanr

from nets import distributions, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.forward import outputs
from votewise.probes.gradient_noise import noise, sampled_variance, variance


def gradients(model, x):
    """The gradient of the last layer for every item and every label [n, C, (D + 1) C], one backward pass each."""
    found = []
    for item in x:
        rows = []
        for label in range(4):
            loss = torch.nn.functional.cross_entropy(model(item[None]).double(), torch.tensor([label]))
            parts = torch.autograd.grad(loss, list(model.head.parameters()))
            rows.append(torch.cat([part.flatten() for part in parts]).double())
        found.append(torch.stack(rows))
    return torch.stack(found).numpy()


def test_the_closed_form_is_the_variance_of_autograds_gradients() -> None:
    model, x, p = net(), pictures(12), distributions(12)
    gradient = gradients(model, x)
    mean = np.einsum("nc,ncd->nd", p, gradient)
    expected = (p * np.square(gradient - mean[:, None]).sum(axis=2)).sum(axis=1)
    assert variance(outputs(model, x).features, p) == pytest.approx(expected, rel=1e-4, abs=1e-5)


def test_the_sampled_one_is_the_variance_of_drawn_gradients() -> None:
    """Every label can be drawn: the variance of a drawn label's gradient is linear in how often it was drawn."""
    model, x = net(), pictures(6)
    features, gradient = outputs(model, x).features, gradients(model, x)
    p = np.tile([0.5, 0.5, 0.0, 0.0], (6, 1))
    drawn = sampled_variance(features, p, draws=25)
    for item in range(6):
        possible = [np.var(np.repeat(gradient[item, :2], (k, 25 - k), axis=0), axis=0, ddof=1).sum() for k in range(26)]
        assert np.abs(np.array(possible) - drawn[item]).min() <= 1e-4 * max(possible)


def test_sampling_is_unbiased() -> None:
    p = distributions(40, seed=2)
    features = np.random.default_rng(0).normal(size=(40, 6))
    drawn = np.array([sampled_variance(features, p, draws=10, seed=seed) for seed in range(400)])
    z = (drawn.mean(axis=0) - variance(features, p)) / np.maximum(drawn.std(axis=0, ddof=1) / 20, 1e-12)
    assert np.abs(z).max() < 4.5


def test_a_draw_belongs_to_its_row_and_not_to_its_place() -> None:
    p, features = distributions(30), np.ones((30, 2))
    some = np.array([4, 17, 29])
    whole = sampled_variance(features, p, draws=20, seed=3)
    assert np.array_equal(sampled_variance(features[some], p[some], draws=20, seed=3, rows=some), whole[some])
    assert not np.array_equal(sampled_variance(features, p, draws=20, seed=4), whole)


@given(st.integers(0, 1000), st.integers(2, 6))
def test_one_label_has_no_noise_and_certainty_draws_the_same_label(seed, classes) -> None:
    rng = np.random.default_rng(seed)
    p = np.eye(classes)[rng.integers(0, classes, 9)]
    features = rng.normal(size=(9, 3))
    assert (variance(features, p) == 0).all()
    assert (sampled_variance(features, p, draws=7, seed=seed) == 0).all()
    even = np.full((9, classes), 1 / classes)
    length = np.square(features).sum(axis=1)
    assert variance(features, even) == pytest.approx((length + 1) * (1 - 1 / classes))
    assert variance(features, even, bias=False) == pytest.approx(length * (1 - 1 / classes))


def test_the_numbers_are_scipys() -> None:
    model, x, p = net(), pictures(120), distributions(120)
    features = outputs(model, x).features
    found = noise(features, p, draws=100, seed=1)
    exact, drawn, unsure = variance(features, p), sampled_variance(features, p, seed=1), entropy(p, axis=1).round(12)
    open_, gini = unsure > 0, 1 - (p**2).sum(axis=1)
    assert 0 < open_.sum() < 120
    expected = {
        "noise_correlation": spearmanr(unsure, exact).statistic,
        "noise_correlation_sampled": spearmanr(unsure, drawn).statistic,
        "noise_correlation_disputed": spearmanr(unsure[open_], exact[open_]).statistic,
        "noise_share_high": exact[np.argsort(-unsure, kind="stable")[:12]].sum() / exact.sum(),
        "noise_share_votes": gini[np.argsort(-unsure, kind="stable")[:12]].sum() / gini.sum(),
        "noise_agreement": spearmanr(exact, drawn).statistic,
    }
    assert found.numbers == pytest.approx(expected)
    assert found.curves["items"]["entropy"] == sorted(found.curves["items"]["entropy"])
    assert len(found.curves["items"]["variance"]) == 120


def test_features_of_equal_length_leave_nothing_but_disagreement() -> None:
    """1 - ‖p‖² and entropy nearly agree on an order; of two classes they agree entirely."""
    p = distributions(200, classes=2)
    found = noise(np.ones((200, 3)), p).numbers
    assert found["noise_correlation"] == found["noise_correlation_disputed"] == 1.0


def test_the_curve_has_at_most_500_items_from_the_least_to_the_most_disputed() -> None:
    p = distributions(1300, votes=60)
    curve = noise(np.ones((1300, 2)), p, draws=5).curves["items"]
    assert len(curve["entropy"]) == len(curve["variance"]) == 500
    unsure = entropy(p, axis=1)
    assert (curve["entropy"][0], curve["entropy"][-1]) == pytest.approx((unsure.min(), unsure.max()))


def test_one_disputed_item_has_no_correlation_among_the_disputed() -> None:
    p = np.eye(2)[[0, 1, 0, 1]]
    p[2] = 0.5
    found = noise(np.arange(8.0).reshape(4, 2), p)
    assert found.numbers["noise_correlation_disputed"] is None
    assert found.notes == ("noise_correlation_disputed: one of the two is the same for every item",)
    assert found.numbers["noise_share_high"] == 1.0


P, H = distributions(10), np.ones((10, 3))


@pytest.mark.parametrize(
    ("features", "p", "options", "sentence"),
    [
        (H, np.eye(4)[[0] * 10], {}, "all items are unanimous"),
        (H, P[:9], {}, "got 9 for 10"),
        (H, np.ones((10, 1)), {}, "two or more classes"),
        (H * np.nan, P, {}, "features must be finite"),
        (H[:, 0], P, {}, r"features must be .*got shape \(10,\)"),
        (H, P, {"draws": 1}, "draws must be at least 2 for a variance, got 1"),
        (H, P, {"rows": [1, 2]}, r"rows must be one integer per item \[10\], got shape \(2,\)"),
    ],
    ids=["unanimous", "lengths", "one class", "nan", "one axis", "one draw", "rows"],
)
def test_bad_input(features, p, options, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        noise(features, p, **options)
