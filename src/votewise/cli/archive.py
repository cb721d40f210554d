"""`votewise archive STORE FOLDER`: copies the small files of a store, to share them or to add them to a repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from votewise.cli import options as o


def archive(
    store: Annotated[Path, o.argument("STORE", "The folder of a store.")],
    folder: Annotated[Path, o.argument("FOLDER", "The folder of the archive.")],
) -> None:
    """Copy configurations, histories, scores and probe readings of finished runs, without weights and predictions.

    An archive is a store: `votewise report FOLDER` builds the report from it. Run the command again to add newly finished runs.
    """
    from votewise.studies import archive
    from votewise.wording import counted

    print(f"{counted(archive(store, folder), 'run')} in {folder}")
