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
    try:
        with path.open("rb"):
            return path
    except (FileNotFoundError, NotADirectoryError):
        what, remedy = "there is no such file", "check the path"
    except IsADirectoryError:
        what, remedy = "this is a directory, not a file", "name one of the files in it"
    except PermissionError:
        what, remedy = "no permission to read this file", "make it readable, as with chmod u+r"
    except (OSError, ValueError) as error:
        what, remedy = f"this file cannot be opened ({error})", "check the path"
    raise VotewiseError(what, where=path, remedy=remedy)


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
