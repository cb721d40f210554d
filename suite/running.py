"""Run the tests of a package on a mutant, in a fork of a process that has imported everything but votewise.

A mutant takes a second or two this way. In a new process for each mutant, as the command line of Cosmic Ray does it, the imports alone take five.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

OPTIONS = (
    *("-x", "-q", "-n", "0", "-m", "not full", "--hypothesis-profile", "mutants", "-p", "no:cacheprovider"),
    *("--no-header", "--tb", "line", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
IMPORTED = (
    *("numpy", "scipy.special", "scipy.stats", "scipy.spatial.distance", "polars", "pandas", "pydantic", "torch", "torch.func"),
    *("torch.utils.data", "torchmetrics.classification", "relplot.metrics", "relplot.estimators", "sklearn.metrics"),
    *("statsmodels.stats.multitest", "statsmodels.stats.weightstats", "jax.numpy", "pytest", "hypothesis.extra.numpy", "rich", "typer"),
)  # fmt: skip
MEMORY = 4 << 30  # bytes in addition to the memory after imports
WAITING = 600.0  # wall time in seconds, on a busy machine
_FORK = multiprocessing.get_context("fork")


def preload() -> None:
    """Import what the tests need besides votewise; a fork finds it in memory."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in IMPORTED:
            importlib.import_module(name)


def in_child(function: Callable[..., Any], *args: Any) -> int:
    """The exit code of a fork that calls a function; negative for a signal."""
    child = _FORK.Process(target=_alone, args=(function, *args))
    child.start()
    child.join(WAITING)
    if child.is_alive():
        os.killpg(child.pid or 0, signal.SIGKILL)
        child.join()
        return -signal.SIGXCPU
    return int(child.exitcode or 0)


def _alone(function: Callable[..., Any], *args: Any) -> None:
    os.setsid()  # so that its own children can be stopped with it
    sys.exit(function(*args))


def run_tests(tests: tuple[str, ...], seconds: int) -> tuple[int, str]:
    """The exit code of pytest, and the last lines of its output. It is killed by SIGXCPU after `seconds` of CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(folder) / "output"
        code = in_child(_pytest, tests, seconds, shown, folder)
        return code, shown.read_text(encoding="utf-8", errors="replace")[-2000:]


def _pytest(tests: tuple[str, ...], seconds: int, shown: Path, folder: str) -> int:
    import pytest

    with shown.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))  # SIGXCPU, then SIGKILL
    return int(pytest.main([*OPTIONS, "--basetemp", f"{folder}/tmp", *tests]))
