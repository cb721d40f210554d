"""Load a finished run as a model: its weights, its input format, and its predictions for new inputs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from votewise.arrays import plain
from votewise.datasets import are_texts, as_texts
from votewise.errors import VotewiseError
from votewise.text import embed, find_model, kept_model, tokenise, untrained
from votewise.training.image_inputs import Clean, Normaliser
from votewise.training.models import build
from votewise.training.problem import Problem
from votewise.training.recipe import Recipe
from votewise.training.run_files import sha256
from votewise.training.text_inputs import CleanTexts
from votewise.wording import reason

CHUNK = 512  # number of inputs per forward pass
TEXTS = 32  # number of texts per forward pass


def weights(folder: Path, checkpoint: str) -> dict[str, Tensor]:
    """The tensors of a checkpoint, by name."""
    path = folder / f"{checkpoint}.safetensors"
    try:
        return load_file(path)
    except FileNotFoundError:
        raise VotewiseError(
            "the weights of this run are missing", where=path, remedy="delete the folder of the run and train it again"
        ) from None
    except (OSError, SafetensorError) as error:
        raise VotewiseError(f"cannot be read ({reason(error)})", where=path, remedy="train the run again") from None


def load_model(folder: Path, checkpoint: str, recipe: Recipe, shape: tuple[int, ...], classes: int) -> nn.Module:
    """The model of a recipe with the weights of a checkpoint, in evaluation mode."""
    if recipe.takes_texts and (kept := kept_model(folder)):
        model: nn.Module = untrained(kept.folder, classes)
    else:
        model = build(recipe.model, shape, classes, recipe.model_source)
    try:
        model.load_state_dict(weights(folder, checkpoint))
    except RuntimeError:
        raise VotewiseError(
            f"the weights do not fit the model {recipe.model}",
            where=folder / f"{checkpoint}.safetensors",
            remedy="restore the weights of this run",
        ) from None
    return model.eval()


def description(problem: Problem) -> dict[str, Any]:
    """The description of the model and its inputs, which a run stores so that the model can be used without the dataset."""
    dataset, tokens = problem.dataset, problem.tokens
    texts = {} if tokens is None else {"max_length": tokens.limit, "truncated": tokens.truncated}
    encoder = {} if dataset.encoder is None else {"encoder": list(dataset.encoder)}
    return {
        **texts,
        **encoder,
        "model": problem.config.recipe.model if tokens is None else Path(problem.config.recipe.model).name,
        "shape": list(problem.shape),
        "mean": list(dataset.mean),
        "std": list(dataset.std),
        "classes": [str(name) for name in dataset.votes.classes],
    }


def probabilities(
    model: nn.Module, described: Mapping[str, Any], inputs: Any, folder: Path | None = None
) -> NDArray[np.float32]:
    """Probabilities [n, C] of new inputs in the format that the run describes; texts use the tokenizer in the folder of the run."""
    if "max_length" in described:
        clean: Clean | CleanTexts = _tokenised(described, inputs, folder)
        size = TEXTS
    else:
        embedded = "encoder" in described and are_texts(inputs)
        clean = _normalised(described, _embedded(described, inputs) if embedded else plain(inputs))
        size = CHUNK
    with torch.no_grad():
        parts = [model(clean[slice(at, at + size)]).softmax(1) for at in range(0, len(clean), size)]
    return torch.cat(parts).numpy() if parts else np.empty((0, len(described["classes"])), np.float32)


def _tokenised(described: Mapping[str, Any], inputs: Any, folder: Path | None) -> CleanTexts:
    """The tokens of texts, in the order of the texts."""
    if len(inputs) and not are_texts(inputs):
        raise VotewiseError(
            "inputs are not texts, but the run was trained on texts", remedy="pass strings or pairs of strings"
        )
    texts = as_texts(inputs)
    if len(texts) and texts.shape[1] != described["shape"][0]:
        kinds = {1: "single texts", 2: "pairs of texts"}
        raise VotewiseError(
            f"inputs are {kinds[texts.shape[1]]}, but the run was trained on {kinds[described['shape'][0]]}",
            remedy="pass inputs of that form",
        )
    kept = kept_model(folder)
    if kept is None:
        raise VotewiseError("the tokenizer of this run is missing", where=folder, remedy="train the run again")
    changed = [name for name, digest in described["files"].items() if sha256(kept.folder / name) != digest]
    if changed:
        raise VotewiseError(f"{changed[0]} does not match its digest", where=kept.folder, remedy="train the run again")
    return CleanTexts(tokenise(texts, kept, described["max_length"]))


def _embedded(described: Mapping[str, Any], inputs: Any) -> NDArray[np.float32]:
    """Embeddings of texts by the encoder that the run was trained with."""
    name, digest = described["encoder"]
    embedded = embed(as_texts(inputs), find_model(name), keep=False)
    if embedded.encoder != digest:
        raise VotewiseError(
            "the encoder files differ from those that this run was trained with",
            where=name,
            remedy="restore the original files",
        )
    return embedded.vectors


def _normalised(described: Mapping[str, Any], inputs: NDArray[Any]) -> Clean:
    """Images or features in the format that the model takes."""
    shape = tuple(described["shape"])
    images = len(shape) == 3
    fits = inputs.dtype == np.uint8 if images else inputs.dtype.kind in "fiu"
    if inputs.shape[1:] != shape or not fits:
        expected = f"{'images (uint8)' if images else 'features'} [n, {', '.join(map(str, shape))}]"
        raise VotewiseError(
            f"inputs have shape {inputs.shape} and dtype {inputs.dtype}, but the run was trained on {expected}",
            remedy="pass inputs of that form",
        )
    if not images and not np.isfinite(inputs).all():
        raise VotewiseError("inputs contain NaN or infinite values", remedy="remove those items")
    return Clean(inputs, Normaliser(described["mean"], described["std"], images))
