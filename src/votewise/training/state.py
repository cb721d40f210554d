"""The state of an unfinished run, as a file with a digest in one of two slots. The rest of the run depends only on it.

Data order, augmentation, labels, mixup and the learning rate are functions of (seed, epoch, step) and are not part of the state. The two slots are
written in turn, each by an atomic replace, so that one of them is intact, no matter when the process dies.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from votewise.files import write_atomic
from votewise.hashing import digest

Tensors = dict[str, Tensor]


def write_state(folder: Path, slot: int, tensors: Tensors, progress: dict[str, Any]) -> None:
    """Write tensors and `progress` (plain JSON) into slot 0 or 1."""
    text = json.dumps(progress)
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in sorted(tensors.items())}
    write_atomic(folder / f"state.{slot}.safetensors", save(tensors, {"state": text, "digest": _digest(tensors, text)}))


def read_state(folder: Path) -> tuple[int, Tensors, dict[str, Any]] | None:
    """The number, tensors and progress of the intact slot with the most progress."""
    found = [state for slot in (0, 1) if (state := _read_slot(folder / f"state.{slot}.safetensors", slot))]
    return max(found, key=lambda state: (state[2]["epoch"], state[2]["step"]), default=None)


def _read_slot(path: Path, slot: int) -> tuple[int, Tensors, dict[str, Any]] | None:
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in sorted(file.keys())}
    except (OSError, SafetensorError):
        return None
    text = metadata.get("state", "")
    if metadata.get("digest") != _digest(tensors, text):
        return None
    return slot, tensors, json.loads(text)


def remove_state(folder: Path) -> None:
    """Remove both slots when the run is finished."""
    for slot in (0, 1):
        (folder / f"state.{slot}.safetensors").unlink(missing_ok=True)


def tensors_of(model: nn.Module, optimiser: torch.optim.Optimizer, best: Tensors) -> Tensors:
    """Weights, buffers, momentum and the best weights so far, by name."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    out = {f"model/{name}": tensor for name, tensor in model.state_dict().items()}
    out |= {f"best/{name}": tensor for name, tensor in best.items()}
    for parameter, slots in optimiser.state.items():
        for slot, tensor in slots.items():
            if isinstance(tensor, Tensor):
                out[f"optimizer/{names[id(parameter)]}/{slot}"] = tensor
    return out


@torch.no_grad()
def restore(tensors: Tensors, model: nn.Module, optimiser: torch.optim.Optimizer) -> Tensors:
    """Copy the tensors into an existing model and optimiser, and return the best weights."""
    for name, tensor in model.state_dict().items():
        tensor.copy_(tensors[f"model/{name}"])
    for name, parameter in model.named_parameters():
        prefix = f"optimizer/{name}/"
        slots = {key.removeprefix(prefix): value for key, value in tensors.items() if key.startswith(prefix)}
        if slots:
            optimiser.state[parameter] = {
                slot: torch.empty_like(parameter).copy_(value) if value.shape == parameter.shape else value.clone()
                for slot, value in slots.items()
            }
    return {name.removeprefix("best/"): tensor for name, tensor in tensors.items() if name.startswith("best/")}


def _digest(tensors: Tensors, text: str) -> str:
    parts: list[bytes] = [text.encode()]
    for name, tensor in sorted(tensors.items()):
        parts += [name.encode(), str(tensor.dtype).encode(), tensor.reshape(-1).view(torch.uint8).numpy().tobytes()]
    return digest(parts)
