"""Grad-CAM maps are captum's; their likeness is what NumPy and SciPy say of each pair of maps."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from captum.attr import LayerAttribution, LayerGradCam
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import center_of_mass
from scipy.stats import pearsonr
from torch import nn

from nets import Lazy, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.grad_cam import gradcam, likeness, stability


@pytest.mark.parametrize("name", ["digits", "resnet8"])
def test_maps_are_captums(name) -> None:
    model, x = net(3, name), pictures(9)
    classes = torch.tensor([0, 1, 2, 3, 0, 1, 2, 3, 3])
    expected = LayerGradCam(model, model.seen).attribute(x, classes, relu_attributions=True).detach()
    found = gradcam(model, model.seen, x, classes, chunk=4)
    resized = LayerAttribution.interpolate(expected, (10, 10), "bilinear")
    assert found == pytest.approx(resized[:, 0].numpy(), rel=1e-4, abs=1e-5)
    assert (found.max(axis=(1, 2)) > 0).sum() > 2


def test_a_layer_that_is_overwritten_in_place_is_seen_as_it_was() -> None:
    """A ReLU in place behind the layer: its input is what Grad-CAM looks at."""
    model, x = net(3), pictures(5)
    plain = net(3)
    plain.body[6] = nn.ReLU()
    found = gradcam(model, model.body[5], x, np.zeros(5, int))
    expected = LayerGradCam(plain, plain.body[5]).attribute(x, 0, relu_attributions=True).detach()
    resized = LayerAttribution.interpolate(expected, (10, 10), "bilinear")
    assert found == pytest.approx(resized[:, 0].numpy(), rel=1e-4, abs=1e-5)


def test_nothing_is_left_behind() -> None:
    model, x = net(), Lazy(pictures(11))
    found = gradcam(model, model.seen, x, np.arange(11) % 4, chunk=3)
    assert all(parameter.grad is None for parameter in model.parameters())
    assert not x.x.requires_grad
    assert not model.seen._forward_hooks
    assert x.longest == 3
    whole = gradcam(model, model.seen, x.x, torch.arange(11) % 4, chunk=11)
    assert found == pytest.approx(whole, rel=1e-4, abs=1e-5)


def test_it_works_inside_no_grad_and_on_frozen_weights() -> None:
    model = net()
    expected = gradcam(model, model.seen, pictures(3), [0, 1, 2])
    with torch.no_grad():
        assert np.array_equal(gradcam(model.requires_grad_(False), model.seen, pictures(3), [0, 1, 2]), expected)


@pytest.mark.parametrize(
    ("layer", "classes", "sentence"),
    [
        (lambda model: None, [0, 0], "layer is not a layer of this model; pass the layer"),
        (lambda model: nn.ReLU(), [0, 0], "layer is not a layer of this model"),
        (lambda model: model.head, [0, 0], r"the layer of Grad-CAM must map images"),
        (lambda model: model.seen, [0], r"classes must be one integer per image \[2\], got shape \(1,\)"),
        (lambda model: model.seen, [0.0, 1.0], "got .* type float64"),
        (lambda model: model.seen, [0, 4], "classes must be from 0 to 3, got 0 to 4"),
        (lambda model: model.seen, [-1, 0], "got -1 to 0"),
    ],
    ids=["none", "foreign layer", "no maps", "one short", "floats", "too large", "negative"],
)
def test_bad_input(layer, classes, sentence) -> None:
    model = net()
    with pytest.raises(VotewiseError, match=sentence):
        gradcam(model, layer(model), pictures(2), classes)


class Odd(nn.Module):
    """Uses one layer twice, and another never."""

    def __init__(self) -> None:
        super().__init__()
        self.twice, self.never = nn.Conv2d(1, 1, 1), nn.ReLU()
        self.head = nn.Linear(100, 2)

    def forward(self, x):
        return self.head(self.twice(self.twice(x)).flatten(1))


def test_a_layer_that_runs_twice_or_never_is_refused() -> None:
    model = Odd().eval()
    with pytest.raises(VotewiseError, match="is used more than once; pass another layer"):
        gradcam(model, model.twice, pictures(2), [0, 0])
    with pytest.raises(VotewiseError, match="is not used by the model"):
        gradcam(model, model.never, pictures(2), [0, 0])
    assert not model.twice._forward_hooks


def maps(count=12, size=(6, 7), seed=0, empty=0.5):
    rng = np.random.default_rng(seed)
    return np.maximum(rng.normal(size=(count, *size)) - empty, 0)


@given(st.integers(0, 500), st.sampled_from([(1, 2), (2, 2), (5, 5), (6, 7)]), st.sampled_from([0.0, 1.0, 2.0]))
def test_likeness_is_scipys(seed, size, empty) -> None:
    one, two = maps(6, size, seed, empty), maps(6, size, seed + 1000, empty)
    found = likeness(one, two)
    for item, (a, b) in enumerate(zip(one, two, strict=True)):
        if np.ptp(a) == 0 or np.ptp(b) == 0:
            assert np.isnan([found.correlation[item], found.overlap[item], found.distance[item]]).all()
            continue
        assert found.correlation[item] == pytest.approx(pearsonr(a.ravel(), b.ravel()).statistic, abs=1e-9)
        assert found.distance[item] == pytest.approx(np.hypot(*np.subtract(center_of_mass(a), center_of_mass(b))))
        hot = []
        for each in (a.ravel(), b.ravel()):
            size_of_a_fifth = -(-len(each) // 5)
            hot.append(
                {p for p in sorted(range(len(each)), key=lambda p, v=each: -v[p])[:size_of_a_fifth] if each[p] > 0}
            )
        assert found.overlap[item] == pytest.approx(len(hot[0] & hot[1]) / len(hot[0] | hot[1]))


def test_a_map_is_like_itself_at_any_scale() -> None:
    """Scales of 1e-30, as a saturated logit's gradient has, are no reason to lose it."""
    one = maps()
    found = likeness(one, one * 1e-30)
    assert found.correlation == pytest.approx(1)
    assert found.overlap == pytest.approx(1)
    assert found.distance == pytest.approx(0, abs=1e-9)


