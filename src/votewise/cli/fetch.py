"""`votewise fetch DATASET`: download with checksums into the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o


def fetch(
    dataset: Annotated[
        str,
        typer.Argument(metavar="DATASET", help="cifar10h, cifar100, svhn, chaosnli or popquorn.", show_default=False),
    ],
    folder: Annotated[
        Path | None, typer.Option(help="Where to; VOTEWISE_DATA or the user's cache unless given.", show_default=False)
    ] = None,
    sha256: Annotated[
        str | None, typer.Option(help="The checksum of a file of which none is published.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Fetch a dataset from its official place; a download that was broken off goes on where it stopped."""
    import sys

    from rich.console import Console
    from rich.progress import DownloadColumn, Progress, TaskID, TransferSpeedColumn

    from votewise.cli.screen import print_json, printable
    from votewise.datasets import TERMS
    from votewise.datasets import fetch as bring

    console = Console(stderr=True)
    columns = (*Progress.get_default_columns(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks = dict[str, TaskID]()

        def show(name: str, done: int, size: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(name, total=size)
            bar.update(tasks[name], completed=done)

        done = bring(dataset, folder, sha256=sha256, progress=show)
    if json:
        print_json(
            {
                "dataset": dataset,
                "written": [str(path) for path in done.written],
                "kept": [str(path) for path in done.kept],
            }
        )
        return
    for path in done.kept:
        print(printable(f"{path} was there already"), file=sys.stderr)
    for path in done.written:
        print(printable(str(path)))
    print(TERMS[dataset], file=sys.stderr)
