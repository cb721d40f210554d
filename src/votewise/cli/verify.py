"""`votewise verify STORE`: is everything in a store what it says?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.cli import options as o

if TYPE_CHECKING:
    from votewise.studies import Verification


def verify(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of runs and studies.", show_default=False)],
    json: o.Json = False,
) -> None:
    """Compute ids, digests, label tapes and scores again; a line for each run or study with a problem, exit code 2 if there is one."""
    import sys

    from votewise.cli.screen import print_json, printable
    from votewise.errors import VotewiseError
    from votewise.studies import verify as check
    from votewise.wording import counted

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
            f"{counted(len(found.problems), 'problem')} found",
            where=store,
            remedy="delete what is damaged and give the same command as before: only that is trained again",
        )
    if not json:
        print(_all_well(found))


def _all_well(found: Verification) -> str:
    """What can be said where nothing is wrong."""
    from votewise.wording import counted

    if not found.runs:
        return "no run is finished, so there is nothing to check"
    runs = counted(found.runs, "finished run")
    if found.unchecked:
        return f"{runs}: nothing wrong was found, but {counted(len(found.unchecked), 'run')} could not be checked, or not wholly"
    return f"{runs}: ids, digests, labels and scores are right"
