"""A file to read votes from: opened once and decoded on demand, with errors in one sentence."""

from __future__ import annotations

import codecs
import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from votewise.errors import VotewiseError
from votewise.files import existing_file
from votewise.packed import ParquetFile
from votewise.votes.readers.shared import table_file
from votewise.votes.readers.shared.source_table import Table, cells_of
from votewise.wording import counted, quoted

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1 << 16
_MARKS = "\t;,"  # delimiters
_BOM = b"\xef\xbb\xbf"
_SUFFIXES = {
    "delimited": (".csv", ".tsv", ".tab"),
    "parquet": (".parquet", ".pq"),
    "json": (".json", ".jsonl", ".ndjson"),
    "array": (".npy", ".npz"),
}
_EXCEL = (".xlsx", ".xlsm", ".xlsb")
_FIRST_NAME = 300  # bytes of a ZIP archive that have the name of its first file
_BINARY = (  # first bytes of a file -> what it is, and what to do about it
    (b"PK\x03\x04", "this is a ZIP archive", "unpack it, and give the file in it"),
    (b"\x1f\x8b", "this is compressed with gzip", "unpack it, for example with gunzip"),
    (b"%PDF-", "this is a PDF document", "export the table as CSV"),
    (b"\xff\xfe", "this is text in UTF-16", "save the file as UTF-8"),
    (b"\xfe\xff", "this is text in UTF-16", "save the file as UTF-8"),
)

Kind = Literal["delimited", "parquet", "json", "array", "unknown"]


