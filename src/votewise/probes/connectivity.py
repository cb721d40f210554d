"""The loss along the straight line between two checkpoints (Frankle et al. 2020, Linear mode connectivity).

Batch-norm statistics of an average of two nets are not the average of their statistics: a barrier may be theirs alone. So the
line is walked twice, with the buffers interpolated like the weights, and with the statistics estimated anew from training
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
from votewise.probes.arrays import F64, Inputs, as_distributions, as_inputs
from votewise.probes.forward import CHUNK, answer, check_finite, check_model, inputs, mean_soft_nll
from votewise.probes.memory import enough_memory
from votewise.probes.reading import Reading

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
    """How far the loss rises on the straight line between two trained states of one architecture.

    model          which architecture; its own weights play no part, and it is left as it was
    first, second  the ends: models of that architecture, or what `model.state_dict()` gives
    x, p           inputs [n, ...] and votes (or shares [n, C]) of the same items; the loss is the mean soft NLL, in nats
    training       training inputs [m, ...]: then also with batch-norm statistics that are estimated on them at each point
    points         of the line, ends included

    barrier              the most that the loss is above the straight line between the losses of the ends; 0: both lie in one valley
    barrier_reestimated  the same with batch-norm statistics of each point's own, where `training` is given
    loss_first, loss_second  the loss at the ends
    curve `line`         `at` from 0 (first) to 1 (second), `loss`, `loss_reestimated`

    >>> net, other = nn.Linear(2, 2).eval(), nn.Linear(2, 2).eval()
    >>> found = barrier(net, net, other, [[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]])
    >>> found.numbers["barrier"]  # the loss of one linear layer is convex
    0.0
    """
    check_model(model)
    x = as_inputs(x)
    p = as_distributions(p, len(x))
    first, second = _state(model, first, "the first checkpoint"), _state(model, second, "the second checkpoint")
    if points < 2:
        raise VotewiseError(f"a line of {points} points", remedy="give at least its two ends")
    if training is not None:
        training = as_inputs(training, "training inputs")
    at = np.linspace(0, 1, points)
    loss, again = np.empty(points), np.empty(points)
    with _left_as_it_was(model):
        for place, share in enumerate(at):
            model.load_state_dict(between(first, second, float(share)))
            loss[place] = mean_soft_nll(model, x, p, chunk)
            if training is not None:
                estimated = reestimate(model, training, chunk)
                again[place] = mean_soft_nll(model, x, p, chunk) if estimated else loss[place]
    numbers = {"barrier": above_chord(at, loss), "loss_first": float(loss[0]), "loss_second": float(loss[-1])}
    line = {"at": at.tolist(), "loss": loss.tolist()}
    if training is not None:
        numbers["barrier_reestimated"] = above_chord(at, again)
        line["loss_reestimated"] = again.tolist()
    return Reading(numbers, {"line": line})


def above_chord(at: F64, loss: F64) -> float:
    """The most that a curve of losses [points] is above the straight line between its ends; 0 where it is nowhere.

    >>> above_chord(np.array([0.0, 0.5, 1.0]), np.array([1.0, 3.0, 2.0]))
    1.5
    """
    return float((loss - ((1 - at) * loss[0] + at * loss[-1])).max())


def between(first: State, second: State, share: float) -> dict[str, Tensor]:
    """The state at `share` of the way; counts, such as the batches that a norm has seen, stay those of the first."""
    return {
        name: torch.lerp(tensor, second[name].to(tensor), share) if tensor.is_floating_point() else tensor
        for name, tensor in first.items()
    }


@torch.no_grad()
def reestimate(model: nn.Module, x: Inputs, chunk: int = CHUNK) -> bool:
    """Estimate batch-norm statistics anew, in place, as the average over chunks of `x`; False where there are none.

    Weights stay as they are, and so does whatever else has a training mode. Chunks are of equal size, but for one item,
    and take every m-th input, so that inputs sorted by class do no harm.
    """
    norms = [module for module in model.modules() if isinstance(module, _BatchNorm) and module.track_running_stats]
    if not norms:
        return False
    momentum, count = [norm.momentum for norm in norms], -(-len(x) // chunk)
    try:
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None  # torch's word for a cumulative average
            norm.train()
        with enough_memory(chunk):
            for start in range(count):
                answer(model, inputs(model, x, slice(start, None, count)))
    except VotewiseError as error:
        if "more than 1 value per channel" not in str(error):
            raise
        raise VotewiseError(
            "a chunk is too small to estimate batch-norm statistics on",
            remedy="give more training inputs or a larger chunk",
        ) from None
    finally:
        for norm, before in zip(norms, momentum, strict=True):
            norm.momentum = before
            norm.eval()
    return True


def _state(model: nn.Module, given: nn.Module | State, which: str) -> State:
    """A copy of a checkpoint, which may be the model's own weights; one of another architecture, or of no numbers, is refused."""
    state = given.state_dict() if isinstance(given, nn.Module) else given
    if not isinstance(state, Mapping) or not all(isinstance(tensor, Tensor) for tensor in state.values()):
        raise VotewiseError(
            f"{which} is of type {type(given).__name__}", remedy="give a model, or what model.state_dict() gives"
        )
    own = model.state_dict()
    for name in (*own, *state):
        here, there = own.get(name), state.get(name)
        if here is None or there is None or here.shape != there.shape:
            shown = [f"{tuple(tensor.shape)}" if tensor is not None else "nothing" for tensor in (there, here)]
            raise VotewiseError(
                f"{which} is of another architecture: {name!r} is {shown[0]} there and {shown[1]} in the model",
                remedy="give two checkpoints of one model",
            )
    check_finite(state, which)
    return {name: tensor.detach().clone() for name, tensor in state.items()}


@contextmanager
def _left_as_it_was(model: nn.Module) -> Iterator[None]:
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    try:
        yield
    finally:
        model.load_state_dict(before)
