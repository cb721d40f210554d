"""`votewise fetch DATASET`: downloads a dataset into the data folder and verifies its checksums."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from votewise.cli import options as o


def fetch(
    dataset: Annotated[str, o.argument("DATASET", "cifar10h, cifar100, svhn, chaosnli or popquorn.")],
    folder: Annotated[Path | None, o.option("Target folder. Default: VOTEWISE_DATA, or the user's cache.")] = None,
    sha256: Annotated[str | None, o.option("SHA-256 of a file for which no checksum is published.")] = None,
    json: o.Json = False,
) -> None:
    """Download a dataset from its official source. An interrupted download resumes."""
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
        print(printable(f"{path} already exists"), file=sys.stderr)
    for path in done.written:
        print(printable(str(path)))
    print(TERMS[dataset], file=sys.stderr)
