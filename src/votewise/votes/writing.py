"""Votes as tables: long, wide, and as files that `read_votes` reads back."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.votes.votes import Votes
from votewise.wording import counted, listing

if TYPE_CHECKING:
    import polars as pl

KEY = "votewise"  # of the Parquet metadata that says what a long table leaves out
VERSION = 1
ROLES = ("item", "row", "annotator", "label", "weight")


def to_long(votes: Votes) -> pl.DataFrame:
    """One row per vote: item, annotator, label, weight (those that are there) and the carried columns.

    >>> print(to_long(Votes.from_long(["a", "a"], ["yes", "no"], ["ann", "bob"])).rows())
    [('a', 'bob', 'no'), ('a', 'ann', 'yes')]
    """
    import polars as pl

    place = np.repeat(np.arange(len(votes)), votes.votes_per_item)
    columns: dict[str, Any] = {"item": _items(votes).gather(place)}
    if votes.annotator is not None:
        names = pl.Series([*votes.annotators, None], dtype=pl.String)  # -1, unknown, is the last
        columns["annotator"] = names.gather(votes.annotator % len(names))
    columns["label"] = pl.Series(votes.classes, dtype=pl.String).gather(votes.label)
    if votes.weight is not None:
        columns["weight"] = votes.weight
    if taken := [name for name in votes.columns if name in ROLES]:
        raise VotewiseError(f"a carried column is called {listing(taken)}", remedy="give it another name")
    return pl.DataFrame({**columns, **{name: _plain(column) for name, column in votes.columns.items()}})


def to_wide(votes: Votes) -> pl.DataFrame:
    """One row per item: its id, and the number of votes for each class in a column of its own.

    >>> print(to_wide(Votes.from_long(["a", "a"], ["yes", "no"])).rows(named=True))
    [{'item': 'a', 'no': 1, 'yes': 1}]
    """
    import polars as pl

    if "item" in votes.classes:
        raise VotewiseError("a class is called 'item', as the column of ids", remedy="use votes.counts()")
    counts = votes.counts()
    return pl.DataFrame({"item": _items(votes), **{name: counts[:, k] for k, name in enumerate(votes.classes)}})


def write_votes(votes: Votes, path: str | os.PathLike[str]) -> None:
    """Write a long table, whole or not at all.

    .parquet keeps everything: `read_votes` gives the same fingerprint, items, annotators and carried columns back.
    .csv keeps the votes alone: not the classes that nobody chose, nor the order and scale of classes, nor the rows.
    """
    path = Path(path)
    match path.suffix.lower():
        case ".parquet":
            write_atomic(path, _parquet(votes))
        case ".csv":
            if empty := int((votes.votes_per_item == 0).sum()):
                raise VotewiseError(
                    f"there is no place in a CSV file for {counted(empty, 'item')} without votes",
                    where=path,
                    remedy="write .parquet, or leave them out with votes.voted()",
                )
            write_atomic(path, to_long(votes).write_csv().encode())
        case suffix:
            raise VotewiseError(f"votes are not written as {suffix!r}", where=path, remedy="write .parquet or .csv")


def _parquet(votes: Votes) -> bytes:
    """The long table with the row of each item, in the order of the items; one without votes is a row without a label."""
    import polars as pl

    table = to_long(votes).insert_column(1, pl.Series("row", np.repeat(votes.row, votes.votes_per_item)))
    if (empty := votes.votes_per_item == 0).any():
        nobody = pl.DataFrame({"item": _items(votes).filter(empty), "row": votes.row[empty]})
        place = np.concatenate([np.repeat(np.arange(len(votes)), votes.votes_per_item), np.flatnonzero(empty)])
        table = pl.concat([table, nobody], how="diagonal")[np.argsort(place, kind="stable")]
    facts = {
        "version": VERSION,
        "classes": votes.classes,
        "scale": [votes.scale.kind, votes.scale.position],
        "annotators": None if votes.annotator is None else votes.annotators,
        "items": votes.items is not None,
        "columns": list(votes.columns),
    }
    file = io.BytesIO()
    table.write_parquet(file, metadata={KEY: json.dumps(facts)})
    return file.getvalue()


def _items(votes: Votes) -> pl.Series:
    """The ids of the items, or their rows where they have none."""
    import polars as pl

    ids = votes.row if votes.items is None else votes.items
    return pl.Series("item", [str(name) for name in ids.tolist()], dtype=pl.String)


def _plain(column: NDArray[Any]) -> Any:
    return column.tolist() if column.dtype.kind in "OT" else column
