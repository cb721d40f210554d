"""The loss along the straight line between two checkpoints (Frankle et al. 2020, Linear mode connectivity).

The batch-norm statistics of an average of two models are not the average of their statistics, so a barrier may be an artefact of wrong statistics. The
loss is therefore computed twice: with statistics interpolated like the weights, and with statistics re-estimated on training
inputs at every point (Jordan et al. 2023, REPAIR).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from votewise.errors import VotewiseError
from votewise.limits import whole_number
from votewise.probes.forward import answer, check_finite, check_model, inputs, mean_soft_nll
from votewise.probes.names import CHUNK
from votewise.probes.out_of_memory import enough_memory
from votewise.probes.reading import Reading
from votewise.probes.validation import F64, Inputs, as_distributions, as_inputs

State = Mapping[str, Tensor]


def barrier(
    model: nn.Module,
    first: nn.Module | State,
    second: nn.Module | State,
    x: Inputs,
    p: Any,
    *,
    training: Inputs | None = None,
    points: int = 21,
    chunk: int = CHUNK,
) -> Reading:
    """The rise of the loss on the straight line between two trained models with the same architecture.

    Args:
        model: the architecture; its weights are not used, and it is left unchanged.
        first: one end: a model of that architecture, or its `state_dict()`.
        second: the other end.
        x: inputs [n, ...].
        p: votes of the same items, or shares [n, C].
        training: training inputs [m, ...]; if given, the loss is also computed with batch-norm statistics re-estimated on them at each point.
        points: number of points on the line, including the ends.
        chunk: number of examples per forward pass.

    Returns:
        A reading with `barrier`, `barrier_reestimated` (with `training`), `loss_first`, `loss_second`, and the curve `line`: `at` from
        0 (first) to 1 (second), `loss` and `loss_reestimated`, the mean soft NLL in nats.

    >>> model, other = nn.Linear(2, 2).eval(), nn.Linear(2, 2).eval()
    >>> reading = barrier(model, model, other, [[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]])
    >>> reading.numbers["barrier"]  # the loss of one linear layer is convex
    0.0
    """
    check_model(model)
    x = as_inputs(x)
    p = as_distributions(p, len(x))
    first, second = _state(model, first, "first"), _state(model, second, "second")
    whole_number("points", points, 2)
    if training is not None:
        training = as_inputs(training, "training inputs")
    at = np.linspace(0, 1, points)
    loss, reestimated = np.empty(points), np.empty(points)
    with _restored(model):
        for point, share in enumerate(at):
            model.load_state_dict(between(first, second, float(share)))
            loss[point] = mean_soft_nll(model, x, p, chunk)
            if training is not None:
                has_statistics = reestimate(model, training, chunk)
                reestimated[point] = mean_soft_nll(model, x, p, chunk) if has_statistics else loss[point]
    numbers = {"barrier": above_chord(at, loss), "loss_first": float(loss[0]), "loss_second": float(loss[-1])}
    line = {"at": at.tolist(), "loss": loss.tolist()}
    if training is not None:
        numbers["barrier_reestimated"] = above_chord(at, reestimated)
        line["loss_reestimated"] = reestimated.tolist()
    return Reading(numbers, {"line": line})


def above_chord(at: F64, loss: F64) -> float:
    """The maximum height of a loss curve [points] above the straight line between its ends; 0 if it is never above.

    >>> above_chord(np.array([0.0, 0.5, 1.0]), np.array([1.0, 3.0, 2.0]))
    1.5
    """
    return float((loss - ((1 - at) * loss[0] + at * loss[-1])).max())


def between(first: State, second: State, share: float) -> dict[str, Tensor]:
    """The state at `share` of the way. Integer buffers, for example batch counts, are taken from the first model."""
    return {
        name: torch.lerp(tensor, second[name].to(tensor), share) if tensor.is_floating_point() else tensor
        for name, tensor in first.items()
    }


@torch.no_grad()
def reestimate(model: nn.Module, x: Inputs, chunk: int = CHUNK) -> bool:
    """Re-estimate batch-norm statistics in place, as the average over chunks of `x`; False if the model has none.

    Weights and other modules do not change. The sizes of chunks differ by at most one item. A chunk contains every m-th input,
    so that inputs may be sorted by class.
    """
    norms = [module for module in model.modules() if isinstance(module, _BatchNorm) and module.track_running_stats]
    if not norms:
        return False
    momentum, count = [norm.momentum for norm in norms], -(-len(x) // chunk)
    try:
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None  # a cumulative average
            norm.train()
        with enough_memory(chunk):
            for start in range(count):
                answer(model, inputs(model, x, slice(start, None, count)))
    except VotewiseError as error:
        if "more than 1 value per channel" not in str(error):
            raise
        raise VotewiseError(
            "too few inputs in a chunk to re-estimate batch-norm statistics",
            remedy="pass more training inputs or a larger chunk",
        ) from None
    finally:
        for norm, before in zip(norms, momentum, strict=True):
            norm.momentum = before
            norm.eval()
    return True


def _state(model: nn.Module, checkpoint: nn.Module | State, name: str) -> State:
    """A copy of the weights of a checkpoint with the architecture of the model."""
    state = checkpoint.state_dict() if isinstance(checkpoint, nn.Module) else checkpoint
    if not isinstance(state, Mapping) or not all(isinstance(tensor, Tensor) for tensor in state.values()):
        raise VotewiseError(f"{name} must be a model or its state_dict(), got {type(checkpoint).__name__}")
    own = model.state_dict()
    for key in (*own, *state):
        expected, got = (tuple(tensors[key].shape) if key in tensors else None for tensors in (own, state))
        if expected is None or expected != got:
            raise VotewiseError(
                f"{name} is not a checkpoint of this model: {key!r} has shape {got}, but the model expects {expected}"
            )
    check_finite(state, name)
    return {key: tensor.detach().clone() for key, tensor in state.items()}


@contextmanager
def _restored(model: nn.Module) -> Iterator[None]:
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    try:
        yield
    finally:
        model.load_state_dict(before)
