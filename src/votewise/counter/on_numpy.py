"""The counter in NumPy: uint64, which wraps by definition."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

U64 = NDArray[np.uint64]

GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
_BLOCK = 1 << 14  # rows per pass: the temporaries of a block stay in the L2 cache


def key(stream: str, seed: int) -> int:
    """The 64-bit key of a named stream: any int is a seed, and no two streams collide.

    >>> key("sls", 0) != key("sls", 1) != key("split", 1)
    True
    """
    return int.from_bytes(hashlib.blake2b(f"votewise:1:{stream}:{seed}".encode(), digest_size=8).digest(), "little")


def mix64(x: U64) -> U64:
    """Stafford's 13th variant of the 64-bit finaliser, in place on `x` [any shape]."""
    x ^= x >> np.uint64(30)
    x *= np.uint64(MIX_1)
    x ^= x >> np.uint64(27)
    x *= np.uint64(MIX_2)
    x ^= x >> np.uint64(31)
    return x


def _unsigned(values: ArrayLike) -> U64:
    return np.asarray(values, dtype=np.int64).view(np.uint64)


def draw(key: int, epoch: ArrayLike, row: ArrayLike) -> U64:
    """32 random bits for each (epoch, row), as uint64; the two broadcast against each other.

    >>> draw(key("sls", 0), 3, [0, 1, 2]).shape
    (3,)
    """
    t, i = _unsigned(epoch), _unsigned(row)
    golden = np.uint64(GOLDEN)
    s = mix64(np.atleast_1d(t + np.uint64(1)) * golden + np.uint64(key)).reshape(t.shape)
    if t.ndim or i.ndim != 1:
        return _finish(s, i)
    out = np.empty(i.shape, np.uint64)
    for start in range(0, len(i), _BLOCK):
        part = slice(start, start + _BLOCK)
        out[part] = _finish(s, i[part])
    return out


def _finish(s: U64, i: U64) -> U64:
    x = np.atleast_1d(s + (i + np.uint64(1)) * np.uint64(GOLDEN))
    return (mix64(x) >> np.uint64(32)).reshape(np.broadcast_shapes(s.shape, i.shape))


def below(bits: U64, size: ArrayLike) -> NDArray[np.int64]:
    """Scale 32 random bits to an integer in [0, size): floor(bits * size / 2**32), exact for size < 2**31."""
    return ((bits * _unsigned(size)) >> np.uint64(32)).view(np.int64)


def uniform(key: int, epoch: ArrayLike, row: ArrayLike) -> NDArray[np.float64]:
    """Uniform floats strictly between 0 and 1, the centres of 2**32 equal cells."""
    return (draw(key, epoch, row).astype(np.float64) + 0.5) * 2.0**-32


def order(key: int, epoch: int, row: ArrayLike) -> NDArray[np.intp]:
    """A uniform order of the rows: positions sorted by their draw, ties (one in 2**32) by row."""
    rows = np.asarray(row, dtype=np.int64)
    return np.lexsort((rows, draw(key, epoch, rows)))
