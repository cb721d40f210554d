"""Files: only regular files are read, writing is atomic, and errors name the file."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Collection
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.wording import listing, quoted, reason

_UNFINISHED = ".half-written"  # suffix of a file until it is complete


class NotRegularError(OSError):
    """A pipe, a socket or a device instead of a file."""

    def __init__(self, path: object) -> None:
        super().__init__(None, "it is a pipe or a device", str(path))


def open_regular(path: str | os.PathLike[str]) -> BufferedReader:
    """Open a regular file to read its bytes. A pipe without a writer would block forever, so it is an error."""

    def opener(name: str, flags: int) -> int:
        handle = os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
        mode = os.fstat(handle).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # for a folder, `open` raises a clear error
            return handle
        os.close(handle)
        raise NotRegularError(name)

    return open(path, "rb", opener=opener)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a regular file."""
    with open_regular(path) as file:
        return file.read()


def read_text(path: str | os.PathLike[str]) -> str:
    """The content of a regular file in UTF-8."""
    return read_bytes(path).decode("utf-8")


def as_path(path: Any) -> Path:
    """`path`, if it is the path of a file."""
    try:
        return Path(path)
    except TypeError:
        raise VotewiseError(
            f"{quoted(path)} ({type(path).__name__}) is not the path of a file", remedy="give a path as text"
        ) from None


def existing_file(path: str | os.PathLike[str]) -> Path:
    """`path` as a readable file, or an error with the reason."""
    path = as_path(path)
    try:
        with open_regular(path):
            return path
    except NotRegularError:
        what, remedy = "this is a pipe or a device and cannot be read twice", "save it to a file first"
    except (FileNotFoundError, NotADirectoryError):
        what, remedy = "this file does not exist", "check the path"
    except IsADirectoryError:
        what, remedy = "this is a directory, not a file", "give a file in it"
    except PermissionError:
        what, remedy = "no permission to read this file", "make it readable, for example with chmod u+r"
    except (OSError, ValueError) as error:
        what, remedy = f"this file cannot be opened ({reason(error)})", "check the path"
    raise VotewiseError(what, where=path, remedy=remedy)


def format_of(path: str | os.PathLike[str], formats: Collection[str], what: str) -> str:
    """The suffix of a path in lower case, which must be one of `formats`.

    >>> format_of("rows.CSV", (".csv", ".json"), "table")
    '.csv'
    """
    ending = Path(path).suffix.lower()
    if ending not in formats:
        raise VotewiseError(f"unknown {what} format {ending!r}", where=path, remedy=f"choose one of {listing(formats)}")
    return ending


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` to `path` atomically: a reader sees, and a crash leaves, either the old or the new file."""
    path = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=_UNFINISHED)
    except OSError as error:
        raise VotewiseError(
            f"cannot write here ({error.strerror})", where=path, remedy="choose a folder that exists and is writable"
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise VotewiseError(
                f"cannot be written ({error.strerror})", where=path, remedy="check the space and permissions there"
            ) from None
        raise
    if os.name == "posix":  # other systems cannot open a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def clear_half_written(folder: Path, older: float = 0) -> None:
    """Remove incomplete files of killed processes from a folder, if they were not modified for `older` seconds."""
    for path in folder.glob(f".*{_UNFINISHED}"):
        with suppress(FileNotFoundError, IsADirectoryError):
            if time.time() - path.stat().st_mtime >= older:
                path.unlink()


def make_folder(path: Path, remedy: str = "choose a writable folder") -> Path:
    """The folder, created if it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VotewiseError(f"cannot be created ({error.strerror})", where=path, remedy=remedy) from None
    return path


def _umask() -> int:
    """The umask of this process. It is set and restored, because the system has no call that only reads it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
