"""`votewise clean VOTES`: proposes a TOML file of corrections to labels and annotators."""

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
        o.option("The file to write. Default: the name of VOTES with the suffix .cleaning.toml."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    *,
    read_options: ReadOptions,
) -> None:
    """Propose which labels and annotators to rename or read as missing. Edit the file, then pass it to any command with --cleaning."""
    import shlex
    import sys

    from votewise.cli.screen import printable
    from votewise.errors import VotewiseError
    from votewise.votes import propose_cleaning

    proposal = propose_cleaning(votes, **read_options)
    if not len(proposal) and not proposal.duplicates:
        print(
            f"{votes}: no label or annotator looks like a mistake, and no annotator votes twice on an item",
            file=sys.stderr,
        )
        return
    path = votes.with_suffix(".cleaning.toml") if output is None else output
    if path.exists() and not force:
        raise VotewiseError(
            "this file already exists and may have been edited",
            where=path,
            remedy="choose another file with --output, or overwrite it with --force",
        )
    proposal.save(path)
    print(printable(proposal.toml()), end="")
    use = f"votewise describe {shlex.quote(str(votes))} --cleaning {shlex.quote(str(path))}"
    settle = (
        "uncomment the line 'duplicates =' to choose which vote counts if an annotator votes on an item again, "
        if proposal.duplicates
        else ""
    )
    print(printable(f"wrote {path}: check it, edit it, {settle}then run {use}"), file=sys.stderr)
