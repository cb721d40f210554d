"""Forward passes over many inputs in chunks, and the model checks that every probe runs first.

A model is any `nn.Module` in evaluation mode that returns logits [n, C]; see `votewise.probes.validation` for the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from votewise.errors import VotewiseError
from votewise.limits import whole_number
from votewise.probes.names import CHUNK
from votewise.probes.out_of_memory import enough_memory, out_of_memory
from votewise.probes.validation import F32, F64, Inputs, as_inputs, tensor_of

Features = nn.Module | Callable[[Tensor], Tensor]

_SHOWN = 200  # maximum number of characters of a torch error in a message


@dataclass(frozen=True, eq=False)
class Outputs:
    """Logits [n, C] and the penultimate layer [n, D] of n inputs."""

    logits: F64
    features: F32


def check_model(model: nn.Module) -> None:
    """Raise if the argument is not a model, is in training mode, or has weights that are not finite."""
    if not isinstance(model, nn.Module):
        got = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
        raise VotewiseError(f"model must be a torch.nn.Module that returns logits [n, C], got {got}")
    if any(module.training for module in model.modules()):
        raise VotewiseError("the model is in training mode", remedy="call model.eval() first")
    check_finite(model.state_dict(), "the model")


def check_finite(state: Mapping[str, Tensor], owner: str) -> None:
    """Raise if weights or buffers are not finite."""
    for name, tensor in state.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise VotewiseError(
                f"{name!r} of {owner} is not finite", remedy="use a checkpoint from before training diverged"
            )


def chunks(count: int, chunk: int) -> Iterator[slice]:
    """Slices of at most `chunk` items that cover `count` items.

    >>> [(part.start, part.stop) for part in chunks(5, 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    whole_number("chunk", chunk, 1)
    return (slice(start, min(start + chunk, count)) for start in range(0, count, chunk))


def inputs(model: nn.Module, x: Inputs, part: slice) -> Tensor:
    """The inputs in `part` on the device of the model; floats have the precision of the model."""
    tensor = tensor_of(x, part)
    for own in chain(model.parameters(), model.buffers()):
        if own.is_floating_point():
            return tensor.to(own.device, own.dtype) if tensor.is_floating_point() else tensor.to(own.device)
    return tensor


def answer(model: nn.Module, x: Tensor, classes: int | None = None) -> Tensor:
    """Logits [n, C] of one chunk; an error of the model names the shape and type of the inputs."""
    try:
        logits = model(x)
    except (RuntimeError, TypeError, ValueError, IndexError, AssertionError) as error:
        if out_of_memory(error):
            raise
        message = " ".join(str(error).split())[:_SHOWN]
        raise VotewiseError(
            f"the model fails on inputs of shape {tuple(x.shape)} and type {str(x.dtype).removeprefix('torch.')}: {message}",
            remedy="pass x as you would to model(x)",
        ) from error
    if not isinstance(logits, Tensor) or logits.ndim != 2 or len(logits) != len(x) or logits.shape[1] < 2:
        got = f"shape {tuple(logits.shape)}" if isinstance(logits, Tensor) else f"type {type(logits).__name__}"
        raise VotewiseError(f"the model must return logits [n, C] with C > 1, got {got}")
    if classes is not None and logits.shape[1] != classes:
        raise VotewiseError(f"the model has {logits.shape[1]} classes, but the votes have {classes}")
    return logits


def forward(model: nn.Module, x: Tensor, features: Features | None = None) -> tuple[Tensor, Tensor]:
    """Logits [n, C] and penultimate layer [n, D] of one chunk, in one pass.

    The penultimate layer is the input of `model.head`. For a model without `head` it is the output of `features`: a layer of the
    model, or a function of the inputs.
    """
    caught: list[Any] = []
    if isinstance(features, nn.Module) and any(features is module for module in model.modules()):
        hook = features.register_forward_hook(lambda _, __, output: caught.append(output))
    elif features is not None:
        return answer(model, x), _flat(features(x))
    elif isinstance(head := getattr(model, "head", None), nn.Module):
        hook = head.register_forward_pre_hook(lambda _, args: caught.append(args[0]))
    else:
        raise VotewiseError(
            f"{type(model).__name__} has no attribute `head`, its last layer",
            remedy="pass features=, the layer whose output is the penultimate layer [n, D] (or a function of the inputs), or name the last layer `head`",
        )
    try:
        logits = answer(model, x)
    finally:
        hook.remove()
    if not caught:
        raise VotewiseError("the layer in features= is not used by the model", remedy="pass another layer")
    return logits, _flat(caught[-1])


def _flat(features: Any) -> Tensor:
    """Features [n, D]; pooled maps [n, D, 1, 1] are accepted."""
    if not isinstance(features, Tensor) or features.ndim < 2 or features[0].numel() != features.shape[1]:
        got = f"shape {tuple(features.shape)}" if isinstance(features, Tensor) else type(features).__name__
        raise VotewiseError(f"the penultimate layer must have shape [n, D], got {got}")
    return features.flatten(1)


@torch.no_grad()
def outputs(model: nn.Module, x: Inputs, *, features: Features | None = None, chunk: int = CHUNK) -> Outputs:
    """Logits and penultimate layer of a model: the input of `noise` and `linear_cka`.

    Args:
        model: a model in evaluation mode that returns logits [n, C].
        x: inputs [n, ...].
        features: the layer whose output is the penultimate layer (`model.avgpool` of a torchvision ResNet), or a function of the inputs;
            needed if the last layer of the model is not called `head`.
        chunk: examples at a time.

    Returns:
        `logits` [n, C] and `features` [n, D].

    >>> body = nn.Linear(2, 3)
    >>> found = outputs(nn.Sequential(body, nn.Linear(3, 4)).eval(), [[0.0, 1.0], [1.0, 1.0]], features=body)
    >>> found.logits.shape, found.features.shape
    ((2, 4), (2, 3))
    """
    check_model(model)
    x = as_inputs(x)
    logits, penultimate = [], []
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            z, h = forward(model, inputs(model, x, part), features)
            logits.append(z.double().cpu())
            penultimate.append(h.float().cpu())
    return Outputs(finite(torch.cat(logits).numpy()), torch.cat(penultimate).numpy())


def finite(logits: F64) -> F64:
    """Return the logits [n, C], or raise an error that names the first item whose logits are not finite."""
    wrong = ~np.isfinite(logits).all(axis=1)
    if wrong.any():
        raise VotewiseError(f"the logits of item {int(wrong.argmax())} are not finite", remedy="check that input")
    return logits


@torch.no_grad()
def mean_soft_nll(model: nn.Module, x: Inputs, p: F64, chunk: int = CHUNK) -> float:
    """Mean over items of -sum p log q, also if the last chunk is smaller than the others."""
    total = 0.0
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            log_q = answer(model, inputs(model, x, part), p.shape[1]).double().log_softmax(1).cpu()
            # Not `soft_nll_per_item`, because the bits of stored readings must not change.
            total -= float((torch.from_numpy(p[part]) * log_q).sum())
    return total / len(x)
