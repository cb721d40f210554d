"""The small files of a store: enough for tables, figures, claims and the page, and small enough for a repository.

A run keeps its configuration, history, scores and readings, and `archived.json` names the weights and predictions that were left out. It
counts as finished, so it is never trained again; probes that need its weights have to be run before.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.studies.store import Store
from votewise.training import Run, finished
from votewise.training.folder import LARGE

SMALL = (
    "config.json",
    "history.jsonl",
    "environment.json",
    "timing.jsonl",
    "scores.json",
)  # the scores last, as in training


def archive(store: str | Path, destination: str | Path) -> int:
    """Copy the studies and the small files of every finished run; the number of runs in the archive."""
    source, target = Store(store), Path(destination)
    folders = [folder for folder in source.folders() if finished(folder)]
    if not folders:
        raise VotewiseError("there are no finished runs here", where=source.path, remedy="name the folder of a store")
    try:
        for folder in folders:
            _copy_run(folder, target / "runs" / folder.name)
        for study in source.studies():
            place = target / "studies" / study
            place.mkdir(parents=True, exist_ok=True)
            for name in ("plan.toml", "runs.json"):
                shutil.copyfile(source.path / "studies" / study / name, place / name)
    except OSError as error:
        raise VotewiseError(
            f"cannot be written ({error.strerror})", where=target, remedy="check the space and permissions there"
        ) from None
    return len(folders)


def _copy_run(folder: Path, place: Path) -> None:
    (place / "probes").mkdir(parents=True, exist_ok=True)
    write_atomic(
        place / "archived.json", json.dumps({"left_out": LARGE, "evaluated": Run(folder).evaluated}).encode() + b"\n"
    )
    for reading in (folder / "probes").glob("*.json"):
        shutil.copyfile(reading, place / "probes" / reading.name)
    for name in SMALL:
        if (folder / name).exists():
            shutil.copyfile(folder / name, place / name)
