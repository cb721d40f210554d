"""Methods are told apart by colour, shape and dash, on a light and on a dark page, by people who see fewer colours too."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from votewise.evidence.methods import DETECTORS, METHODS, in_order, look
from votewise.evidence.published import published

# What people without one kind of cone see, on linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SEEN = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]])
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> np.ndarray:
    c = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    t = XYZ @ np.clip(rgb, 0, 1) / WHITE
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(first: str, second: str) -> float:
    low, high = sorted(float(XYZ[1] @ linear(colour)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def test_the_yardstick_knows_black_white_and_grey():
    assert lab(linear("#FFFFFF")) == pytest.approx([100, 0, 0], abs=0.02)
    assert lab(linear("#000000")) == pytest.approx([0, 0, 0], abs=1e-9)
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21, abs=1e-3)
    red, green = linear("#B00000"), linear("#506000")  # told apart by nobody without green cones
    seen = np.array(SEEN["deuteranopia"])
    assert np.linalg.norm(lab(seen @ red) - lab(seen @ green)) < np.linalg.norm(lab(red) - lab(green)) / 2


@pytest.mark.parametrize("eyes", list(SEEN))
def test_any_two_colours_are_far_apart(eyes):
    seen = {name: lab(np.array(SEEN[eyes]) @ linear(each.colour)) for name, each in METHODS.items()}
    closest = min(np.linalg.norm(seen[one] - seen[two]) for one, two in combinations(seen, 2))
    assert closest > 15  # a difference of 2.3 is just noticeable


@pytest.mark.parametrize("method", list(METHODS))
def test_a_colour_stands_out_on_a_light_and_on_a_dark_page(method):
    needed = 3 if method in ("soft", "sls", "multipass", "deterministic", "majority") else 2
    assert contrast(METHODS[method].colour, "#FFFFFF") > needed
    assert contrast(METHODS[method].colour, "#14171C") > needed


def test_shape_and_dash_tell_methods_apart_without_colour():
    assert len({each.shape for each in METHODS.values()}) == len(METHODS)
    assert len({each.dash for each in METHODS.values()}) == len(METHODS)


def test_names_are_those_of_the_paper():
    assert {method: each.name for method, each in METHODS.items()} == dict(published().data["method"])
    assert dict(published().data["detector"]) == DETECTORS


def test_a_stranger_keeps_its_name_and_comes_last():
    assert look("<b>mine</b>").name == "<b>mine</b>"
    assert in_order(["mine", "sls", "soft", "sls"]) == ["soft", "sls", "mine"]
