"""Readable out-of-memory errors. If the size is known, they are raised before the allocation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from votewise.errors import VotewiseError
from votewise.limits import free_memory
from votewise.wording import counted


@contextmanager
def enough_memory(chunk: int) -> Iterator[None]:
    """Convert a failed allocation for a chunk of examples into a `VotewiseError` with a remedy."""
    with _readable(f"{counted(chunk, 'item')} at a time", "pass a smaller chunk"):
        yield


@contextmanager
def enough_for_vectors(operator: Any, count: int, remedy: str) -> Iterator[None]:
    """Convert a failed allocation of `count` vectors of an operator into a `VotewiseError`, or raise at once if they cannot fit."""
    size = count * operator.shape[0] * operator.dtype.itemsize
    what = f"{counted(count, 'vector')} of {counted(operator.shape[0], 'weight')}, which take {size / 1e9:.1f} GB"
    free = available(operator.device)
    if size > free:
        raise VotewiseError(f"not enough memory for {what}: {free / 1e9:.1f} GB are free", remedy=remedy)
    with _readable(what, remedy):
        yield


def available(device: torch.device) -> float:
    """Bytes that are free on a device."""
    if device.type == "cuda":
        reserved = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return float(torch.cuda.mem_get_info(device)[0] + reserved)
    return float(free_memory())


def out_of_memory(error: BaseException) -> bool:
    """Whether an error is a failed allocation."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or "allocate memory" in str(error)


@contextmanager
def _readable(what: str, remedy: str) -> Iterator[None]:
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if out_of_memory(error):
            raise VotewiseError(f"not enough memory for {what}", remedy=remedy) from None
        raise
