"""A file to read votes from: opened once, its parts decoded when a reader asks, every failure one sentence."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.files import existing_file

_HEAD = 1 << 16


class Source:
    """A readable, non-empty file. `head` is its first 64 KiB, for recognising a format without reading it all."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: Path = existing_file(path)
        self.suffix = self.path.suffix.lower()
        with self.path.open("rb") as file:
            self.head = file.read(_HEAD)
        if not self.head.strip():
            raise self.error("the file is empty", "give a file with votes in it")

    def error(self, what: str, remedy: str) -> VotewiseError:
        return VotewiseError(what, where=self.path, remedy=remedy)

    @cached_property
    def text(self) -> str:
        """The whole file as text; a byte order mark is dropped."""
        try:
            return self.path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.error(f"byte {error.start} is not UTF-8", "save the file as UTF-8") from None

    @cached_property
    def json(self) -> Any:
        """The whole file as one JSON value."""
        try:
            return json.loads(self.text)
        except json.JSONDecodeError as error:
            raise self.error(
                f"line {error.lineno} is not JSON ({error.msg})", "export it again: the file may be cut off"
            ) from None
        except RecursionError:
            raise self.error("the JSON is nested too deeply", "export it again") from None

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects of a JSONL file with their line numbers, from 1."""
        for number, line in enumerate(self.text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                raise self.error(f"line {number} is not JSON", "export it again: the file may be cut off") from None
            if not isinstance(record, dict):
                raise self.error(f"line {number} is not a JSON object", "give one object per line")
            yield number, record

    @cached_property
    def first_record(self) -> dict[str, Any]:
        """The first object of a JSON or JSONL file that can be decoded cheaply, or {}: what detection looks at."""
        line = self.head.decode("utf-8-sig", errors="replace").lstrip().split("\n", 1)[0]
        try:
            record = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            record = None
        if record is None and self.suffix == ".json":
            try:
                record = self.json
            except VotewiseError:
                return {}
        if isinstance(record, list):
            record = record[0] if record else None
        return record if isinstance(record, dict) else {}
