"""Parquet: the sizes declared in the footer and the pages are compared with the file before polars reads it.

Polars allocates the memory that a file declares, and a damaged file may declare 2^61 bytes, which kills the process. So every length,
count and offset that determines an allocation is checked here. They are stored in structures of Thrift's compact protocol, as listed
in the specification of the format (parquet.thrift).
"""

from __future__ import annotations

import mmap
import struct
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.files import open_regular
from votewise.limits import require_memory
from votewise.wording import reason

_MAGIC = b"PAR1"
_VALUE = 32  # peak bytes per value of a text or numeric column, while it is read and encoded
_DEEPEST = 40
_BOOL, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = (1, 2), (3, 4, 5, 6), 7, 8, (9, 10), 11, 12
_DICTIONARY_PAGE, _INDEX_PAGE = 2, 1

Fields = Mapping[int, Any]


class ParquetFile:
    """The sizes that a Parquet file declares, checked against the size of the file.

    Attributes:
        rows: Number of rows.

    Raises:
        VotewiseError: If a size does not fit the file.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, 0
        self._values: dict[str, int] = defaultdict(int)  # by column
        self._bytes: dict[str, int] = defaultdict(int)
        try:
            with open_regular(path) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                self._look(data)
        except (ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error, OSError) as error:
            if isinstance(error, VotewiseError):
                raise
            raise VotewiseError(
                f"cannot be read as Parquet ({_why(error)})",
                where=path,
                remedy="write the file again; it may be truncated",
            ) from None

    def require_memory(self, columns: Collection[str] | None = None) -> None:
        """Raise if these columns (default: all) do not fit in memory."""
        values, unpacked = (
            sum(size for name, size in sizes.items() if columns is None or name in columns)
            for sizes in (self._values, self._bytes)
        )
        require_memory(
            _VALUE * values + unpacked,
            f"{self.rows:,} rows",
            where=self.path,
            remedy="split the file, or use a machine with more memory",
        )

    def _look(self, data: mmap.mmap) -> None:
        if len(data) < 12 or data[:4] != _MAGIC or data[-4:] != _MAGIC:
            raise ValueError("the end of the file is missing")
        length = int.from_bytes(data[-8:-4], "little")
        start = len(data) - 8 - length
        if start < len(_MAGIC):
            raise ValueError("its footer is longer than the file")
        footer = _Thrift(data, start, len(data) - 8).fields()
        _check_schema(footer[2])
        for group in footer.get(4, ()):
            rows = _count(group[3], "rows")
            self.rows += rows
            for chunk in group.get(1, ()):
                self._look_at_column(data, start, chunk[3], rows)
        if self.rows != footer[3]:
            raise ValueError(
                f"its footer declares {_count(footer[3], 'rows'):,} rows, but its row groups have {self.rows:,}"
            )

    def _look_at_column(self, data: mmap.mmap, end_of_data: int, column: Fields, rows: int) -> None:
        """Check the pages of one column in one row group."""
        name = column[3][0].decode()
        values, packed = _count(column[5], "values"), _count(column[7], "bytes")
        unpacked = _count(column[6], "bytes")
        flat = len(column[3]) == 1
        if values != rows if flat else values < 0:
            raise ValueError(f"column {name!r} has {values:,} values in {rows:,} rows")
        offsets = [at for at in (column.get(11), column[9]) if at]  # a dictionary, if any, comes first
        at = min(offsets, default=0)
        end = at + packed
        if not (at >= 0 and end <= end_of_data and all(at <= offset <= end for offset in offsets)):
            raise ValueError(f"column {name!r} lies outside the file")
        found = total = 0
        while at < end:
            reader = _Thrift(data, at, end)
            page = reader.fields()
            inside, size = _count(page[3], "bytes"), _count(page[2], "bytes")
            total += size + reader.at - at
            at = reader.at + inside
            if at > end:
                raise ValueError(f"a page of column {name!r} is longer than the column")
            if page[1] == _DICTIONARY_PAGE:
                if _count(page[7][1], "values") > size:
                    raise ValueError(f"the dictionary of column {name!r} is longer than its page")
            elif page[1] != _INDEX_PAGE:
                header = page.get(5) or page[8]
                found += _count(header[1], "values")
                if 8 in page and not 0 <= _count(header[5], "bytes") + _count(header[6], "bytes") <= size:
                    raise ValueError(f"a page of column {name!r} is shorter than its levels")
        if found != values:
            raise ValueError(f"column {name!r} declares {values:,} values, but its pages have {found:,}")
        self._values[name] += values
        self._bytes[name] += max(total, unpacked)


def _check_schema(elements: list[Fields]) -> None:
    """Check that the numbers of children match the number of elements."""
    children = [_count(element.get(5, 0), "columns") for element in elements]
    if sum(children) != len(elements) - 1:
        raise ValueError(f"its schema declares {sum(children):,} columns, but describes {len(elements) - 1}")
    for element in elements:
        if _count(element.get(2, 0), "bytes") > 1 << 20:
            raise ValueError("a value is longer than a megabyte")


def _count(value: Any, things: str) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"it declares {value} {things}")
    return value


def _why(error: Exception) -> str:
    return reason(error) if type(error) is ValueError else "its footer or one of its pages is damaged"


class _Thrift:
    """A reader of the compact protocol that reads only the bytes from `at` to `end`."""

    def __init__(self, data: mmap.mmap, at: int, end: int) -> None:
        self._data, self.at, self._end = data, at, end

    def fields(self, depth: int = 0) -> dict[int, Any]:
        """The fields of a structure, by number."""
        found, number = dict[int, Any](), 0
        while kind := (head := self._byte()) & 15:
            number = number + (head >> 4) if head >> 4 else self._integer()
            found[number] = kind == 1 if kind in _BOOL else self._value(kind, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("its footer is nested too deeply")
        if kind in _INTEGERS:
            return self._byte() if kind == 3 else self._integer()
        if kind == _STRUCT:
            return self.fields(depth + 1)
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind in _LISTS:
            head = self._byte()
            size = self._size(head >> 4 if head >> 4 < 15 else self._unsigned())
            return [self._element(head & 15, depth + 1) for _ in range(size)]
        if kind == _MAP:
            if size := self._size(self._unsigned()):
                kinds = self._byte()
                for _ in range(size):
                    self._element(kinds >> 4, depth + 1)
                    self._element(kinds & 15, depth + 1)
            return None
        if kind == _DOUBLE:
            return self._bytes(8)
        raise ValueError("its footer is damaged")

    def _element(self, kind: int, depth: int) -> Any:
        return self._byte() == 1 if kind in _BOOL else self._value(kind, depth)

    def _size(self, size: int) -> int:
        """A number of elements, each of at least one byte."""
        if size > self._end - self.at:
            raise ValueError(f"it declares a list of {size:,} entries, more than fit in the file")
        return size

    def _byte(self) -> int:
        if self.at >= self._end:
            raise ValueError("its footer or one of its pages is truncated")
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        self._size(size)
        self.at += size
        return self._data[self.at - size : self.at]

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number in its footer or one of its pages is too long")

    def _integer(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)
