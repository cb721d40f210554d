"""Detects array types by modules that the caller has already imported. No framework is imported here."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from votewise.errors import VotewiseError


def is_torch(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def is_jax(array: Any) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(array, jax.Array)


def to_numpy(array: Any) -> Any:
    """Any array as NumPy; a torch CPU tensor shares its memory, a tensor on a device is copied to the host."""
    if is_torch(array):
        return array.detach().cpu().numpy()
    if is_jax(array) and isinstance(array, sys.modules["jax"].core.Tracer):
        raise VotewiseError(
            "targets() was called inside a traced JAX function", remedy="use fn, tables = delivery.jax()"
        )
    return np.asarray(array)


def like(array: Any, values: Any) -> Any:
    """NumPy `values` as an array of the same type and device as `array`."""
    if is_torch(array):
        return sys.modules["torch"].from_numpy(np.asarray(values, order="C")).to(array.device)
    if is_jax(array):
        return sys.modules["jax"].numpy.asarray(values)  # int64 becomes int32 unless 64-bit integers are enabled
    return values
