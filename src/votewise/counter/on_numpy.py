"""The counter in NumPy, with uint64 arithmetic, which wraps around."""

from __future__ import annotations

import hashlib
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.errors import VotewiseError
from votewise.wording import quoted

U64 = NDArray[np.uint64]
Tables = dict[str, Any]  # name -> look-up array, and "key" -> the key of a stream, as an int

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
_GOLDEN, _MIX_1, _MIX_2 = np.uint64(GOLDEN), np.uint64(MIX_1), np.uint64(MIX_2)
_1, _27, _30, _31, _32 = (np.uint64(n) for n in (1, 27, 30, 31, 32))
_BLOCK = 1 << 14  # rows per pass, so that temporaries stay in the L2 cache


def key(stream: str, seed: int) -> int:
    """The 64-bit key of a named stream: any int is a seed, and no two streams collide.

    >>> key("sls", 0) != key("sls", 1) != key("split", 1)
    True
    """
    return int.from_bytes(
        hashlib.blake2b(f"votewise:1:{stream}:{as_seed(seed)}".encode(), digest_size=8).digest(), "little"
    )


def as_seed(seed: object) -> int:
    """A seed; any int is valid."""
    try:
        return index(seed)  # type: ignore[arg-type]
    except TypeError:
        raise VotewiseError(f"seed must be a whole number, got {quoted(seed)}") from None


def mix64(x: U64) -> U64:
    """Stafford's 13th variant of the 64-bit finaliser, in place on the array `x`."""
    x ^= x >> _30
    x *= _MIX_1
    x ^= x >> _27
    x *= _MIX_2
    x ^= x >> _31
    return x


def draw(key: int, epoch: ArrayLike, row: ArrayLike) -> U64:
    """32 random bits for each (epoch, row), as uint64; the two broadcast against each other.

    >>> draw(key("sls", 0), 3, [0, 1, 2]).shape
    (3,)
    """
    i = _unsigned(row)
    if not isinstance(epoch, int | np.integer):
        t = _unsigned(epoch)
        return _finish(mix64(_walk(np.uint64(key), np.atleast_1d(t))).reshape(t.shape), i)
    s = mix64(_walk(np.uint64(key), np.array([epoch], dtype=np.int64).view(np.uint64)))[0]
    if i.ndim != 1 or len(i) <= _BLOCK:
        return _finish(s, i)
    out = np.empty(i.shape, np.uint64)
    for start in range(0, len(i), _BLOCK):
        out[start : start + _BLOCK] = _finish(s, i[start : start + _BLOCK])
    return out


def _unsigned(values: ArrayLike) -> U64:
    return np.asarray(values, dtype=np.int64).view(np.uint64)


def _walk(origin: U64 | np.uint64, n: U64) -> U64:
    """Origin + (n + 1) G, a new array."""
    x = n + _1
    x *= _GOLDEN
    return x + origin


def _finish(s: U64 | np.uint64, i: U64) -> U64:
    x = mix64(_walk(s, np.atleast_1d(i)))  # at least 1-d: NumPy warns when a scalar overflows
    x >>= _32
    return x if i.ndim or s.ndim else x.reshape(())


def below(bits: U64, size: ArrayLike) -> NDArray[np.int64]:
    """Scale 32 random bits to an integer in [0, size): floor(bits * size / 2**32), exact for size < 2**31."""
    return ((bits * _unsigned(size)) >> _32).view(np.int64)


def uniform(key: int, epoch: ArrayLike, row: ArrayLike) -> NDArray[np.float64]:
    """Uniform floats strictly between 0 and 1: the centres of 2**32 intervals of equal width."""
    return (draw(key, epoch, row).astype(np.float64) + 0.5) * 2.0**-32


def order(key: int, epoch: int, row: ArrayLike) -> NDArray[np.intp]:
    """A random order of the rows, all orders equally likely: positions sorted by their draw, and ties by row."""
    rows = np.asarray(row, dtype=np.int64)
    return np.lexsort((rows, draw(key, epoch, rows)))
