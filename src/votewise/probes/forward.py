"""What a model says of many inputs, a chunk at a time: the checks that every probe makes first, and one pass.

A model is any `nn.Module` in evaluation mode that gives logits [n, C]. Inputs `x` are a tensor [n, ...] or anything with
`len(x)` and `x[slice]`, so that only a chunk has to be in memory as floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from votewise.errors import VotewiseError, counted

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
Features = Callable[[Tensor], Tensor]

CHUNK = 512


class Inputs(Protocol):
    """A tensor [n, ...], or what gives one chunk of it at a time."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> Tensor: ...


@dataclass(frozen=True, eq=False)
class Outputs:
    """Logits [n, C] and the penultimate layer [n, D] of n inputs."""

    logits: F64
    features: F32


def check_model(model: nn.Module) -> None:
    """Refuse a model whose numbers would not be its own: in training mode, or with weights that are no numbers."""
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


def check_inputs(x: Inputs, what: str = "inputs") -> None:
    """Refuse an empty set of inputs."""
    if len(x) == 0:
        raise VotewiseError(f"there are no {what}", remedy="give at least one item")


def chunks(count: int, chunk: int) -> Iterator[slice]:
    """Slices of at most `chunk` items that cover `count` of them.

    >>> [(part.start, part.stop) for part in chunks(5, 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    if chunk < 1:
        raise VotewiseError(f"a chunk of {chunk} items", remedy="give a chunk of at least 1")
    return (slice(start, min(start + chunk, count)) for start in range(0, count, chunk))


@contextmanager
def enough_memory(chunk: int) -> Iterator[None]:
    """Turns an allocation that failed into a sentence."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, MemoryError | torch.OutOfMemoryError) or "allocate memory" in str(error):
            raise VotewiseError(
                f"there is not enough memory for {counted(chunk, 'item')} at a time", remedy="give a smaller chunk"
            ) from None
        raise


def device_of(model: nn.Module) -> torch.device:
    """Where the weights of a model are."""
    return next((tensor.device for tensor in model.state_dict().values()), torch.device("cpu"))


def forward(model: nn.Module, x: Tensor, features: Features | None = None) -> tuple[Tensor, Tensor]:
    """Logits [n, C] and penultimate layer [n, D] of one chunk, in one pass.

    The penultimate layer is what goes into `model.head`; for a model without one, `features` gives it.
    """
    if features is not None:
        return _logits(model(x)), _flat(features(x))
    head = getattr(model, "head", None)
    if not isinstance(head, nn.Module):
        raise VotewiseError(
            f"{type(model).__name__} has no last layer called 'head'",
            remedy="give features=, a function from inputs to the penultimate layer [n, D]",
        )
    caught: list[Tensor] = []
    hook = head.register_forward_pre_hook(lambda _, args: caught.append(args[0]))
    try:
        logits = _logits(model(x))
    finally:
        hook.remove()
    return logits, _flat(caught[-1])


def _flat(features: Tensor) -> Tensor:
    if features.ndim != 2:
        raise VotewiseError(
            f"the penultimate layer has the shape {tuple(features.shape)}", remedy="give features of shape [n, D]"
        )
    return features


def _logits(logits: Any) -> Tensor:
    if not isinstance(logits, Tensor) or logits.ndim != 2 or logits.shape[1] < 2:
        shown = f"the shape {tuple(logits.shape)}" if isinstance(logits, Tensor) else f"type {type(logits).__name__}"
        raise VotewiseError(f"the model's answer has {shown}", remedy="give a model that returns logits [n, C], C > 1")
    return logits


@torch.no_grad()
def outputs(model: nn.Module, x: Inputs, *, features: Features | None = None, chunk: int = CHUNK) -> Outputs:
    """Logits and penultimate layer of all inputs; `features` for a model whose last layer is not called `head`."""
    check_model(model)
    check_inputs(x)
    device = device_of(model)
    logits, seen = [], []
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            z, h = forward(model, x[part].to(device), features)
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
    device, total = device_of(model), 0.0
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            log_q = _logits(model(x[part].to(device))).double().log_softmax(1).cpu()
            if log_q.shape[1] != p.shape[1]:
                raise VotewiseError(
                    f"the model knows {log_q.shape[1]} classes and the distributions {p.shape[1]}",
                    remedy="give the model and the votes of one task",
                )
            total -= float((torch.from_numpy(p[part]) * log_q).sum())
    return total / len(x)
