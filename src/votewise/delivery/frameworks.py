"""Array kinds: found through the modules a caller has already imported, never imported here unasked."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from votewise.errors import VotewiseError

Tables = dict[str, Any]  # name -> array, and "key" -> the 64-bit key of a stream as an int


def is_torch(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def is_jax(array: Any) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(array, jax.Array)


def to_numpy(array: Any) -> Any:
    """Any array as NumPy; a torch CPU tensor is shared, one on a device is copied to the host."""
    if is_torch(array):
        return array.detach().cpu().numpy()
    if is_jax(array) and isinstance(array, sys.modules["jax"].core.Tracer):
        raise VotewiseError(
            "targets() was called inside a traced JAX function", remedy="use fn, tables = delivery.jax()"
        )
    return np.asarray(array)


def like(array: Any, values: Any) -> Any:
    """NumPy `values` as the kind of array that `array` is, on its device."""
    if is_torch(array):
        return sys.modules["torch"].from_numpy(np.ascontiguousarray(values)).to(array.device)
    if is_jax(array):
        return sys.modules["jax"].numpy.asarray(values)  # int64 becomes int32 unless 64-bit integers are on
    return values


def torch_tables(tables: Tables, device: Any) -> Tables:
    """Tables on a torch device: integers wide enough to hold every unsigned value with a sign."""
    torch = sys.modules["torch"]
    wider = {np.dtype(np.uint16): np.int32, np.dtype(np.uint32): np.int64}

    def move(array: Any) -> Any:
        return torch.tensor(array.astype(wider.get(array.dtype, array.dtype)), device=device)

    return {name: move(value) if isinstance(value, np.ndarray) else value for name, value in tables.items()}


def jax_tables(tables: Tables) -> Tables:
    """Tables for JAX with 64-bit integers off: int32, and the key as two uint32."""
    import jax.numpy as jnp

    def move(value: Any) -> Any:
        if isinstance(value, int):
            return jnp.asarray(np.array([value >> 32, value & 0xFFFFFFFF], dtype=np.uint32))
        if value.dtype == np.int64:
            if value.size and value.max() >= 2**31 - 1:
                raise VotewiseError(
                    f"{value.max():,} does not fit the 32-bit integers of JAX", remedy="split the votes"
                )
            value = value.astype(np.int32)
        return jnp.asarray(value)

    if "size" in tables and tables["size"].max(initial=0) >= 1 << 16:
        raise VotewiseError("an item has 65,536 votes or more, too many for JAX", remedy="use votes.distributions()")
    return {name: move(value) for name, value in tables.items()}
