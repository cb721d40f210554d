"""`votewise verify STORE`: is everything in a store what it says?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o


def verify(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of runs and studies.", show_default=False)],
    json: o.Json = False,
) -> None:
    """Compute ids, digests, label tapes and scores again; a line for each problem, exit code 2 if there is one."""
    import sys

    from votewise.cli.screen import print_json, printable
    from votewise.errors import VotewiseError
    from votewise.studies import verify as check

    found = check(store)
    if json:
        print_json({"runs": found.runs, "problems": found.problems, "unchecked": found.unchecked})
    else:
        for line in found.problems:
            print(printable(line))
        for line in found.unchecked:
            print(printable(line), file=sys.stderr)
    if found.problems:
        raise VotewiseError(
            f"{len(found.problems)} problem{'s' if len(found.problems) > 1 else ''} among {found.runs} finished runs",
            where=store,
            remedy="delete what is damaged and run the study again: only that is trained again",
        )
    if not json:
        left = f"; {len(found.unchecked)} could not be checked wholly" if found.unchecked else ""
        print(f"{found.runs} finished runs: what was checked of ids, digests, labels and scores is what they say{left}")
