"""Reads columns of CSV, TSV, Parquet and JSON tables. The values of CSV files are texts, or integers if all of them are.

Polars reads CSV fast. A file that it rejects is read again with `csv`, line by line, to find the wrong line, if any.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.votes.coding import plain_length
from votewise.wording import listing, quoted, reason

if TYPE_CHECKING:
    import polars as pl

    from votewise.votes.readers.shared.source_file import SourceFile


def load(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    """These columns: in Parquet as they are, else as text or, in a file of plain integers, as integers."""
    readers = {"delimited": _delimited, "parquet": _parquet, "json": _records}
    if source.kind not in readers:
        raise source.error("it cannot be read as a table", "give CSV, TSV, Parquet or JSON records")
    return readers[source.kind](source, names)


def _delimited(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    requested = sorted(source.columns.index(name) for name in names)
    if len(requested) == len(source.columns) and (whole := _integers(source)) is not None:
        return whole.select(names)
    try:
        frame = _parsed(source, columns=requested, infer_schema=False)
    except failures():
        every = [[row[place] for place in requested] for _, row in source.rows()][source.has_header :]
        frame = pl.DataFrame(every, schema=[str(place) for place in requested], orient="row")
    else:
        # polars silently pads lines with too few fields and truncates lines with too many
        complete = frame.width == len(source.columns) and not any(column.null_count() for column in frame)
        if not complete and not _regular(source):
            for _ in source.rows():
                pass
    frame.columns = [source.columns[place] for place in requested]
    return frame.select(names)


def _integers(source: SourceFile) -> pl.DataFrame | None:
    """All columns of a file of plain integers, which are parsed several times faster than texts; None for other files.

    Other notations of a number, like 07, +7 or "7", are names. They are longer, so that the file is longer than its integers need.
    """
    import polars as pl

    if not all(cell and cell.lstrip("-").isdecimal() for cells in source.sample.values() for cell in cells):
        return None
    try:
        frame = _parsed(source, schema_overrides=[pl.Int64] * len(source.columns))
    except failures():
        return None
    with source.path.open("rb") as file:
        before = len(file.readline()) if source.has_header else 0
        size = file.seek(0, os.SEEK_END)
        file.seek(-1, os.SEEK_END)
        unended = file.read() != b"\n"  # the last line
    if frame.width != len(source.columns) or any(column.null_count() for column in frame):
        return None
    frame.columns = list(source.columns)
    digits = sum(plain_length(column.to_numpy()) for column in frame)
    return frame if size == before + digits + frame.width * frame.height - unended else None


def _parsed(source: SourceFile, **options: Any) -> pl.DataFrame:
    import polars as pl

    return pl.read_csv(
        source.path,
        has_header=source.has_header,
        separator=source.delimiter,
        glob=False,
        raise_if_empty=False,
        **options,
    )


def _regular(source: SourceFile) -> bool:
    """Whether the file has no quotes, and as many delimiters in each line as in the header."""
    width, marks, data = len(source.columns), 0, np.memmap(source.path, dtype=np.uint8, mode="r")
    for start in range(0, len(data), 1 << 20):
        block = data[start : start + (1 << 20)]
        mark = block[(block == ord(source.delimiter)) | (block == ord("\n"))]
        ends = mark[width - 1 - marks % width :: width] == ord("\n")
        if (block == ord('"')).any() or not ends.all() or len(ends) != np.count_nonzero(mark == ord("\n")):
            return False
        marks += len(mark)
    return bool(marks % width == (0 if data[-1] == ord("\n") else width - 1))


def _parquet(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    source.packed.require_memory(names)
    try:
        frame = pl.read_parquet(source.path, columns=list(names), glob=False, hive_partitioning=False)
    except failures() as error:
        raise source.error(
            f"cannot be read as Parquet ({reason(error)})", "write it again; it may be truncated"
        ) from None
    if nested := [name for name in names if frame.schema[name].is_nested() or frame.schema[name] == pl.Object]:
        raise source.error(f"column {listing(nested)} does not hold single values", "give one value per row")
    return frame


def _records(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    from votewise.votes.readers.shared.record import json_records

    rows = []
    for record in json_records(source):
        if nested := [name for name in names if isinstance(record.fields.get(name), list | dict)]:
            what = f"{quoted(nested[0])} is {quoted(record.fields[nested[0]])}, not a name or a number"
            raise record.error(what, "write one record per vote")
        rows.append([record.optional(name) for name in names])
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def failures() -> tuple[type[BaseException], ...]:
    """The exceptions that reading a damaged table raises: errors of polars, its panic, which is not an `Exception`, and errors of checks."""
    import polars as pl

    return pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, VotewiseError
