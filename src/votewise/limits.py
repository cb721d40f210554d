"""Limits on memory and on counts, which are checked before memory is allocated.

A damaged or hostile file may declare any size, and a typo in an argument may request any number. The free memory of the machine
is only checked for requests above a quarter of a gigabyte, so that ordinary data is treated alike on all machines.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from votewise.errors import VotewiseError
from votewise.wording import file_size, quoted

ALWAYS_FITS = 1 << 28  # bytes that are allocated without checking the free memory
BYTES_OF_A_VOTE = 16  # per vote, while votes are built and described: its label and the position of its item
MOST_OF_A_CELL = 1_000_000  # maximum number of votes on one item for one class
MOST_SEEDS = 10_000  # maximum number of seeds of a study
MOST_RUNS = 1_000_000  # maximum number of runs of a study
MOST_EPOCHS = 100_000  # maximum number of epochs of a run
MOST_BINS = 100_000  # maximum number of bins of a calibration error
MOST_SAMPLES = 100_000  # maximum number of bootstrap samples
MOST_SPLITS = 10_000  # maximum number of random splits of the votes into two halves
_UNKNOWN = 1 << 33  # bytes that are assumed to be free if the system does not report its memory


def require_memory(needed: float, what: str, *, where: object = None, remedy: str) -> None:
    """Raise if `needed` bytes are more than this process may still allocate.

    Args:
        needed: Bytes at the peak.
        what: What needs the memory, as the subject of a sentence.
        where: The file that the data comes from.
        remedy: What to do about it.

    Raises:
        VotewiseError: If the memory is not available.
    """
    if needed > ALWAYS_FITS and needed > (free := free_memory()):
        raise VotewiseError(
            f"{what} would need about {file_size(needed)} of memory, but only {file_size(free)} are free",
            where=where,
            remedy=remedy,
        )


def require_votes(count: float, *, remedy: str) -> None:
    """Raise if the votes do not fit in memory."""
    require_memory(BYTES_OF_A_VOTE * count, f"{count:,.0f} votes", remedy=remedy)


def free_memory() -> int:
    """Bytes that this process may still allocate: limited by the machine, the control group and its own limit."""
    return max(min(_of_the_machine(), _of_the_group(), _of_the_process()), 0)


def _of_the_machine() -> int:
    with suppress(OSError, ValueError):
        facts = Path("/proc/meminfo").read_text()
        if found := re.search(r"^MemAvailable:\s+(\d+) kB", facts, re.MULTILINE):
            return int(found[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return _UNKNOWN


def _of_the_group() -> int:
    """Bytes that a container may still allocate (cgroup v2, then v1)."""
    for folder, most, used in (
        ("/sys/fs/cgroup", "memory.max", "memory.current"),
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):  # "max" is not a number: no limit
            return _left_in(Path(folder), most, used)
    return 1 << 62


def _left_in(folder: Path, most: str, used: str) -> int:
    """Bytes left in a control group. The cache of files that were read counts as used, but the system frees it when needed."""
    left = int((folder / most).read_text()) - int((folder / used).read_text())
    cache = re.search(r"^inactive_file (\d+)", (folder / "memory.stat").read_text(), re.MULTILINE)
    return left + (int(cache[1]) if cache else 0)


def _of_the_process() -> int:
    """Bytes left under `ulimit -v`."""
    with suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            return most - taken
    return 1 << 62


def whole_number(name: str, value: object, least: int, most: int | None = None, why: str = "") -> int:
    """Return an argument as an int, or raise if it is not a whole number from `least` to `most`.

    Args:
        name: The argument.
        value: What the user gave.
        least: The smallest allowed number.
        most: The largest allowed number, if any.
        why: The reason for the limit, as a short clause.

    Raises:
        VotewiseError: If it is not.

    Example:
        >>> whole_number("bins", 0, 1)
        Traceback (most recent call last):
        votewise.errors.VotewiseError: bins must be a whole number of 1 or more, got 0
    """
    try:
        number = None if isinstance(value, bool) else value.__index__()  # type: ignore[attr-defined]  # NumPy's are integers too
    except (AttributeError, TypeError):
        number = None
    if number is None or number < least:
        raise VotewiseError(f"{name} must be a whole number of {least} or more, got {quoted(value)}")
    if most is not None and number > most:
        raise VotewiseError(f"{name} must be at most {most:,}{f' ({why})' if why else ''}, got {number}")
    return int(number)
