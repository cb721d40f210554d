"""Files: regular ones, written whole or not at all, and named in errors."""

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

_UNFINISHED = ".half-written"  # the end of the name of a file until it is whole


class NotRegularError(OSError):
    """A pipe, a socket or a device where a file should be."""

    def __init__(self, path: object) -> None:
        super().__init__(None, "it is a pipe or a device", str(path))


def open_regular(path: str | os.PathLike[str]) -> BufferedReader:
    """The file, opened to read its bytes, if it is a regular one: a pipe that nobody writes to would be waited for without end."""

    def opener(name: str, flags: int) -> int:
        handle = os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
        mode = os.fstat(handle).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # of a folder, `open` says what it is
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
    """`path` if it is one."""
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
        what, remedy = "this is a pipe or a device, which cannot be read twice", "save it to a file first"
    except (FileNotFoundError, NotADirectoryError):
        what, remedy = "there is no such file", "check the path"
    except IsADirectoryError:
        what, remedy = "this is a directory, not a file", "name one of the files in it"
    except PermissionError:
        what, remedy = "no permission to read this file", "make it readable, for example with chmod u+r"
    except (OSError, ValueError) as error:
        what, remedy = f"this file cannot be opened ({reason(error)})", "check the path"
    raise VotewiseError(what, where=path, remedy=remedy)


def format_of(path: str | os.PathLike[str], formats: Collection[str], what: str) -> str:
    """The ending of a path, one of `formats`.

    >>> format_of("rows.CSV", (".csv", ".json"), "table")
    '.csv'
    """
    ending = Path(path).suffix.lower()
    if ending not in formats:
        raise VotewiseError(f"unknown {what} format {ending!r}", where=path, remedy=f"choose one of {listing(formats)}")
    return ending


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a crash, sees the old file or the new one and nothing between."""
    path = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.", suffix=_UNFINISHED)
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
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def clear_half_written(folder: Path, older: float = 0) -> None:
    """Remove what processes that were killed left of files in a folder, if they were not touched for `older` seconds."""
    for path in folder.glob(f".*{_UNFINISHED}"):
        with suppress(FileNotFoundError, IsADirectoryError):
            if time.time() - path.stat().st_mtime >= older:
                path.unlink()


def make_folder(path: Path, remedy: str = "choose a folder that is writable") -> Path:
    """The folder, made if it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VotewiseError(f"cannot be made ({error.strerror})", where=path, remedy=remedy) from None
    return path


def _umask() -> int:
    """The permissions that new files lack; the system only returns them when they are set."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
