"""`votewise report STORE`: build the report from what is in the store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o
from votewise.cli.screen import print_json, printable
from votewise.wording import counted


def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of runs and studies.", show_default=False)],
    study: Annotated[
        str | None, typer.Option(help="Only the page that shows this study. Default: all pages.", show_default=False)
    ] = None,
    json: o.Json = False,
) -> None:
    """Build every table, figure and claim that the runs of a store can speak of, as one page; files for a paper beside the studies."""
    from votewise.studies import Store
    from votewise.workflows import report as build

    pages = build(store, study=study)
    missing = Store(store).missing()
    if json:
        print_json(
            {
                "pages": [str(page) for page in pages],
                "missing": [{"id": run.id, "run": run.run.name, "reason": run.reason} for run in missing],
            }
        )
        return
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        print(
            printable(
                f"missing: {counted(len(missing), 'run')} ({missing[0]}{more}); the page says what that leaves open"
            )
        )
    for page in pages:
        print(f"page: {page}")
