"""The environment of a run: everything that can change the bits of its results without changing its configuration."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from votewise.errors import VotewiseError
from votewise.limits import whole_number
from votewise.wording import quoted

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Device, threads and other settings that are not part of a run's identity.

    Attributes:
        device: "cpu", "cuda" or "cuda:1".
        threads: Number of threads. It is recorded because it affects the bits of the result.
        compile: Whether to compile the model with `torch.compile`.
        checkpoint_seconds: Minimum number of seconds between two saved states.

    Example:
        >>> Engine(threads=4).device
        'cpu'
    """

    device: str = "cpu"
    threads: int = 1
    compile: bool = False
    checkpoint_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not re.fullmatch(r"cpu|cuda(:[0-9]+)?", self.device):
            raise VotewiseError(f"unknown device {quoted(self.device)}", remedy="use 'cpu' or 'cuda'")
        whole_number("threads", self.threads, 1)
        if not self.checkpoint_seconds >= 0:
            raise VotewiseError(
                f"checkpoint_seconds must be a number of at least 0, got {quoted(self.checkpoint_seconds)}"
            )

    def prepare(self) -> torch.device:
        """Set the number of threads and deterministic algorithms, and return the device if it is available."""
        import torch

        if self.device.startswith("cuda") and not torch.cuda.is_available():
            raise VotewiseError(f"device {self.device!r} is not available", remedy="use cpu")
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
        torch.set_num_threads(self.threads)
        torch.use_deterministic_algorithms(True)
        # Full float32: TF32 keeps 10 bits of the mantissa, too few for Hessian products.
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        # Do not fill new memory with NaN: it takes time, and no code here reads memory before writing it.
        torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # not in torch's stubs
        _keep_memory(True)
        return torch.device(self.device)

    def describe(self, *packages: str) -> dict[str, Any]:
        """Versions (also of `packages`), threads and machine. If these are equal, the bits of the results are equal."""
        import torch

        return {
            "device": torch.cuda.get_device_name() if self.device.startswith("cuda") else _cpu(),
            "threads": self.threads,
            "compile": self.compile,
            "system": platform.platform(),
            "python": platform.python_version(),
            "versions": {name: version(name) for name in ("votewise", "torch", "numpy", *packages)},
        }


@contextmanager
def restored_settings(engine: Engine) -> Iterator[None]:
    """Restore the settings that `Engine.prepare` changes and torch's random numbers, so that the rest of a notebook is not affected."""
    import torch

    threads, mode = torch.get_num_threads(), torch.get_deterministic_debug_mode()
    flags: list[tuple[Any, str]] = [
        (backend, "allow_tf32") for backend in (torch.backends.cuda.matmul, torch.backends.cudnn)
    ]
    flags.append((torch.utils.deterministic, "fill_uninitialized_memory"))
    before = [getattr(owner, name) for owner, name in flags]
    cuda = [engine.device] if engine.device != "cpu" and torch.cuda.is_available() else []
    try:
        with torch.random.fork_rng(devices=cuda):
            yield
    finally:
        torch.set_num_threads(threads)
        torch.set_deterministic_debug_mode(mode)
        for (owner, name), value in zip(flags, before, strict=True):
            setattr(owner, name, value)
        _keep_memory(False)


def _keep_memory(keep: bool) -> None:
    """Set whether glibc keeps freed memory. If not, every step returns the large tensors to the system and allocates them again."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        trim_threshold, mmap_max = -1, -4  # constants of malloc.h
        mallopt(trim_threshold, -1 if keep else 128 * 1024)
        mallopt(mmap_max, 0 if keep else 65_536)


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
