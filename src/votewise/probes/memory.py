"""Too little memory, told in a sentence: before it is taken where that can be known, and when it cannot be had."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from votewise.errors import VotewiseError
from votewise.wording import counted

_MEMORY = Path("/proc/meminfo")


@contextmanager
def enough_memory(chunk: int) -> Iterator[None]:
    """For so many items at a time: turns an allocation that failed into a sentence."""
    with _told(f"{counted(chunk, 'item')} at a time", "give a smaller chunk"):
        yield


@contextmanager
def enough_for_vectors(operator: Any, count: int, remedy: str) -> Iterator[None]:
    """The same for `count` vectors that fit an operator; where they cannot fit, nothing is begun."""
    size = count * operator.shape[0] * operator.dtype.itemsize
    what = f"{counted(count, 'vector')} of {counted(operator.shape[0], 'weight')}, which take {size / 1e9:.1f} GB"
    free = available(operator.device)
    if size > free:
        raise VotewiseError(f"there is not enough memory for {what}: {free / 1e9:.1f} GB are free", remedy=remedy)
    with _told(what, remedy):
        yield


def available(device: torch.device) -> float:
    """Bytes that can still be had on a device; without end where nobody says."""
    if device.type == "cuda":
        kept = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return float(torch.cuda.mem_get_info(device)[0] + kept)
    try:
        lines = dict(line.split(":", 1) for line in _MEMORY.read_text(encoding="ascii").splitlines())
        return float(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, ValueError, KeyError):
        return math.inf


@contextmanager
def _told(what: str, remedy: str) -> Iterator[None]:
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, MemoryError | torch.OutOfMemoryError) or "allocate memory" in str(error):
            raise VotewiseError(f"there is not enough memory for {what}", remedy=remedy) from None
        raise
