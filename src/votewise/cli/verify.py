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

    from votewise.cli.screen import print_json, printable, without_reading_reports
    from votewise.errors import VotewiseError
    from votewise.studies import verify as check
    from votewise.wording import counted

    with without_reading_reports():
        verification = check(store, o.parts(retrain) or ())
    if json:
        print_json(
            {
                "runs": verification.runs,
                "problems": verification.problems,
                "unfinished": verification.unfinished,
                "unchecked": verification.unchecked,
                "unsealed": dict(verification.unsealed),
                "retrained": [str(run) for run in verification.retrained],
            }
        )
    else:
        for line in (*verification.problems, *verification.unfinished):
            print(printable(line))
        for line in verification.unchecked:
            print(printable(line), file=sys.stderr)
        for run in verification.retrained:
            if not run.problem:
                print(printable(str(run)))
    if verification.problems:
        raise VotewiseError(
            f"{counted(len(verification.problems), 'problem')} found",
            where=store,
            remedy="follow the remedy in a line if it has one; otherwise delete the folders of the damaged runs and run the study again, which trains only these",
        )
    if not json:
        print(_all_well(verification))


def _all_well(verification: Verification) -> str:
    """The line to print if there are no problems."""
    from votewise.wording import counted

    if not verification.runs:
        return "no finished runs to verify"
    runs = counted(verification.runs, "finished run")
    if verification.unchecked:
        line = f"{runs} verified; {counted(len(verification.unchecked), 'run')} could only be checked in part"
    else:
        line = f"{runs} verified: ids, checksums, labels and scores are correct"
    if verification.unsealed:
        files = ", ".join(f"{count:,} {name}" for name, count in verification.unsealed.items())
        line += f"; files of an older version, without a checksum: {files}"
    return line
