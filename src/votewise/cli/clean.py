"""`votewise clean VOTES`: which labels and annotators look like mistakes, as a TOML file to edit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions


@grouped
def clean(
    votes: o.VotesPath,
    output: Annotated[
        Path | None,
        typer.Option(help="The file to write. Default: VOTES with the ending .cleaning.toml.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    *,
    read_options: ReadOptions,
) -> None:
    """Propose which labels and annotators to read as others or as missing. Edit the file, then give it to any command with --cleaning."""
    import shlex
    import sys

    from votewise.cli.screen import printable
    from votewise.errors import VotewiseError
    from votewise.votes import propose_cleaning

    proposal = propose_cleaning(votes, **read_options)
    if not len(proposal) and not proposal.duplicates:
        print(
            f"{votes}: no label or annotator looks like a mistake, and nobody votes on an item again", file=sys.stderr
        )
        return
    path = votes.with_suffix(".cleaning.toml") if output is None else output
    if path.exists() and not force:
        raise VotewiseError(
            "this file exists, and somebody may have edited it",
            where=path,
            remedy="choose another with --output, or give --force",
        )
    proposal.save(path)
    print(printable(proposal.toml()), end="")
    use = f"votewise describe {shlex.quote(str(votes))} --cleaning {shlex.quote(str(path))}"
    settle = "uncomment the line 'duplicates =' to say which second votes count, " if proposal.duplicates else ""
    print(printable(f"written to {path}: check it, edit it, {settle}then {use}"), file=sys.stderr)
