"""`votewise report STORE`: the page again, from what is in the store."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.cli import options as o
from votewise.cli.screen import print_json, printable
from votewise.errors import VotewiseError
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.studies import Store


def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of runs and studies.", show_default=False)],
    study: Annotated[
        str | None,
        typer.Option(
            help="The study to show; the paper's studies, or else your own first one, unless given.", show_default=False
        ),
    ] = None,
    json: o.Json = False,
) -> None:
    """Every table, figure and claim that the runs of a store can speak of, as one page; files for a paper beside the studies."""
    from votewise.evidence.results import Results
    from votewise.report import write_report
    from votewise.studies import STUDIES, Store

    if not store.is_dir():
        what = "this is a file" if store.exists() else "there is no such folder"
        raise VotewiseError(what, where=store, remedy="name the folder of a store")
    place = Store(store)
    results = Results.of(place, None if study in STUDIES else study)
    page = write_report(place, study, results=results)
    missing = results.missing
    if json:
        print_json(
            {"page": str(page), "missing": [{"id": r.id, "folder": r.run.name, "why": r.reason} for r in missing]}
        )
        return
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        print(
            printable(
                f"missing: {counted(len(missing), 'run')} ({missing[0]}{more}); the page says what that leaves open"
            )
        )
    print(f"page: {page}")


def make_page(store: Store, study: str) -> None:
    """The page at the end of a study, where what draws it is installed."""
    for name in ("altair", "vl_convert", "jinja2"):
        if find_spec(name) is None:
            print(f"no page: {name} is not installed; pip install 'votewise[report]'", file=sys.stderr)
            return
    from votewise.report import write_report

    print(f"page: {write_report(store, study)}", file=sys.stderr)
