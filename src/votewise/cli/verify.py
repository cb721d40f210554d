"""`votewise verify STORE`: recomputes run ids, checksums, labels and scores, and compares them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from votewise.cli import options as o

if TYPE_CHECKING:
    from votewise.studies import Verification


def verify(
    store: Annotated[Path, o.argument("STORE", "The folder of runs and studies.")],
    retrain: Annotated[str | None, o.option("Comma-separated ids of finished runs to retrain and compare.")] = None,
    json: o.Json = False,
) -> None:
    """Recompute run ids, checksums, labels and scores of a store, and compare them with what it recorded.

    Each problem is printed as one line, and the exit code is 2. Missing runs of a study are listed with the
    command that runs them.
    """
    import sys

    from votewise.cli.screen import print_json, printable
    from votewise.errors import VotewiseError
    from votewise.studies import verify as check
    from votewise.wording import counted

    found = check(store, o.parts(retrain) or ())
    if json:
        print_json(
            {
                "runs": found.runs,
                "problems": found.problems,
                "unfinished": found.unfinished,
                "unchecked": found.unchecked,
                "unsealed": dict(found.unsealed),
                "retrained": [str(run) for run in found.retrained],
            }
        )
    else:
        for line in (*found.problems, *found.unfinished):
            print(printable(line))
        for line in found.unchecked:
            print(printable(line), file=sys.stderr)
        for run in found.retrained:
            if not run.problem:
                print(printable(str(run)))
    if found.problems:
        raise VotewiseError(
            f"{counted(len(found.problems), 'problem')} found",
            where=store,
            remedy="delete the folders of the damaged runs and run the study again; only these runs are trained",
        )
    if not json:
        print(_all_well(found))


def _all_well(found: Verification) -> str:
    """The line to print if there are no problems."""
    from votewise.wording import counted

    if not found.runs:
        return "no finished runs to verify"
    runs = counted(found.runs, "finished run")
    if found.unchecked:
        line = f"{runs} verified; {counted(len(found.unchecked), 'run')} could only be checked in part"
    else:
        line = f"{runs} verified: ids, checksums, labels and scores are correct"
    if found.unsealed:
        files = ", ".join(f"{count:,} {name}" for name, count in found.unsealed.items())
        line += f"; files of an older version, without a checksum: {files}"
    return line
