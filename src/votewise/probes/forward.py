"""What a model says of many inputs, a chunk at a time: the checks that every probe makes first, and one pass.

A model is any `nn.Module` in evaluation mode that gives logits [n, C]; what inputs `x` may be, `votewise.probes.arrays` says.
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
from votewise.probes.arrays import F32, F64, Inputs, as_inputs, tensor_of
from votewise.probes.memory import enough_memory

Features = nn.Module | Callable[[Tensor], Tensor]

CHUNK = 512
_SHOWN = 200  # characters of what torch says


@dataclass(frozen=True, eq=False)
class Outputs:
    """Logits [n, C] and the penultimate layer [n, D] of n inputs."""

    logits: F64
    features: F32


def check_model(model: nn.Module) -> None:
    """Refuse what is no model, or one whose numbers would not be its own: in training mode, or with weights that are no numbers."""
    if not isinstance(model, nn.Module):
        what = f"the class {model.__name__}" if isinstance(model, type) else f"of type {type(model).__name__}"
        raise VotewiseError(f"the model is {what}", remedy="give a torch.nn.Module that returns logits [n, C]")
    if any(module.training for module in model.modules()):
        raise VotewiseError("the model is in training mode", remedy="call model.eval() first")
    check_finite(model.state_dict(), "the model")


def check_finite(state: Mapping[str, Tensor], whose: str) -> None:
    """Refuse weights or buffers that are not all finite."""
    for name, tensor in state.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise VotewiseError(
                f"{name!r} of {whose} has a value that is not a finite number",
                remedy="use a checkpoint from before the training diverged",
            )


def chunks(count: int, chunk: int) -> Iterator[slice]:
    """Slices of at most `chunk` items that cover `count` of them.

    >>> [(part.start, part.stop) for part in chunks(5, 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    if chunk < 1:
        raise VotewiseError(f"a chunk of {chunk} items", remedy="give a chunk of at least 1")
    return (slice(start, min(start + chunk, count)) for start in range(0, count, chunk))


def inputs(model: nn.Module, x: Inputs, part: slice) -> Tensor:
    """The inputs in `part` where the weights of the model are, floats in their precision."""
    tensor = tensor_of(x, part)
    for own in chain(model.parameters(), model.buffers()):
        if own.is_floating_point():
            return tensor.to(own.device, own.dtype) if tensor.is_floating_point() else tensor.to(own.device)
    return tensor


def answer(model: nn.Module, x: Tensor, classes: int | None = None) -> Tensor:
    """Logits [n, C] of one chunk; what the model says of inputs that it cannot take becomes a sentence."""
    try:
        logits = model(x)
    except (RuntimeError, TypeError, ValueError, IndexError, AssertionError) as error:
        said = " ".join(str(error).split())
        if isinstance(error, torch.OutOfMemoryError) or "allocate memory" in said:
            raise
        raise VotewiseError(
            f"the model fails on inputs of shape {tuple(x.shape)} and type {str(x.dtype).removeprefix('torch.')}: {said[:_SHOWN]}",
            remedy="give x as you would pass it to model(x)",
        ) from error
    if not isinstance(logits, Tensor) or logits.ndim != 2 or len(logits) != len(x) or logits.shape[1] < 2:
        shown = f"the shape {tuple(logits.shape)}" if isinstance(logits, Tensor) else f"type {type(logits).__name__}"
        raise VotewiseError(f"the model's answer has {shown}", remedy="give a model that returns logits [n, C], C > 1")
    if classes is not None and logits.shape[1] != classes:
        raise VotewiseError(
            f"the model knows {logits.shape[1]} classes and the distributions {classes}",
            remedy="give the model and the votes of one task",
        )
    return logits


def forward(model: nn.Module, x: Tensor, features: Features | None = None) -> tuple[Tensor, Tensor]:
    """Logits [n, C] and penultimate layer [n, D] of one chunk, in one pass.

    The penultimate layer is what goes into `model.head`. For a model without one it is what comes out of `features`: a layer of the
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
            f"{type(model).__name__} has no last layer called 'head'",
            remedy="give features=, the layer whose output is the penultimate layer [n, D], or a function of the inputs",
        )
    try:
        logits = answer(model, x)
    finally:
        hook.remove()
    if not caught:
        raise VotewiseError("the layer of features= is not used by the model", remedy="give another layer")
    return logits, _flat(caught[-1])


def _flat(features: Any) -> Tensor:
    """Features [n, D]; pooled maps [n, D, 1, 1] are such."""
    shape = tuple(features.shape) if isinstance(features, Tensor) else type(features).__name__
    if not isinstance(features, Tensor) or features.ndim < 2 or features[0].numel() != features.shape[1]:
        raise VotewiseError(f"the penultimate layer has the shape {shape}", remedy="give features of shape [n, D]")
    return features.flatten(1)


@torch.no_grad()
def outputs(model: nn.Module, x: Inputs, *, features: Features | None = None, chunk: int = CHUNK) -> Outputs:
    """Logits [n, C] and penultimate layer [n, D] of all inputs x [n, ...]: what `noise` and `linear_cka` want of a model.

    `features` is for a model whose last layer is not called `head`: the layer whose output is the penultimate layer (of a torchvision
    ResNet `model.avgpool`), or a function of the inputs.

    >>> body = nn.Linear(2, 3)
    >>> found = outputs(nn.Sequential(body, nn.Linear(3, 4)).eval(), [[0.0, 1.0], [1.0, 1.0]], features=body)
    >>> found.logits.shape, found.features.shape
    ((2, 4), (2, 3))
    """
    check_model(model)
    x = as_inputs(x)
    logits, seen = [], []
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            z, h = forward(model, inputs(model, x, part), features)
            logits.append(z.double().cpu())
            seen.append(h.float().cpu())
    return Outputs(finite(torch.cat(logits).numpy()), torch.cat(seen).numpy())


def finite(logits: F64) -> F64:
    """Logits [n, C] as they are, or an error that names the first item whose are not finite."""
    wrong = ~np.isfinite(logits).all(axis=1)
    if wrong.any():
        raise VotewiseError(
            f"the model's answer to item {int(wrong.argmax())} is not a finite number", remedy="look at that input"
        )
    return logits


@torch.no_grad()
def mean_soft_nll(model: nn.Module, x: Inputs, p: F64, chunk: int = CHUNK) -> float:
    """Mean over items of -sum p log q: over items and not over chunks, so that a short last chunk counts for what it is."""
    total = 0.0
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            log_q = answer(model, inputs(model, x, part), p.shape[1]).double().log_softmax(1).cpu()
            total -= float(
                (torch.from_numpy(p[part]) * log_q).sum()
            )  # one sum, not `soft_nll_per_item`: stored readings keep their bits
    return total / len(x)
