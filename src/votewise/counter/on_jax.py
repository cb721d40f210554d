"""The counter in JAX with 64-bit integers off: a 64-bit word is a pair (high, low) of uint32."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.counter.on_numpy import GOLDEN, MIX_1, MIX_2, Tables
from votewise.errors import VotewiseError

if TYPE_CHECKING:
    from jax import Array

    Word = tuple[Array, Array]


def _constant(x: int) -> Word:
    import jax.numpy as jnp

    return jnp.uint32(x >> 32), jnp.uint32(x & 0xFFFFFFFF)


def _add(a: Word, b: Word) -> Word:
    low = a[1] + b[1]
    return a[0] + b[0] + (low < a[1]).astype(low.dtype), low


def _multiply_high(a: Array, b: Array) -> Array:
    """The upper 32 bits of a 32 x 32 bit product, computed from 16-bit halves."""
    a1, a0, b1, b0 = a >> 16, a & 0xFFFF, b >> 16, b & 0xFFFF
    middle = a1 * b0 + ((a0 * b0) >> 16)
    return a1 * b1 + (middle >> 16) + ((a0 * b1 + (middle & 0xFFFF)) >> 16)


def _multiply(a: Word, b: Word) -> Word:
    return _multiply_high(a[1], b[1]) + a[0] * b[1] + a[1] * b[0], a[1] * b[1]


def _xor_shift(a: Word, n: int) -> Word:
    return a[0] ^ (a[0] >> n), a[1] ^ ((a[1] >> n) | (a[0] << (32 - n)))


def _mix64(x: Word) -> Word:
    x = _multiply(_xor_shift(x, 30), _constant(MIX_1))
    x = _multiply(_xor_shift(x, 27), _constant(MIX_2))
    return _xor_shift(x, 31)


def _step(n: Any, origin: Word) -> Word:
    """Origin + (n + 1) G for non-negative int32 or uint32 n."""
    import jax.numpy as jnp

    count = jnp.asarray(n).astype(jnp.uint32) + jnp.uint32(1)
    return _add(_multiply((jnp.zeros_like(count), count), _constant(GOLDEN)), origin)


def draw(key: Any, epoch: Any, row: Any) -> Array:
    """32 random bits for each (epoch, row), as uint32; epoch and row below 2**31, key an int or uint32 [2] (high, low)."""
    words = _constant(key) if isinstance(key, int) else (key[0], key[1])
    return _mix64(_step(row, _mix64(_step(epoch, words))))[0]


def below(bits: Array, size: Any) -> Array:
    """Scale 32 random bits to an integer in [0, size), exact for size < 65,536."""
    import jax.numpy as jnp

    size = jnp.asarray(size).astype(jnp.uint32)
    return (((bits >> 16) * size + (((bits & 0xFFFF) * size) >> 16)) >> 16).astype(jnp.int32)


def tables(tables: Tables) -> Tables:
    """Tables for JAX with 64-bit integers off: int32, and a key as two uint32."""
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

    return {name: move(value) for name, value in tables.items()}


def together(index: Any, epoch: Any) -> tuple[Array, Array]:
    """Index and epoch broadcast to one shape; both may be traced."""
    import jax.numpy as jnp

    index, epoch = jnp.broadcast_arrays(jnp.asarray(index), jnp.asarray(epoch))
    return index, epoch


def cast(target: Array, kind: str) -> Array:
    """Classes as int32, distributions unchanged."""
    return target.astype("int32") if kind == "hard" else target
