"""An archive of a store: its small files, which suffice for tables, figures, claims and the page, and fit in a repository.

A run keeps its configuration, history, scores and readings, and `archived.json` names the weights and predictions that were left out. It
counts as finished and is never trained again. Probes that need the weights must be run before archiving.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from votewise.errors import VotewiseError
from votewise.studies.store import Store
from votewise.wording import reason


def archive(store: str | Path, destination: str | Path) -> int:
    """Copy the studies and the small files of every finished run, and return the number of archived runs."""
    source, target = Store(store), Path(destination)
    runs = [run for run in source.all_runs() if run.finished]
    if not runs:
        raise VotewiseError("no finished runs found", where=source.path, remedy="give the folder of a store")
    try:
        for run in runs:
            run.archive(target)
        for study in source.studies():
            place = target / "studies" / study
            place.mkdir(parents=True, exist_ok=True)
            for name in ("plan.toml", "runs.json"):
                shutil.copyfile(source.path / "studies" / study / name, place / name)
    except OSError as error:
        raise VotewiseError(
            f"cannot be written ({reason(error)})",
            where=target,
            remedy="check the free space and the permissions of the folder",
        ) from None
    return len(runs)
