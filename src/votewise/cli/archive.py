"""`votewise archive STORE FOLDER`: the small files of a store, for a repository or a colleague."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def archive(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of a store.", show_default=False)],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the archive goes.", show_default=False)],
) -> None:
    """Copy configurations, histories, scores and probe readings of finished runs, without weights and predictions.

    An archive is a store: `votewise report FOLDER` builds the report from it. Run it again to add what finished since.
    """
    from votewise.studies import archive
    from votewise.wording import counted

    print(f"{counted(archive(store, folder), 'run')} in {folder}")
