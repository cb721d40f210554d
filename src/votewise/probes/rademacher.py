"""Random signs, by the counter: the probes of every estimate that is made of products with random vectors."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from votewise import counter
from votewise.probes.hessian import Operator

_BITS = 32  # of one draw: each is a sign


def rademacher(operator: Operator, stream: str, seed: int, first: int, count: int) -> Tensor:
    """Signs [d, count] that fit an operator: the probes `first`, `first` + 1, ... of a stream."""
    size = operator.shape[0]
    probe, row = np.arange(first, first + count), np.arange(-(-size // _BITS))
    words = counter.draw(counter.key(stream, seed), probe[:, None], row[None, :]).astype("<u4")
    bits = np.unpackbits(words.view(np.uint8), axis=1, count=size, bitorder="little")
    return torch.from_numpy(bits).T.to(operator.device, operator.dtype) * 2 - 1
