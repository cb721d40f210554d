"""A finished run as a model again: its weights, what it takes, and what it says of new inputs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from votewise.errors import VotewiseError
from votewise.training.inputs import Clean, Normaliser
from votewise.training.models import Net, build
from votewise.training.problem import Problem
from votewise.wording import quoted

CheckpointName = Literal["best", "last"]
CHECKPOINTS: tuple[CheckpointName, ...] = ("best", "last")
CHUNK = 512  # inputs at a time


def check_checkpoint(name: str) -> CheckpointName:
    """The name, if it is that of a checkpoint."""
    for known in CHECKPOINTS:
        if name == known:
            return known
    raise VotewiseError(f"unknown checkpoint {quoted(name)}", remedy=f"choose {' or '.join(CHECKPOINTS)}")


def weights(folder: Path, checkpoint: str) -> dict[str, Tensor]:
    """The tensors of a run's checkpoint by name."""
    path = folder / f"{checkpoint}.safetensors"
    try:
        return load_file(path)
    except FileNotFoundError:
        raise VotewiseError(
            "the weights of this run are not here", where=path, remedy="delete the folder of the run and train it again"
        ) from None
    except (OSError, SafetensorError) as error:
        raise VotewiseError(f"cannot be read ({error})", where=path, remedy="train the run again") from None


def loaded(folder: Path, checkpoint: str, name: str, shape: tuple[int, ...], classes: int) -> Net:
    """The net called `name` with the weights of a checkpoint, in evaluation mode."""
    model = build(name, shape, classes)
    try:
        model.load_state_dict(weights(folder, checkpoint))
    except RuntimeError:
        raise VotewiseError(
            f"these are not the weights of {name}",
            where=folder / f"{checkpoint}.safetensors",
            remedy="take the run that they belong to",
        ) from None
    return model.eval()


def description(problem: Problem) -> dict[str, Any]:
    """What a run keeps of its net and its inputs, so that it can be used where the dataset is not."""
    dataset = problem.dataset
    return {
        "model": problem.config.recipe.model,
        "shape": list(problem.shape),
        "mean": list(dataset.mean),
        "std": list(dataset.std),
        "classes": [str(name) for name in dataset.votes.classes],
    }


@torch.no_grad()
def probabilities(
    folder: Path, checkpoint: str, described: Mapping[str, Any], inputs: NDArray[Any]
) -> NDArray[np.float32]:
    """What a run says of new inputs [n, ...]: probabilities [n, C]."""
    shape = tuple(described["shape"])
    pictures = len(shape) == 3
    fitting = inputs.dtype == np.uint8 if pictures else inputs.dtype.kind in "fiu"
    if inputs.shape[1:] != shape or not fitting:
        wanted = f"{'pictures (uint8)' if pictures else 'features'} [n, {', '.join(map(str, shape))}]"
        raise VotewiseError(
            f"inputs of shape {inputs.shape} and type {inputs.dtype}, and the run was trained on {wanted}",
            remedy="give inputs of the form that it knows",
        )
    if not pictures and not np.isfinite(inputs).all():
        raise VotewiseError("inputs that are not all finite numbers", remedy="leave those items out")
    model = loaded(folder, checkpoint, described["model"], shape, len(described["classes"]))
    clean = Clean(inputs, Normaliser(described["mean"], described["std"], pictures))
    parts = [model(clean[slice(at, at + CHUNK)]).softmax(1) for at in range(0, len(inputs), CHUNK)]
    return torch.cat(parts).numpy() if parts else np.empty((0, len(described["classes"])), np.float32)
