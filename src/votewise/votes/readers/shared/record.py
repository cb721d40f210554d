"""A record of an export together with its place in the file, which errors about missing or wrong fields name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from votewise.errors import VotewiseError
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.wording import quoted

_REMEDY = "correct this record, or export the file again"


class Record:
    """The fields of a JSON object or of a row, with the place (`line 3`, `record 3, annotations 2`) that errors name."""

    def __init__(self, source: SourceFile, place: str, fields: Mapping[str, Any]) -> None:
        self.source = source
        self.place = place
        self.fields = fields

    def error(self, what: str, remedy: str = _REMEDY) -> VotewiseError:
        return self.source.error(f"{self.place}: {what}", remedy)

    def _inside(self, key: str) -> str:
        return f"{self.place}, {key if len(key) < 40 else quoted(key)}"

    def name(self, key: str) -> str:
        """The field as a name: a text that is not empty, or a number."""
        if (found := self.optional(key)) is None:
            raise self.error(f"{quoted(key)} is missing or empty")
        return found

    def optional(self, key: str) -> str | None:
        """The field as a name, or None if it is missing, null or blank."""
        value = self.fields.get(key)
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        if (name := as_name(value)) is None:
            raise self.error(f"{quoted(key)} is {quoted(value)}, not a name or a number")
        return name

    def names(self, key: str) -> tuple[str, ...]:
        """The field as a list of names: a single name is a list of one, a missing field is empty."""
        value = self.fields.get(key)
        every = value if isinstance(value, list) else [] if value is None else [value]
        found = tuple(as_name(one) for one in every)
        if None in found:
            raise self.error(f"{quoted(key)} is {quoted(value)}, not a list of names")
        return found  # type: ignore[return-value]  # without None

    def record(self, key: str) -> Record:
        """The field as an object; empty if it is missing."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, dict):
            raise self.error(f"{quoted(key)} is {quoted(value)}, not an object")
        return Record(self.source, self._inside(key), value or {})

    def records(self, key: str) -> Iterator[Record]:
        """The field as a list of objects; empty if it is missing."""
        value = self.fields.get(key)
        if value is not None and not isinstance(value, list):
            raise self.error(f"{quoted(key)} is {quoted(value)}, not a list")
        for number, one in enumerate(value or (), start=1):
            if not isinstance(one, dict):
                raise self.error(f"{quoted(key)} {number} is {quoted(one)}, not an object")
            yield Record(self.source, f"{self._inside(key)} {number}", one)

    def size(self, key: str) -> int:
        """The number of entries of a list; 0 if the field is missing or not a list."""
        value = self.fields.get(key)
        return len(value) if isinstance(value, list) else 0


def as_name(value: object) -> str | None:
    """A value as the name of a label, an item or an annotator; None if it cannot be one.

    >>> as_name(" cat "), as_name(3), as_name(3.0), as_name(True), as_name([]), as_name(" ")
    ('cat', '3', '3', 'true', None, None)
    """
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case float():
            return None if not math.isfinite(value) else str(int(value)) if value == int(value) else repr(value)
        case str():
            name = value.strip()
            return name if name and name.encode(errors="replace").decode() == name else None  # half a surrogate pair
    return None


def json_records(source: SourceFile) -> Iterator[Record]:
    """The objects of a JSON list, or of a JSONL file."""
    if source.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"[":
        for line, fields in source.records():
            yield Record(source, f"line {line}", fields)
        return
    for number, fields in enumerate(source.json, start=1):
        if not isinstance(fields, dict):
            raise source.error(f"record {number} is {quoted(fields)}, not an object", "give a list of objects")
        yield Record(source, f"record {number}", fields)


def csv_records(source: SourceFile) -> Iterator[Record]:
    """The rows of a CSV or TSV file by the names of its columns, every field a text; fields may be left out at the end."""
    source.refuse_repeated_columns()
    for line, row in source.rows(complete=False):
        if row and line > 1:
            yield Record(source, f"line {line}", dict(zip(source.columns, row, strict=False)))
