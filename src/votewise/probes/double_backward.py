"""Implementations of convolution, batch norm and ReLU that are fast to differentiate twice, for any module that uses them.

A convolution is linear in its input and in its weight, so its second derivatives are convolutions again: one for each of <g, w * u>, <g, v * x> and so
on. The double backward of torch does not use this, and it fills and adds zeros for ReLU. Batch norm with frozen statistics is a scale and a shift
of each channel: after a convolution it is folded into the weights of that layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from votewise.errors import VotewiseError

_aten = torch.ops.aten
_RELU = (F.relu, torch.relu, Tensor.relu)
_RELU_IN_PLACE = (torch.relu_, Tensor.relu_)


class FastDoubleBackward(TorchFunctionMode):
    """While active, the three functions use the fast implementation; values and derivatives stay the same."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in _RELU:
            return _relu(*args, **kwargs)
        if func in _RELU_IN_PLACE:
            return _relu(*args, **kwargs | {"inplace": True})
        if func is torch.conv2d:
            return _convolution(*args, **kwargs)
        if func is F.batch_norm:
            return _batch_norm(*args, **kwargs)
        return func(*args, **kwargs)


def _relu(input: Tensor, inplace: bool = False) -> Tensor:
    out: Tensor = _Relu.apply(input, inplace)  # type: ignore[no-untyped-call]  # torch does not type Function.apply
    return out


def _convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    if isinstance(padding, str) or input.ndim != 4:
        return torch.conv2d(input, weight, bias, stride, padding, dilation, groups)
    shape = ([*_pair(stride)], [*_pair(padding)], [*_pair(dilation)], False, [0, 0], groups)
    out: Tensor = _Convolution.apply(input, _channels_last(weight), bias, shape, [])  # type: ignore[no-untyped-call]  # torch does not type Function.apply
    out.convolution = (out._version, input, weight, bias, shape)  # type: ignore[attr-defined]  # stored on the tensor for a batch norm that follows the convolution
    return out


def _batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    if training or running_mean is None or running_var is None:
        raise VotewiseError(
            "batch norm uses the statistics of the batch, so the loss of an example depends on the other examples",
            remedy="pass a model whose batch norms track running statistics, in evaluation mode",
        )
    scale = torch.rsqrt(running_var + eps)
    scale = scale if weight is None else scale * weight
    shift = -running_mean * scale if bias is None else bias - running_mean * scale
    along = (-1,) + (1,) * (input.ndim - 2)
    convolution: Any = getattr(input, "convolution", None)
    if (
        convolution is None or convolution[0] != input._version
    ):  # x is not the output of a convolution, or has been changed since
        return input * scale.view(along) + shift.view(along)
    _, x, w, b, shape = convolution
    with torch.no_grad():
        value = torch.addcmul(shift.view(along), input, scale.view(along))
    shift = shift if b is None else shift + b * scale
    w = _channels_last(w * scale.view(-1, 1, 1, 1))
    folded: Tensor = _Convolution.apply(x, w, shift, shape, [value])  # type: ignore[no-untyped-call]  # torch does not type Function.apply
    return folded


def _pair(value: int | Sequence[int]) -> Sequence[int]:
    return (value, value) if isinstance(value, int) else value


def _channels_last(weight: Tensor) -> Tensor:
    """The memory layout that is faster on a CPU and not slower elsewhere; outputs inherit it."""
    return weight.contiguous(memory_format=torch.channels_last)


class _Convolution(torch.autograd.Function):
    """Convolution of x [n, I, H, W] with w [O, I / groups, h, w] plus b [O]; `known` contains the result if it was computed before."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, b: Tensor | None, shape: Any, known: list[Tensor]) -> Tensor:
        ctx.save_for_backward(x, w)
        ctx.shape, ctx.bias = shape, None if b is None else [len(b)]
        return known[0] if known else _aten.convolution(x, w, b, *shape)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, w = ctx.saved_tensors
        wanted = [*ctx.needs_input_grad[:3]]
        return *_Gradients.apply(x, w, g, ctx.shape, ctx.bias, wanted), None, None  # type: ignore[no-untyped-call]  # torch does not type Function.apply


class _Gradients(torch.autograd.Function):
    """The gradients of <g, w * x + b> with respect to x, w and b. The backward pass gives those of <g, w * u> + <g, v * x + c> with respect to x, w and g."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, g: Tensor, shape: Any, bias: Any, wanted: list[bool]) -> Any:
        ctx.save_for_backward(x, w, g)
        ctx.shape = shape
        ctx.set_materialize_grads(False)
        return _aten.convolution_backward(g, x, w, bias, *shape, wanted)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, u: Tensor | None, v: Tensor | None, c: Tensor | None) -> Any:
        x, w, g = ctx.saved_tensors
        by_x = by_w = by_g = None
        if v is not None:
            v = _channels_last(v)
            by_g = _aten.convolution(x, v, c, *ctx.shape)
            if ctx.needs_input_grad[0]:
                by_x = _aten.convolution_backward(g, x, v, None, *ctx.shape, [True, False, False])[0]
        elif c is not None:
            by_g = c.view(-1, 1, 1).expand_as(g)
        if u is not None:
            other = _aten.convolution(u, w, None, *ctx.shape)
            by_g = other if by_g is None else other.add_(by_g)
            if ctx.needs_input_grad[1]:
                by_w = _aten.convolution_backward(g, u, w, None, *ctx.shape, [False, True, False])[1]
        return by_x, by_w, by_g, None, None, None


class _Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, inplace: bool) -> Tensor:
        if inplace:
            ctx.mark_dirty(x)
        out = x.clamp_min_(0) if inplace else x.clamp_min(0)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        return _Mask.apply(g, *ctx.saved_tensors), None  # type: ignore[no-untyped-call]  # torch does not type Function.apply


class _Mask(torch.autograd.Function):
    """The part of g where `out` is above zero: linear in g, and constant in `out` wherever it has a derivative."""

    @staticmethod
    def forward(ctx: Any, g: Tensor, out: Tensor) -> Tensor:
        ctx.save_for_backward(out)
        return _aten.threshold_backward(g, out, 0)  # type: ignore[no-any-return]  # operators of aten are untyped

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, u: Tensor) -> Any:
        return _aten.threshold_backward(u, *ctx.saved_tensors, 0), None
