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
from votewise.probes.arrays import as_distributions
from votewise.probes.forward import (
    CHUNK,
    F64,
    Inputs,
    check_finite,
    check_inputs,
    check_model,
    device_of,
    enough_memory,
    mean_soft_nll,
)
from votewise.probes.reading import Reading

State = Mapping[str, Tensor]


def barrier(
    model: nn.Module,
    first: State,
    second: State,
    x: Inputs,
    p: Any,
    *,
    training: Inputs | None = None,
    points: int = 21,
    chunk: int = CHUNK,
) -> Reading:
    """Loss barrier between two states of `model`: the highest loss above the straight line between the losses of the ends.

    The loss is the mean soft NLL of the inputs `x` against the distributions `p` [n, C]. With inputs `training`, also the barrier
    with batch-norm statistics that are estimated on them at each point. The model is left as it was.
    """
    check_model(model)
    check_inputs(x)
    p = as_distributions(p, len(x))
    for which, state in (("the first checkpoint", first), ("the second checkpoint", second)):
        _check_state(model, state, which)
    if points < 2:
        raise VotewiseError(f"a line of {points} points", remedy="give at least its two ends")
    if training is not None:
        check_inputs(training, "training inputs")
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
    momentum, count, device = [norm.momentum for norm in norms], -(-len(x) // chunk), device_of(model)
    try:
        for norm in norms:
            norm.reset_running_stats()
            norm.momentum = None  # torch's word for a cumulative average
            norm.train()
        with enough_memory(chunk):
            for start in range(count):
                model(x[start::count].to(device))
    except ValueError as error:
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


def _check_state(model: nn.Module, state: State, which: str) -> None:
    """Refuse a checkpoint that is not of this model's architecture, or that is no numbers."""
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


@contextmanager
def _left_as_it_was(model: nn.Module) -> Iterator[None]:
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    try:
        yield
    finally:
        model.load_state_dict(before)
