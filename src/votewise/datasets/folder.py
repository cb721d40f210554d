"""Where the data of this machine lives, and the files in it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.files import existing_file


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path:
    """`folder` if given, else what VOTEWISE_DATA names, else the place for caches of this user."""
    if folder is not None:
        return Path(folder)
    if named := os.environ.get("VOTEWISE_DATA"):
        return Path(named)
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "votewise"


def needed(path: Path, name: str) -> Path:
    """`path` as a readable file; where it is absent, the error names the command that brings it."""
    if not path.exists():
        raise absent(path, name)
    return existing_file(path)


def absent(path: Path, name: str) -> VotewiseError:
    """What to say of a file of the dataset `name` that is not there."""
    return VotewiseError(
        "this file is not there",
        where=path,
        remedy=f"fetch it with: votewise fetch {name} (or set VOTEWISE_DATA to the folder that has it)",
    )


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz file by name, or the one of an .npy file under the name 'inputs'; none that needs pickle."""
    try:
        with path.open("rb") as raw:
            file = np.load(raw, allow_pickle=False)
            return {"inputs": file} if isinstance(file, np.ndarray) else {name: file[name] for name in file.files}
    except Exception as error:  # NumPy lets out whatever its parts raise: tokenize, zipfile, zlib, MemoryError ...
        reason = str(error).partition("\n")[0]
        raise VotewiseError(
            f"cannot be read as a NumPy file ({reason})", where=path, remedy="save or fetch it again: it may be cut off"
        ) from None
