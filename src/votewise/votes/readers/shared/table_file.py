"""Columns of CSV, TSV, Parquet and JSON tables as they are written, and the line that a value came from.

Polars reads fast; whatever it refuses is read once more, line by line, which finds the fault and its line, or finds none.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.arrays import F64, Bool
from votewise.votes.readers.shared.record import json_records
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.wording import counted, listing, quoted

if TYPE_CHECKING:
    import polars as pl

_DECIMAL_COMMA = re.compile(r"\s*[-+]?[0-9]*,[0-9]+\s*")


def load(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    """These columns: in Parquet as they are, else as text."""
    readers = {"delimited": _delimited, "parquet": _parquet, "json": _records}
    if source.kind not in readers:
        raise source.error("it cannot be read as a table", "give CSV, TSV, Parquet or JSON records")
    return readers[source.kind](source, names)


def place(source: SourceFile, row: int) -> str:
    """Where row `row` of a loaded table stands in its file: the line that an editor shows."""
    if source.kind == "delimited":
        return f"line {next(islice(_rows(source), row + 1, None))[0]}"
    return f"row {row + 1}" if source.kind == "parquet" else next(islice(json_records(source), row, None)).place


def as_numbers(column: Any) -> tuple[F64, Bool]:
    """A column as numbers [V], NaN where it is blank; and where [V] it holds something else."""
    import polars as pl

    column = pl.Series(column)
    if not (column.dtype.is_numeric() or column.dtype == pl.String):
        return np.full(len(column), np.nan), column.is_not_null().to_numpy()
    number = column.cast(pl.Float64, strict=False)
    if column.dtype != pl.String:
        return number.fill_null(np.nan).to_numpy(), np.zeros(len(column), np.bool_)
    lost = number.is_null() & (column.str.strip_chars() != "").fill_null(value=False)
    return number.fill_null(np.nan).to_numpy(), lost.to_numpy()


def is_number(cell: str) -> bool:
    """Whether a cell is meant as a number; one with a decimal comma is, and is to be corrected."""
    try:
        float(cell)
    except ValueError:
        return bool(_DECIMAL_COMMA.fullmatch(cell))
    return True


def shown(cell: object) -> str:
    """A cell that is not the number it should be, for use inside a sentence.

    >>> shown("many"), shown("0,5")
    ("'many'", "'0,5', which has a decimal comma: write 0.5")
    """
    value = cell.item() if isinstance(cell, np.generic) else cell
    if isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value):
        return f"{quoted(value)}, which has a decimal comma: write {value.strip().replace(',', '.')}"
    return quoted(value)


def _rows(source: SourceFile) -> Iterator[tuple[int, list[str]]]:
    """Every row of a CSV or TSV file, the header first, with the line it starts on; all have as many fields as the header."""
    width, line = len(source.columns), 1
    limit = csv.field_size_limit(1 << 30)  # the usual one is 128 KiB, and texts are longer
    try:
        with source.path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.reader(file, delimiter=source.delimiter, strict=True)
            for row in rows:
                if row and len(row) != width:
                    raise source.error(
                        f"line {line} has {counted(len(row), 'field')} where the header has {width}",
                        f"quote a field that contains {source.delimiter!r}, or complete the line",
                    )
                yield line, row or [""] * width
                line = rows.line_num + 1
    except csv.Error as error:
        raise source.error(f"line {line} cannot be read ({error})", 'write a quote inside a field as ""') from None
    except UnicodeDecodeError:
        _ = source.text  # says which byte
        raise
    finally:
        csv.field_size_limit(limit)


def _delimited(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    wanted = sorted(source.columns.index(name) for name in names)
    try:
        frame = pl.read_csv(
            source.path,
            columns=wanted,
            infer_schema=False,
            separator=source.delimiter,
            glob=False,
            raise_if_empty=False,
        )
    except failures():
        every = [[row[place] for place in wanted] for _, row in _rows(source)][1:]
        frame = pl.DataFrame(every, schema=[str(place) for place in wanted], orient="row")
    else:
        _check_fields(source, frame)
    frame.columns = [source.columns[place] for place in wanted]
    return frame.select(names)


def _check_fields(source: SourceFile, frame: pl.DataFrame) -> None:
    """Refuse lines with fields too few or too many: polars fills up the first and cuts off the second without a word."""
    complete = frame.width == len(source.columns) and not any(column.null_count() for column in frame)
    if not complete and not _regular(source):
        for _ in _rows(source):
            pass


def _regular(source: SourceFile) -> bool:
    """Whether the file has no quotes, and a line end after every so many delimiters as the header has fields."""
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

    try:
        frame = pl.read_parquet(source.path, columns=list(names), glob=False, hive_partitioning=False)
    except failures() as error:
        reason = str(error).partition("\n")[0]
        raise source.error(f"cannot be read as Parquet ({reason})", "write it again: it may be cut off") from None
    if nested := [name for name in names if frame.schema[name].is_nested() or frame.schema[name] == pl.Object]:
        raise source.error(f"column {listing(nested)} does not hold single values", "give one value per row")
    return frame


def _records(source: SourceFile, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    rows = [[record.optional(name) for name in names] for record in json_records(source)]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def failures() -> tuple[type[BaseException], ...]:
    """What polars raises for a file it cannot read; a panic is one of them, and no `Exception`."""
    import polars as pl

    return pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError
