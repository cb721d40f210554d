"""Files: written whole or not at all, named in errors, known by their digest, unpacked with care."""

from __future__ import annotations

import os
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from votewise.errors import VotewiseError
from votewise.wording import listing


def existing_file(path: str | os.PathLike[str]) -> Path:
    """`path` as a readable file, or an error with the reason."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return path
        what, remedy = "this is a pipe or a device, which cannot be read twice", "save it to a file first"
    except (FileNotFoundError, NotADirectoryError):
        what, remedy = "there is no such file", "check the path"
    except IsADirectoryError:
        what, remedy = "this is a directory, not a file", "name one of the files in it"
    except PermissionError:
        what, remedy = "no permission to read this file", "make it readable, for example with chmod u+r"
    except (OSError, ValueError) as error:
        what, remedy = f"this file cannot be opened ({error})", "check the path"
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
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException as error:
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


def read_arrays(path: Path) -> dict[str, Any]:
    """The arrays of an .npz by name, or that of an .npy under the name ''; pickled objects are refused."""
    import numpy as np

    try:
        with path.open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            return {"": loaded} if isinstance(loaded, np.ndarray) else {name: loaded[name] for name in loaded.files}
    except Exception as error:  # NumPy lets out whatever its parts raise: tokenize, zipfile, zlib, MemoryError ...
        reason = str(error).partition("\n")[0]
    with path.open("rb") as file:
        pickled = "Object arrays" in reason or file.read(1) == b"\x80"
    if pickled:
        raise VotewiseError(
            "the file holds pickled Python objects, which are refused because a pickle can run any code",
            where=path,
            remedy="save plain numbers with np.save or np.savez",
        )
    if "pickle" in reason:
        reason = "it does not start like one"
    raise VotewiseError(
        f"cannot be read as a NumPy file ({reason})", where=path, remedy="save or fetch it again: it may be cut off"
    )


def read_tar(path: Path, names: Iterable[str], limit: int) -> dict[str, bytes]:
    """The named files of a .tar.gz archive, in memory: nothing is written, so nothing can end up outside a folder.

    Archives with path traversal, links, devices or more than `limit` bytes are rejected.
    """
    wanted, found, total = set(names), dict[str, bytes](), 0
    try:
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                inside = PurePosixPath(member.name)
                if inside.is_absolute() or ".." in inside.parts or "\\" in member.name:
                    raise _refused(path, f"{member.name!r} leads out of its folder")
                if not member.isfile() and not member.isdir():
                    raise _refused(path, f"{member.name!r} is neither a file nor a folder")
                total += member.size
                if total > limit:
                    raise _refused(path, f"it unpacks to more than {limit:,} bytes")
                if member.isfile() and member.name in wanted and (content := archive.extractfile(member)):
                    found[member.name] = content.read()
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise VotewiseError(
            f"cannot be unpacked ({error})", where=path, remedy="fetch it again: it may be cut off"
        ) from None
    if absent := wanted.difference(found):
        raise _refused(path, f"it does not contain {listing(sorted(absent))}")
    return found


def _refused(path: Path, why: str) -> VotewiseError:
    return VotewiseError(f"this archive is refused: {why}", where=path, remedy="get it from its official place")
