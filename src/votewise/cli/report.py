"""`votewise report STORE`: builds the report of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from votewise.cli import options as o
from votewise.cli.screen import print_json, printable
from votewise.wording import counted


def report(
    store: Annotated[Path, o.argument("STORE", "The folder of runs and studies.")],
    study: Annotated[str | None, o.option("Build only the page with this study. Default: all pages.")] = None,
    json: o.Json = False,
) -> None:
    """Build the report of a store: one page with every table, figure and claim that its runs support.

    Tables and figures are also written to files in the folders of the studies.
    """
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
                f"missing: {counted(len(missing), 'run')} ({missing[0]}{more}); the page lists what still needs them"
            )
        )
    for page in pages:
        print(f"page: {page}")