class SourceFile(Table):
    """A readable, non-empty file, which may be a table.

    Args:
        path: the file.
        has_header: whether the first line of a CSV or TSV file names its columns; else they are column_1, column_2 ...

    Attributes:
        head: its first 64 KiB, for recognising a format without reading it all.
    """

    def __init__(self, path: str | os.PathLike[str], *, has_header: bool = True) -> None:
        self.path: Path = existing_file(path)
        self.name = str(self.path)
        self.has_header = has_header
        self.suffix = self.path.suffix.lower()
        with self.path.open("rb") as file:
            self.head = file.read(_HEAD)
        if not self.head.removeprefix(_BOM).strip():
            raise self.error("the file is empty", "give a file with votes in it")
        if self.kind not in ("parquet", "array"):
            self._refuse_binary()

    def _refuse_binary(self) -> None:
        """Raise an error that names the type of a binary file, before a reader finds columns in its bytes."""
        zipped = self.head.startswith(b"PK\x03\x04") and (b"xl/" in self.head or self.suffix in _EXCEL)
        if zipped or self.head.startswith(b"\xd0\xcf\x11\xe0"):
            raise self.error("this is an Excel workbook", "save it as CSV")
        if self.head.startswith(b"PK\x03\x04") and b"/data.pkl" in self.head[:_FIRST_NAME]:
            raise self.error("this is a file of torch", "save the array in it with np.save, as .npy")
        for start, what, remedy in _BINARY:
            if self.head.startswith(start):
                raise self.error(what, remedy)
        if self.head.removeprefix(_BOM).lstrip().lower().startswith((b"<!doctype html", b"<html")):
            raise self.error("this is a web page, for example of a login", "download the file itself")
        if b"\0" in self.head:
            raise self.error("this is not text", "give CSV, TSV, JSON or Parquet, or a NumPy array named .npy or .npz")
        try:
            codecs.getincrementaldecoder("utf-8")().decode(self.head, final=len(self.head) < _HEAD)
        except UnicodeDecodeError as error:
            raise self._not_utf8(self.head, error) from None
        if self.kind == "delimited" and b"\r" in self.head and b"\n" not in self.head:
            raise self.error("its lines end in CR without LF", "save it with LF line endings")
        if self.kind == "delimited" and self.first_line.strip('" ').startswith("sep="):
            raise self.error(f"line 1 is {quoted(self.first_line.strip())}, which only Excel reads", "delete it")

    def _not_utf8(self, data: bytes, error: UnicodeDecodeError) -> VotewiseError:
        line = data.count(b"\n", 0, error.start) + 1
        return self.error(f"byte {error.start} (line {line}) is not UTF-8", "save the file as UTF-8")

    @cached_property
    def kind(self) -> Kind:
        """The kind of file, by its first bytes or else by its suffix."""
        start = self.head.removeprefix(_BOM).lstrip()
        if self.head.startswith(b"PAR1"):
            return "parquet"
        if self.head.startswith(b"\x93NUMPY"):
            return "array"
        if start.startswith((b"{", b"[")):
            return "json"
        for kind, suffixes in _SUFFIXES.items():
            if self.suffix in suffixes:
                return kind  # type: ignore[return-value]  # the keys of _SUFFIXES are kinds
        return "delimited" if any(mark in self.first_line for mark in (*_MARKS, "|")) else "unknown"

    @cached_property
    def first_line(self) -> str:
        """The first line as text, for detection: bytes that are not UTF-8 are replaced."""
        return self._head_text.split("\n", 1)[0].rstrip("\r")

    @cached_property
    def delimiter(self) -> str:
        """The delimiter of a CSV or TSV file: the most frequent of tab, semicolon and comma on line 1; a bar if it has none of them."""
        if "|" in self.first_line and not any(mark in self.first_line for mark in _MARKS):
            return "|"
        return max(_MARKS, key=lambda mark: (self.first_line.count(mark), mark == ","))

    @cached_property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]  # an attribute of the base class, read on demand
        """The names of the columns of a CSV, TSV or Parquet file, or the keys of its JSON records; () if unreadable."""
        if self.kind == "delimited":
            head = csv.reader(io.StringIO(self._head_text, newline=""), delimiter=self.delimiter)
            try:
                names = tuple(name.strip() for name in next(head))
                return names if self.has_header else tuple(f"column_{place}" for place in range(1, len(names) + 1))
            except (csv.Error, StopIteration):
                return ()
        if self.kind == "parquet":
            import polars as pl

            try:
                _ = self.packed
                return tuple(pl.read_parquet_schema(self.path))
            except table_file.failures():
                return ()
        return self._keys() if self.kind == "json" else ()

    def _keys(self) -> tuple[str, ...]:
        """The keys of all JSON records up to the first damaged one, because records may leave out empty fields."""
        from votewise.votes.readers.shared.record import json_records

        keys = dict.fromkeys(self.first_record)
        with suppress(VotewiseError):
            for record in json_records(self):
                keys |= dict.fromkeys(record.fields)
        return tuple(keys)

    @cached_property
    def sample(self) -> dict[str, list[str | None]]:  # type: ignore[override]  # an attribute of the base class, read on demand
        """The first values of each column of a CSV, TSV or Parquet file, as text; {} if unreadable."""
        if self.kind == "parquet":
            import polars as pl

            try:
                _ = self.packed
                frame = pl.read_parquet(self.path, n_rows=1000, glob=False, hive_partitioning=False)
                return {name: cells_of(frame[name]) for name in frame.columns}
            except table_file.failures():
                return {}
        lines = self._head_text if self.kind == "delimited" else ""
        if len(self.head) == _HEAD:
            lines = lines[: lines.rfind("\n") + 1]  # the last one may be cut off
        try:
            rows = [*csv.reader(io.StringIO(lines, newline=""), delimiter=self.delimiter)][self.has_header :]
        except csv.Error:
            return {}
        whole = [row for row in rows if len(row) == len(self.columns)]
        return {name: [row[place] for row in whole] for place, name in enumerate(self.columns)}

    @property
    def nested(self) -> list[str]:  # type: ignore[override]  # an attribute of the base class, read on demand
        return [
            name for name, value in self.first_record.items() if self.kind == "json" and isinstance(value, list | dict)
        ]

    @cached_property
    def packed(self) -> ParquetFile:
        """The metadata of a Parquet file, checked against its size. Read it before polars reads the file."""
        return ParquetFile(self.path)

    @property
    def csv_columns(self) -> tuple[str, ...]:
        """The names of the columns of a CSV or TSV file; () for other files."""
        return self.columns if self.kind == "delimited" else ()

    def load(self, names: Sequence[str]) -> pl.DataFrame:
        return table_file.load(self, names)

    def place(self, row: int) -> str:
        """The line of a table row, as an editor shows it, or the row number."""
        if self.kind == "delimited":
            return f"line {next(islice(self.rows(), row + self.has_header, None))[0]}"
        if self.kind == "parquet":
            return f"row {row + 1}"
        from votewise.votes.readers.shared.record import json_records

        return next(islice(json_records(self), row, None)).place

    def rows(self, *, complete: bool = True) -> Iterator[tuple[int, list[str]]]:
        """The rows of a CSV or TSV file, its first line included, each with the line it starts on.

        Args:
            complete: whether each row needs a field for each column; a blank line then has blank fields.
        """
        width, line = len(self.columns), 1
        limit = csv.field_size_limit(1 << 30)  # the default limit of 128 KiB per field is too small for texts
        try:
            with self.path.open(encoding="utf-8-sig", newline="") as file:
                rows = csv.reader(file, delimiter=self.delimiter, strict=complete)
                for row in rows:
                    if len(row) > width or (complete and row and len(row) < width):
                        raise self.error(
                            f"line {line} has {counted(len(row), 'field')} where the header has {width}",
                            f"quote a field that contains {self.delimiter!r}, or complete the line",
                        )
                    yield line, row or [""] * width * complete
                    line = rows.line_num + 1
        except csv.Error as error:
            raise self.error(f"line {line} cannot be read ({error})", 'write a quote inside a field as ""') from None
        except UnicodeDecodeError:
            _ = self.text  # raises an error with the position of the byte
            raise
        finally:
            csv.field_size_limit(limit)

    @cached_property
    def _head_text(self) -> str:
        return self.head.removeprefix(_BOM).decode("utf-8", errors="replace")

    @cached_property
    def text(self) -> str:
        """The whole file as text; a byte order mark is dropped."""
        data = self.path.read_bytes()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self._not_utf8(data, error) from None

    @cached_property
    def json(self) -> Any:
        """The whole file as one JSON value."""
        text = self.text
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise self.error(
                f"line {error.lineno} is not JSON ({error.msg})", "export it again: the file may be cut off"
            ) from None
        except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
            raise self.error(
                "the JSON is nested too deeply, or a number has too many digits", "export it again"
            ) from None

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects of a JSONL file with their line numbers, from 1."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
                except UnicodeDecodeError as error:
                    raise self.error(
                        f"byte {error.start} of line {number} is not UTF-8", "save the file as UTF-8"
                    ) from None
                except (ValueError, RecursionError):
                    raise self.error(f"line {number} is not JSON", "export it again: the file may be cut off") from None
                if not isinstance(record, dict):
                    raise self.error(f"line {number} is not a JSON object", "give one object per line")
                yield number, record

    @cached_property
    def first_record(self) -> dict[str, Any]:
        """The first object of a JSON or JSONL file that can be decoded cheaply, or {}; used for detection."""
        line = self.head.decode("utf-8-sig", errors="replace").lstrip().split("\n", 1)[0]
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if record is None and self.kind == "json":
            try:
                record = self.json if self.suffix == ".json" else next(self.records(), (0, {}))[1]
            except VotewiseError:
                return {}
        if isinstance(record, list):
            record = record[0] if record else None
        return record if isinstance(record, dict) else {}
