"""Parquet files by `write_votes`: a long table, with metadata for everything that rows cannot hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes.cleaning import annotator_names, label_names
from votewise.votes.readers.shared import ReadOptions, ReadReport, SourceFile, VotesFile, table_file
from votewise.votes.scale import Scale
from votewise.votes.votes import Votes
from votewise.votes.writing import KEY, VERSION
from votewise.wording import quoted, reason


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """The mark that `write_votes` leaves in the metadata."""
    return (1.0, "written by votewise") if _facts(source) else None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The votes as they were written, with the same fingerprint. Cleaning options are an error; other options have no effect."""
    facts = _facts(source)
    if label_names(options) or annotator_names(options):
        raise source.error(
            "cleaning options do not apply to a file that votewise wrote",
            "clean the votes before writing them, or read the file with format='long-table' (--format long-table)",
        )
    if facts.get("version") != VERSION:
        raise source.error(
            f"unknown version {quoted(facts.get('version'))} of this format",
            "read it with the version of votewise that wrote it",
        )
    frame = source.load(source.columns)
    try:
        votes = _votes(frame, facts)
    except (KeyError, TypeError, ValueError, VotewiseError, pl.exceptions.PolarsError) as error:
        raise source.error(f"its contents are inconsistent ({reason(error)})", "write it again") from None
    return VotesFile({"label": votes}, ReadReport(rows=frame.height))


def _votes(frame: pl.DataFrame, facts: dict[str, Any]) -> Votes:
    row = frame["row"].to_numpy()
    first = np.flatnonzero(np.diff(row, prepend=-1))  # of each item
    voted = frame["label"].is_not_null()
    votes = frame.filter(voted)
    kind, position = facts["scale"]
    return Votes(
        np.concatenate(([0], np.cumsum(voted.to_numpy())))[np.append(first, len(row))],
        _coded(votes["label"], facts["classes"]),
        classes=tuple(facts["classes"]),
        scale=Scale(kind, None if position is None else tuple(position)),
        row=row[first],
        items=frame["item"].gather(first).to_list() if facts["items"] else None,  # type: ignore[arg-type]  # a list of ids becomes an array there
        annotator=None if facts["annotators"] is None else _coded(votes["annotator"], facts["annotators"]),
        annotators=tuple(facts["annotators"] or ()),
        weight=votes["weight"].to_numpy() if "weight" in votes.columns else None,
        columns={name: _plain(votes.get_column(name)) for name in facts["columns"]},
    )


def _coded(column: pl.Series, names: Sequence[str]) -> NDArray[np.int64]:
    """Codes into the names, exactly as they are written; -1 if missing."""
    return column.cast(pl.Enum(names)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()


def _facts(source: SourceFile) -> dict[str, Any]:
    if source.kind != "parquet":
        return {}
    with suppress(ValueError, *table_file.failures()):  # the metadata may not be JSON
        _ = source.packed
        found = json.loads(pl.read_parquet_metadata(source.path).get(KEY, "{}"))
        return found if isinstance(found, dict) else {}
    return {}


def _plain(column: pl.Series) -> NDArray[Any]:
    text = column.dtype == pl.String
    return np.array(column.to_list(), dtype=np.dtypes.StringDType()) if text else column.to_numpy()
