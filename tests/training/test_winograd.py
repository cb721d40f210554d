"""Winograd's convolution is the convolution: the same outputs and gradients as torch's, and only where it is meant."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from votewise.training.kernels.winograd import CHANNELS, Conv3x3, Winograd
from votewise.training.models import build

pixels = st.integers(1, 3).map(lambda tiles: 4 * tiles)


def direct(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return nn.functional.conv2d(x, w, padding=1)


def outcome(convolve: object, x: torch.Tensor, w: torch.Tensor, by_y: torch.Tensor) -> tuple[torch.Tensor, ...]:
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    y = convolve(x, w)  # type: ignore[operator]
    return y.detach(), *torch.autograd.grad(y, (x, w), by_y.to(y.dtype))


@given(
    n=st.integers(1, 3),
    inside=st.integers(1, 4),
    outside=st.integers(1, 4),
    height=pixels,
    width=pixels,
    seed=st.integers(0, 9),
)
def test_outputs_and_gradients_are_those_of_a_direct_convolution(
    n: int, inside: int, outside: int, height: int, width: int, seed: int
) -> None:
    draw = torch.Generator().manual_seed(seed)
    x = torch.randn(n, inside, height, width, generator=draw, dtype=torch.float64)
    w = torch.randn(outside, inside, 3, 3, generator=draw, dtype=torch.float64)
    by_y = torch.randn(n, outside, height, width, generator=draw, dtype=torch.float64)
    for ours, theirs in zip(outcome(Winograd.apply, x, w, by_y), outcome(direct, x, w, by_y), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("channels", "side"), [(64, 8), (128, 4), (64, 32)])
def test_float32_is_right_to_a_hundred_thousandth(channels: int, side: int) -> None:
    draw = torch.Generator().manual_seed(0)
    x = torch.randn(16, channels, side, side, generator=draw).relu()
    w = torch.randn(channels, channels, 3, 3, generator=draw) / (9 * channels) ** 0.5
    by_y = torch.randn(16, channels, side, side, generator=draw)
    exact = outcome(direct, x.double(), w.double(), by_y)
    for ours, right in zip(outcome(Winograd.apply, x, w, by_y), exact, strict=True):
        assert float((ours - right).abs().max() / right.abs().max()) < 2e-5


@pytest.mark.parametrize("change", ["evaluation", "few channels", "odd side", "default format", "float64", "bfloat16"])
def test_the_direct_convolution_stays_where_winograd_is_not_meant(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("Winograd's way was taken")

    channels, side = (CHANNELS // 2 if change == "few channels" else CHANNELS), (6 if change == "odd side" else 8)
    layer = Conv3x3(channels, channels).train(change != "evaluation")
    x = torch.randn(2, channels, side, side).to(memory_format=torch.channels_last)
    if change == "default format":
        x = x.contiguous()
    if change == "float64":
        layer, x = layer.double(), x.double()
    monkeypatch.setattr(Winograd, "apply", refuse)
    with torch.autocast("cpu", torch.bfloat16, enabled=change == "bfloat16"):
        assert layer(x).shape == x.shape
    with pytest.raises(AssertionError, match="Winograd"):
        Conv3x3(CHANNELS, CHANNELS)(torch.randn(2, CHANNELS, 8, 8).to(memory_format=torch.channels_last))


def test_a_net_in_training_takes_it_and_learns_the_same() -> None:
    torch.manual_seed(0)
    net = build("resnet8", (32, 32, 3), 10).to(memory_format=torch.channels_last)
    x, y = torch.randn(32, 3, 32, 32).to(memory_format=torch.channels_last), torch.randint(0, 10, (32,))
    found = []
    for form in (torch.channels_last, torch.contiguous_format):  # the default format takes the direct way
        loss = nn.functional.cross_entropy(net(x.contiguous(memory_format=form)), y)
        found.append(torch.autograd.grad(loss, list(net.parameters())))
        net.to(memory_format=torch.contiguous_format)
    assert any(not torch.equal(a, b) for a, b in zip(*found, strict=True))
    for ours, theirs in zip(*found, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-4)
