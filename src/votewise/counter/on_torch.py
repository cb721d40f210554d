"""The counter on a torch device, with wrapping int64 arithmetic, because torch supports uint64 only in part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.counter.on_numpy import GOLDEN, MIX_1, MIX_2, Tables

if TYPE_CHECKING:
    from torch import Tensor


def _signed(x: int) -> int:
    return x - (1 << 64) if x >= 1 << 63 else x


def _shift(x: Tensor, n: int) -> Tensor:
    return (x >> n) & ((1 << (64 - n)) - 1)  # a logical shift: torch shifts int64 arithmetically


def _mix64(x: Tensor) -> Tensor:
    x = (x ^ _shift(x, 30)) * _signed(MIX_1)
    x = (x ^ _shift(x, 27)) * _signed(MIX_2)
    return x ^ _shift(x, 31)


def draw(key: int, epoch: int | Tensor, row: Tensor) -> Tensor:
    """32 random bits for each (epoch, row), as int64 on the device of `row`."""
    import torch

    t = torch.as_tensor(epoch, dtype=torch.int64, device=row.device)
    s = _mix64((t + 1) * _signed(GOLDEN) + _signed(key))
    return _shift(_mix64(s + (row.long() + 1) * _signed(GOLDEN)), 32)


def below(bits: Tensor, size: Tensor) -> Tensor:
    """Scale 32 random bits to an integer in [0, size), exact for size < 2**31."""
    return (bits * size) >> 32


def tables(tables: Tables, device: Any) -> Tables:
    """Tables on a torch device: signed integers wide enough for every unsigned value."""
    import torch

    wider = {np.dtype(np.uint16): np.int32, np.dtype(np.uint32): np.int64}

    def move(array: Any) -> Any:
        return torch.tensor(array.astype(wider.get(array.dtype, array.dtype)), device=device)

    return {name: move(value) if isinstance(value, np.ndarray) else value for name, value in tables.items()}


def together(index: Tensor, epoch: Any) -> tuple[Tensor, Any]:
    """Index and epoch broadcast to one shape on one device; a single epoch stays a number."""
    import torch

    epoch = torch.as_tensor(epoch, dtype=torch.int64, device=index.device)
    return torch.broadcast_tensors(index, epoch) if epoch.ndim else (index, int(epoch))  # type: ignore[no-untyped-call]  # torch does not type it


def cast(target: Tensor, kind: str) -> Tensor:
    """Classes as int64, distributions unchanged."""
    return target.long() if kind == "hard" else target
