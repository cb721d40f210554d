"""What commands print, and where: results on the output stream, what was done on the error stream."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from votewise.profile import Profile
    from votewise.training import Progress
    from votewise.votes import ReadReport

A_MINUTE = 60.0


def printable(text: str) -> str:
    r"""Text with control characters spelled out, so that what a person wrote cannot speak to the terminal.

    >>> printable("a\x1b[31mb\n")
    'a\\x1b[31mb\n'
    """
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def print_json(value: Any) -> None:
    """One JSON value; a number that is not finite is a mistake, not NaN."""
    print(json.dumps(value, indent=2, allow_nan=False))


def print_report(report: ReadReport) -> None:
    """How the file was read and what was left out, beside the result."""
    print(printable(str(report)), file=sys.stderr)


def show(profile: Profile, title: str | None) -> None:
    """A profile, drawn."""
    from rich.console import Console

    console = Console(highlight=False)
    if title is not None:
        console.rule(printable(title), align="left", characters="─", style="bold")
    console.print(profile.render())


def telling_once() -> Callable[..., None]:
    """For `warnings.showwarning`: each warning is one line on the error stream, once, and not where in the code it was."""
    told = set[str]()

    def show(message: Warning | str, *_: object) -> None:
        line = "; ".join(part.strip(" :") for part in str(message).splitlines())
        if line not in told:
            told.add(line)
            print(printable(line), file=sys.stderr)

    return show


@contextmanager
def epoch_bar(title: str, epochs: int) -> Iterator[Callable[[Progress], None]]:
    """A progress bar on the error stream, told of every epoch; where that is no terminal, a line a minute."""
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
        said = time.monotonic()

        def tell(progress: Progress) -> None:
            nonlocal said
            now = f"soft NLL {progress.history[-1]['soft_nll']:.4f}" if progress.history else ""
            bar.update(task, completed=progress.epoch, now=now)
            if not console.is_terminal and time.monotonic() - said > A_MINUTE:
                said = time.monotonic()
                print(f"epoch {progress.epoch} of {epochs} {now}", file=sys.stderr)

        yield tell


@contextmanager
def job_bar(
    things: str, jobs: int, total: int, unit: str
) -> Iterator[tuple[Callable[[int], None], Callable[..., None]]]:
    """One bar for many jobs on the error stream; where that is no terminal, a line after each tenth of them.

    Gives `advance(done)`, in units of which there are `total`, and `say(job, why)` for each job that ended, `why` where it failed.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console, ended = Console(stderr=True), list[str]()
    columns = (
        TextColumn("{task.fields[ended]}"),
        BarColumn(),
        TextColumn(f"{{task.completed:.0f}}/{{task.total:.0f}} {unit}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, disable=not console.is_terminal or not jobs) as bar:
        task = bar.add_task("", total=total, ended=f"0/{jobs} {things}")

        def advance(done: int) -> None:
            bar.update(task, completed=done, ended=f"{len(ended)}/{jobs} {things}")

        def say(job: str, why: str | None = None) -> None:
            ended.append(job)
            if why is not None:
                bar.console.print(printable(f"{job} failed: {why}"), markup=False, highlight=False)
            elif not console.is_terminal and len(ended) * 10 // jobs > (len(ended) - 1) * 10 // jobs:
                print(f"{len(ended)}/{jobs} {printable(job)}", file=sys.stderr, flush=True)

        yield advance, say
