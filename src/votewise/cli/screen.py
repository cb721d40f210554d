"""Output of commands: results on stdout, notes and progress on stderr."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from votewise.wording import duration

if TYPE_CHECKING:
    from votewise.studies import Event
    from votewise.training import Progress
    from votewise.votes import ReadReport

A_MINUTE, AN_HOUR = 60.0, 3600.0


def printable(text: str) -> str:
    r"""Text with escaped control characters, so that data cannot send commands to the terminal.

    >>> printable("a\x1b[31mb\n")
    'a\\x1b[31mb\n'
    """
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def print_json(value: Any) -> None:
    """One JSON value; non-finite numbers are an error."""
    print(json.dumps(value, indent=2, allow_nan=False))


def print_report(report: ReadReport) -> None:
    """Print how the file was read and what was left out."""
    print(printable(str(report)), file=sys.stderr)


def print_written(path: Path) -> None:
    """Print the name of a file that was written."""
    print(printable(f"wrote {path}"), file=sys.stderr)


def telling_once() -> Callable[..., None]:
    """A function for `warnings.showwarning` that prints each warning once, as one line on stderr without its location in the code."""
    shown = set[str]()

    def show(message: Warning | str, *_: object) -> None:
        line = "; ".join(part.strip(" :") for part in str(message).splitlines())
        where, colon, what = line.partition(": ")
        known = f"{Path(where).name}{colon}{what}"  # the same file may be named by different paths
        if known not in shown:
            shown.add(known)
            print(printable(line), file=sys.stderr)

    return show


@contextmanager
def without_reading_reports() -> Iterator[None]:
    """Do not repeat what was dropped from the votes: for commands on finished runs, whose training reported it."""
    from votewise.votes import DoubtfulClasses, DroppedVotes

    with warnings.catch_warnings():
        for kind in (DroppedVotes, DoubtfulClasses):
            warnings.simplefilter("ignore", kind)
        yield


@contextmanager
def epoch_bar(title: str, epochs: int) -> Iterator[Callable[[Progress], None]]:
    """A progress bar on stderr, updated after every epoch; without a terminal, one line per minute."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[now]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(printable(title).replace("[", r"\["), total=epochs, now="")
        printed = time.monotonic()

        def update(progress: Progress) -> None:
            nonlocal printed
            now = f"soft NLL {progress.history[-1]['soft_nll']:.4f}" if progress.history else ""
            bar.update(task, completed=progress.epoch, now=now)
            if not console.is_terminal and time.monotonic() - printed > A_MINUTE:
                printed = time.monotonic()
                print(f"epoch {progress.epoch} of {epochs} {now}", file=sys.stderr)

        yield update


@contextmanager
def progress_bars() -> Iterator[Callable[[Event], None]]:
    """Progress bars on stderr for the training and the probes of a study; without a terminal, one line after each tenth."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console, tasks, ended = Console(stderr=True), dict[str, Any](), Counter[str]()
    units = {"training": ("runs", "epochs"), "probes": ("probes", "probes")}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f} {task.fields[unit]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, disable=not console.is_terminal, speed_estimate_period=AN_HOUR) as bar:

        def show(event: Event) -> None:
            things, unit = units[event.stage]
            if event.stage not in tasks:
                tasks[event.stage] = bar.add_task("", total=event.total, unit=unit)
            ended[event.stage] += event.job is not None
            count = ended[event.stage]
            bar.update(tasks[event.stage], completed=event.done, description=f"{count}/{event.jobs} {things}")
            if event.failure is not None:
                line = printable(f"{event.job} failed: {event.failure}")
                bar.console.print(line, markup=False, highlight=False)
            elif event.job is not None and not console.is_terminal and _tenth(count, event.jobs):
                seconds = bar.tasks[tasks[event.stage]].time_remaining
                left = f", about {duration(seconds)} left" if seconds else ""
                print(f"{count}/{event.jobs} {printable(event.job)}{left}", file=sys.stderr, flush=True)
            if count == event.jobs:  # so that the studies of the next report start from 0
                del tasks[event.stage], ended[event.stage]

        yield show


def _tenth(count: int, jobs: int) -> bool:
    """Whether the job number `count` completes another tenth of the jobs."""
    return count * 10 // jobs > (count - 1) * 10 // jobs