def test_empty_maps_are_left_out_and_counted() -> None:
    one, two = maps(), maps(seed=1)
    one[3], two[5], two[7] = 0, 0, 0.25
    told = [item for item in range(12) if item not in (3, 5, 7)]
    found = stability(one, two, [0, 3, 4])
    assert found.numbers["empty_maps"] == 3
    assert (found.numbers["items"], found.numbers["items_high"]) == (12, 3)
    kept = likeness(one[told], two[told])
    assert found.numbers["gradcam_correlation"] == pytest.approx(kept.correlation.mean())
    assert found.numbers["gradcam_overlap"] == pytest.approx(kept.overlap.mean())
    assert found.numbers["gradcam_distance"] == pytest.approx(kept.distance.mean())
    assert found.numbers["gradcam_correlation_high"] == pytest.approx(kept.correlation[[0, 3]].mean())
    assert found.notes == ()


def test_a_slice_without_maps_has_no_number_and_says_so() -> None:
    one = maps()
    one[:2] = 0
    found = stability(one, maps(seed=1), [0, 1])
    assert found.numbers["gradcam_correlation_high"] is None
    assert found.numbers["gradcam_correlation"] is not None
    assert "gradcam_distance_high: no item has two maps that are not constant" in found.notes


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        (maps(), maps(11), r"the same shape, got \(12, 6, 7\) and \(11, 6, 7\)"),
        (maps()[0], maps()[0], r"maps must be .*\[n, H, W\], got shape \(6, 7\)"),
        (maps() - 1, maps(), "maps must be non-negative, got -1"),
        (maps() * np.nan, maps(), "maps must be finite"),
    ],
    ids=["lengths", "one map", "negative", "nan"],
)
def test_maps_that_cannot_be_compared(one, two, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        stability(one, two, [0])
