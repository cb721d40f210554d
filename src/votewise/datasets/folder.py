"""The data folder on this machine, and its files."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from votewise.errors import VotewiseError
from votewise.files import existing_file


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """`folder` if given, otherwise the environment variable VOTEWISE_DATA or the user's cache folder for votewise."""
    if folder is not None:
        return Path(folder)
    if named := os.environ.get("VOTEWISE_DATA"):
        return Path(named)
    return platformdirs.user_cache_path("votewise", appauthor=False)


def needed(path: Path, name: str) -> Path:
    """`path` as a readable file; if it is missing, the error names the command that fetches it."""
    if not path.exists():
        raise absent(path, name)
    return existing_file(path)


def absent(path: Path, name: str) -> VotewiseError:
    """The error to raise for a missing file of the dataset `name`."""
    return VotewiseError(
        "this file does not exist",
        where=path,
        remedy=f"fetch it with: votewise fetch {name} (or set VOTEWISE_DATA to the folder that has it)",
    )
