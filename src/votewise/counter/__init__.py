"""One generator for every draw in the project: a pure function of (stream, seed, epoch, row).

SplitMix64 (Steele, Lea and Flood 2014; finaliser Stafford 13) with random access, applied first to the epoch, then to the row:

    key      = first 8 bytes of blake2b("votewise:1:<stream>:<seed>")
    s(t)     = mix64(key + (t + 1) G)
    r(i, t)  = mix64(s(t) + (row_i + 1) G) >> 32           32 bits, G = 0x9E3779B97F4A7C15

There is no state to save, to restore, or to share with a worker. NumPy (here), torch
(`votewise.counter.on_torch`) and JAX with 64-bit integers off (`votewise.counter.on_jax`) give the same 32 bits. Each has the
same two functions, `draw` and `below`, so that code written for one runs on all; `tables` converts arrays to a framework.
"""

from votewise.counter.on_numpy import Tables, as_seed, below, draw, key, mix64, order, uniform

__all__ = ["Tables", "as_seed", "below", "draw", "key", "mix64", "order", "uniform"]
