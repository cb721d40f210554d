"""Votes as files that `read_votes` reads back."""

from __future__ import annotations

import io
import json
import os
from typing import TYPE_CHECKING

import numpy as np

from votewise.errors import VotewiseError
from votewise.files import as_path, write_atomic
from votewise.votes.votes import Votes
from votewise.wording import counted

if TYPE_CHECKING:
    import polars as pl

KEY = "votewise"  # key of the Parquet metadata with everything that rows cannot hold
VERSION = 1


def write_votes(votes: Votes, path: str | os.PathLike[str]) -> None:
    """Write votes as a long table. After a crash, the file is either the old or the new one.

    A .parquet file keeps everything: `read_votes` gives equal votes back. A .csv file keeps only the votes. It loses
    classes without votes, the order and scale of the classes, and the rows.

    Args:
        votes: what to write.
        path: a file named .parquet or .csv.

    Raises:
        VotewiseError: the file cannot be written, or a .csv file cannot hold the votes.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "votes.parquet")
        >>> votes = Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"))
        >>> write_votes(votes, path)
        >>> from votewise import read_votes
        >>> read_votes(path) == votes
        True
    """
    path = as_path(path)
    if not isinstance(votes, Votes):
        raise VotewiseError(
            f"votes must be Votes, got {type(votes).__name__}",
            remedy="write the table of Distributions with to_polars()",
        )
    match path.suffix.lower():
        case ".parquet":
            write_atomic(path, _parquet(votes))
        case ".csv":
            if not len(votes):
                raise VotewiseError(
                    "a CSV file without votes could not be read again", where=path, remedy="write .parquet"
                )
            if empty := int((votes.votes_per_item == 0).sum()):
                raise VotewiseError(
                    f"a CSV file cannot hold {counted(empty, 'item')} without votes",
                    where=path,
                    remedy="write .parquet, or leave them out with votes.voted()",
                )
            table = votes.to_polars()
            content = table.write_csv().encode()
            if b"\0" in content or _trimmed(table):
                raise VotewiseError(
                    "a CSV file cannot hold a name that is empty, has a NUL character, or begins or ends with a blank",
                    where=path,
                    remedy="write .parquet, or rename it",
                )
            write_atomic(path, content)
        case suffix:
            raise VotewiseError(f"votes cannot be written as {suffix!r}", where=path, remedy="use .parquet or .csv")


def _trimmed(table: pl.DataFrame) -> bool:
    """Whether an item, a class or an annotator has a name that a reader would change, because blanks around names are ignored."""
    import polars as pl

    columns = table.select(pl.col("^(item|label|annotator)$").cast(pl.String)).iter_columns()
    names = {name for column in columns for name in column.drop_nulls().unique()}
    return any(not name or name != name.strip() for name in names)


def _parquet(votes: Votes) -> bytes:
    """The long table with the row of each item, in the order of the items; an item without votes is a row without a label."""
    import polars as pl

    table = votes.to_polars().insert_column(1, pl.Series("row", np.repeat(votes.row, votes.votes_per_item)))
    if (empty := votes.votes_per_item == 0).any():
        empty_items = pl.DataFrame({"item": votes[empty].names(), "row": votes.row[empty]})
        place = np.concatenate([np.repeat(np.arange(len(votes)), votes.votes_per_item), np.flatnonzero(empty)])
        table = pl.concat([table, empty_items], how="diagonal")[np.argsort(place, kind="stable")]
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
