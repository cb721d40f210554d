"""NumPy files (.npy and .npz). Arrays are read on demand, after their declared size has been compared with the file."""

from __future__ import annotations

import math
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from votewise.errors import VotewiseError
from votewise.files import open_regular
from votewise.limits import require_memory
from votewise.wording import quoted, reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NPY, _PICKLE = b"\x93NUMPY", b"\x80"
_LONGEST_HEADER = 1 << 16
_RATIO = 1100  # deflate compresses by a factor of at most 1,032
_LAST_CHARACTER = 0x10FFFF


class ArrayFile(Mapping[str, Any]):
    """The arrays of an .npz by name, or the array of an .npy under the name ''. Members that are not arrays are ignored.

    Args:
        path: The file.
        copies: Number of copies of an array in memory while it is read, checked and used.

    Attributes:
        shapes: The shape of each array, by name.

    Raises:
        VotewiseError: If the file is not a NumPy file, or if a requested array is damaged, contains pickled objects
            or does not fit in memory.
    """

    def __init__(self, path: Path, copies: int = 2) -> None:
        self.path, self._copies = path, copies
        self._members: dict[str, zipfile.ZipInfo | None] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        try:
            self._look()
        except VotewiseError:
            raise
        except Exception as error:  # NumPy and zipfile raise the errors of tokenize, struct, zlib and others
            raise self._unreadable(error) from None

    def __getitem__(self, name: str) -> NDArray[Any]:
        import numpy as np

        if name not in self._members:
            raise KeyError(name)
        try:
            with ExitStack() as stack:
                file = self._open(stack, self._members[name])
                self._check(name, file)
                file.seek(0)
                with _quiet():
                    array = np.lib.format.read_array(file, allow_pickle=False, max_header_size=_LONGEST_HEADER)
            if array.dtype.kind == "U" and array.nbytes:
                codes = array.ravel("K").view(np.dtype(np.uint32).newbyteorder(array.dtype.byteorder))
                if codes.max() > _LAST_CHARACTER:
                    raise ValueError(f"{_named(name)} has text with an invalid character code")
            return array
        except VotewiseError:
            raise
        except Exception as error:  # as above, and MemoryError
            raise self._unreadable(error) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def _look(self) -> None:
        """Find the arrays and their shapes; no data is read."""
        with ExitStack() as stack:
            file = stack.enter_context(open_regular(self.path))
            start = file.read(len(_NPY))
            if start.startswith(_PICKLE):
                raise self._pickled()
            if start == _NPY:
                self._members[""], self.shapes[""] = None, _header(file)[0]
                return
            if not start.startswith(b"PK"):
                raise ValueError("it does not start like a NumPy file")
            archive = stack.enter_context(zipfile.ZipFile(file))
            for info in archive.infolist():
                if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    continue
                with archive.open(info) as member:
                    if member.read(len(_NPY)) == _NPY:
                        name = info.filename.removesuffix(".npy")
                        self._members[name], self.shapes[name] = info, _header(member)[0]
            if not self._members:
                raise ValueError("it contains no arrays")

    def _open(self, stack: ExitStack, member: zipfile.ZipInfo | None) -> IO[bytes]:
        file = stack.enter_context(open_regular(self.path))
        if member is None:
            return file
        archive = stack.enter_context(zipfile.ZipFile(file))
        return stack.enter_context(archive.open(member))

    def _check(self, name: str, file: IO[bytes]) -> None:
        """Raise for pickled objects, records, and arrays that are larger than the file or the memory."""
        shape, dtype = _header(file)
        if dtype.hasobject:
            raise self._pickled()
        if dtype.kind == "V":
            raise ValueError(f"{_named(name)} holds records, not numbers or text")
        size, header = math.prod(shape) * dtype.itemsize, file.tell()
        if (info := self._members[name]) is None:
            room = self.path.stat().st_size - header
        else:
            room = min(info.file_size, info.compress_size * _RATIO + _RATIO) - header
        if size > room:
            raise ValueError(f"{_named(name)} declares {size:,} bytes, more than the file contains")
        require_memory(
            self._copies * size,
            f"array {quoted(name)}" if name else "the array",
            where=self.path,
            remedy="use fewer items at a time, or a machine with more memory",
        )

    def _pickled(self) -> VotewiseError:
        return VotewiseError(
            "the file contains pickled Python objects, which are rejected because a pickle can run arbitrary code",
            where=self.path,
            remedy="save plain numbers with np.save or np.savez",
        )

    def _unreadable(self, error: Exception) -> VotewiseError:
        return VotewiseError(
            f"cannot be read as a NumPy file ({reason(error)})",
            where=self.path,
            remedy="save or fetch the file again; it may be truncated",
        )


def _named(name: str) -> str:
    return f"array {quoted(name)}" if name else "it"


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the warnings of NumPy about headers that Python 2 wrote, and of Python about the text of damaged headers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], Any]:
    """Shape and dtype of the array in a file, which is left at the first byte of data."""
    from numpy.lib import format as npy

    file.seek(0)
    version = npy.read_magic(file)
    width = {(1, 0): 2, (2, 0): 4}.get(version)
    if width is None:
        raise ValueError(f"version {version[0]}.{version[1]} of the format is unknown")
    length = int.from_bytes(file.read(width), "little")
    if length > _LONGEST_HEADER:
        raise ValueError(f"it declares a header of {length:,} bytes")
    file.seek(8)
    read = npy.read_array_header_1_0 if width == 2 else npy.read_array_header_2_0
    with _quiet():
        shape, _, dtype = read(file, max_header_size=_LONGEST_HEADER)
    if any(count < 0 for count in shape):
        raise ValueError(f"it declares the shape {quoted(shape)}")
    return shape, dtype
