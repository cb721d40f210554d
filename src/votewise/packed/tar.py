"""Read named files of .tar.gz archives in memory."""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from votewise.errors import VotewiseError
from votewise.wording import listing, reason

_HEADER = 1 << 20  # maximum bytes of the header of a member (path, owner, time)
_MOST = 10_000  # maximum number of files and folders


class _Bounded(io.RawIOBase):
    """An unpacked stream that reads at most `most` bytes at once, because `tarfile` reads headers of any declared length into memory."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream, self.most = stream, _HEADER

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self.most:
            raise tarfile.ReadError(f"a header of {size:,} bytes")
        return self._stream.read(size)

    def readinto(self, buffer: Any) -> int:
        return self._stream.readinto(buffer)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True


def read_tar(path: Path, names: Iterable[str], limit: int) -> dict[str, bytes]:
    """The named files of a .tar.gz archive, in memory. Nothing is written to disk, so the path of a member cannot overwrite a file.

    Archives with path traversal, links, devices, headers of more than a megabyte, more than 10,000 members or more than `limit`
    bytes are rejected.
    """
    wanted, found, total = set(names), dict[str, bytes](), 0
    try:
        with gzip.open(path) as unpacked, tarfile.open(fileobj=(stream := _Bounded(unpacked)), mode="r:") as archive:
            for number, member in enumerate(archive, start=1):
                inside = PurePosixPath(member.name)
                if inside.is_absolute() or ".." in inside.parts or "\\" in member.name:
                    raise _refused(path, f"{member.name!r} is a path outside its folder")
                if not member.isfile() and not member.isdir():
                    raise _refused(path, f"{member.name!r} is neither a file nor a folder")
                total += member.size
                if total > limit:
                    raise _refused(path, f"it unpacks to more than {limit:,} bytes")
                if number > _MOST:
                    raise _refused(path, f"it has more than {_MOST:,} members")
                if member.isfile() and member.name in wanted and (content := archive.extractfile(member)):
                    stream.most = max(member.size, _HEADER)
                    found[member.name] = content.read()
                    stream.most = _HEADER
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise VotewiseError(
            f"cannot be unpacked ({reason(error)})", where=path, remedy="fetch it again; it may be truncated"
        ) from None
    if absent := wanted.difference(found):
        raise _refused(path, f"it does not contain {listing(sorted(absent))}")
    return found


def _refused(path: Path, why: str) -> VotewiseError:
    return VotewiseError(f"the archive was rejected: {why}", where=path, remedy="download it from its official source")
