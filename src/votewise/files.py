"""Files: written whole or not at all, named in errors, known by their digest."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from votewise.errors import VotewiseError


def existing_file(path: str | os.PathLike[str]) -> Path:
    """`path` as a readable file, or one sentence that says why it is none."""
    path = Path(path)
    if not path.exists():
        raise VotewiseError("there is no such file", where=path, remedy="check the path")
    if path.is_dir():
        raise VotewiseError("this is a directory, not a file", where=path, remedy="name one of the files in it")
    try:
        with path.open("rb"):
            pass
    except PermissionError:
        raise VotewiseError(
            "no permission to read this file", where=path, remedy="make it readable, as with chmod u+r"
        ) from None
    return path


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a crash, sees the old file or the new one and nothing between."""
    path = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise VotewiseError(
            f"cannot write here ({error.strerror})", where=path, remedy="choose a folder that exists and is writable"
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        os.unlink(temporary)
        if isinstance(error, OSError):
            raise VotewiseError(
                f"cannot be written ({error.strerror})", where=path, remedy="check the space and permissions there"
            ) from None
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def digest(parts: Iterable[bytes | memoryview]) -> str:
    """SHA-256 over length-prefixed parts, so that no two lists of parts run together.

    >>> digest([b"ab", b"c"]) == digest([b"a", b"bc"])
    False
    """
    sha = hashlib.sha256()
    for part in parts:
        view = memoryview(part).cast("B")
        sha.update(len(view).to_bytes(8, "little"))
        sha.update(view)
    return sha.hexdigest()
