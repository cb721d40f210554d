"""Parquet files of votes: files of votewise, and long and wide tables, with other types, nulls and metadata, and with damaged bytes."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

import votewise as vw
from fuzz import samples
from fuzz.cases import Target
from fuzz.draws import Draws
from fuzz.mutation import CELLS, damaged_bytes, damaged_rows, damaged_value
from fuzz.promises import keep_promise, one_of
from votewise.votes.writing import _parquet

_TYPES = (pl.Int64, pl.Int8, pl.UInt64, pl.Float32, pl.Float64, pl.Boolean, pl.Categorical, pl.Date, pl.Binary, pl.Datetime, pl.Decimal(10, 2), pl.List(pl.String))  # fmt: skip


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    match draws.below(3):
        case 0:
            content = _parquet(samples.votes(draws))
            if draws.chance(0.6):
                content = _other_facts(draws, content)
        case _:
            table = draws.pick((samples.rows, samples.wide))(draws)
            content = _written(draws, _frame(draws, damaged_rows(draws, table) if draws.chance(0.5) else table))
    if draws.chance(0.4):
        content = _damaged(draws, content)
    (folder / "votes.parquet").write_bytes(content)
    return {"file": "votes.parquet", "options": samples.options(draws, 0.15), "promise": one_of(draws)}


def _frame(draws: Draws, rows: list[list[str]]) -> pl.DataFrame:
    """A table as a frame with numeric columns as numbers, and some columns with another type or with nulls."""
    header, body = (rows[0], rows[1:]) if rows else ([], [])
    columns = dict[str, pl.Series]()
    for place, name in enumerate(header):
        column = pl.Series(name or "_", [row[place] if place < len(row) else None for row in body], pl.String)
        numbers = column.cast(pl.Float64, strict=False)
        if numbers.null_count() == column.null_count() and draws.chance(0.8):
            column = numbers.cast(pl.Int64, strict=False) if draws.chance(0.5) else numbers
        if draws.chance(0.1):
            with suppress(pl.exceptions.PolarsError):
                column = column.cast(draws.pick(_TYPES), strict=False)
        if len(column) and draws.chance(0.1):
            column = column.set(pl.Series([number == draws.below(len(column)) for number in range(len(column))]), None)
        columns[name or "_"] = column
    return pl.DataFrame(list(columns.values()))


def _written(draws: Draws, frame: pl.DataFrame, facts: str | None = None) -> bytes:
    out = io.BytesIO()
    packing = draws.pick(("zstd", "snappy", "uncompressed", "gzip", "lz4"))
    frame.write_parquet(out, compression=packing, metadata=None if facts is None else {"votewise": facts})
    return out.getvalue()


def _other_facts(draws: Draws, content: bytes) -> bytes:
    """A votewise file with the metadata of other votes, or with other votes for its metadata."""
    frame = pl.read_parquet(io.BytesIO(content))
    facts = json.loads(pl.read_parquet_metadata(io.BytesIO(content))["votewise"])
    if draws.chance(0.6):
        facts = damaged_value(draws, facts, 2)
    elif frame.width:
        name = draws.pick(frame.columns)
        match draws.below(4):
            case 0:
                frame = frame.drop(name)
            case 1:
                frame = frame.with_columns(pl.col(name).reverse())
            case 2:
                frame = frame.with_columns(pl.lit(draws.pick(CELLS)).alias(name))
            case 3:
                frame = frame.with_columns(
                    pl.when(pl.int_range(pl.len()) == 0).then(None).otherwise(pl.col(name)).alias(name)
                )
    text = json.dumps(facts).replace("\\u0000", "0").replace("\\ud800", "?")
    return _written(draws, frame, text[: draws.below(len(text))] if draws.chance(0.05) else text)


def _damaged(draws: Draws, content: bytes) -> bytes:
    """Damage in the footer, whose lengths are read first, or anywhere."""
    length = int.from_bytes(content[-8:-4], "little")
    at = len(content) - 8 - length
    if draws.chance(0.6):
        return content[:at] + damaged_bytes(draws, content[at:-8])[:length].ljust(length, b"\0") + content[-8:]
    return damaged_bytes(draws, content)


def check(folder: Path, used: dict[str, Any]) -> None:
    for answers in vw.inspect_votes(folder / used["file"], **used["options"]).questions.values():
        keep_promise(used["promise"], answers, folder)


TARGET = Target(make, check)
