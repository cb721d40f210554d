"""Finds the column with the number of votes of each row, in a table with one row per item and label, for example of `groupby.size()`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from votewise.arrays import I64
from votewise.limits import MOST_OF_A_CELL, require_votes
from votewise.read_options import TableOptions
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table, as_numbers, cells_of, mostly_numbers, shown
from votewise.votes.votes import CHECK_COUNTS
from votewise.wording import listing, quoted


def find_count(table: Table, options: TableOptions, column: Mapping[str, str]) -> str | None:
    """The given column; or one with a usual name, if the rows have no annotator and no weight.

    Raises:
        VotewiseError: the column may hold numbers of votes, or may describe the items.
    """
    if options.get("count") is not None:
        name = column_roles.find(table, options, "count")
        if "annotator" in column:
            raise table.error(
                f"column {quoted(column['annotator'])} names the annotator, so each row is one vote",
                "leave count= (--count) out",
            )
        return name
    if "annotator" in column or "weight" in column:
        return None
    names = column_roles.candidates(table.columns, "count")
    names = [
        name for name in names if name not in (*column.values(), *(options.get("carry") or ()), options.get("time"))
    ]
    if not names:
        return None
    table.refuse_repeated_columns()
    rows = table.readable(list(dict.fromkeys([column["item"], column["label"]])))
    if not {column["item"], column["label"]}.issubset(rows.columns):
        return None  # they hold lists, which the reader refuses
    rows = rows.select(pl.col(column["item"]).alias("item"), pl.col(column["label"]).alias("label"))
    meaning = {cells.name: _is_count(rows, cells) for cells in table.readable(names)}
    possible = [name for name, answer in meaning.items() if answer is not False]
    if possible and not (len(possible) == 1 and meaning[possible[0]]):
        name = possible[0]
        raise table.error(
            f"column {listing(possible)} may hold the number of votes for the label of its row, or something else",
            f"if it does, give count={name!r} (--count {name}); if each row is one vote, carry=[{name!r}] (--carry {name})",
        )
    return possible[0] if possible else None


def _is_count(rows: pl.DataFrame, cells: pl.Series) -> bool | None:
    """Whether a column holds the number of votes of each row: True, False, or None if it cannot be decided.

    If an item has several rows with one label, a number that all rows of an item share describes the item, and the number of
    rows with one label describes the label.
    """
    if not mostly_numbers(cells_of(cells.head(1000))):
        return False
    table = rows.with_columns(pl.Series("count", as_numbers(cells)[0])).drop_nulls(["item", "label"])
    table = table.filter(pl.all_horizontal(pl.col("item", "label").str.strip_chars() != ""))
    count, rows_of_item = pl.col("count"), pl.len().over("item")
    one_row_each = not table.select("item", "label").is_duplicated().any()
    facts = table.select(
        ones=(count == 1).all(),
        whole=((count >= 0) & (count == count.floor())).all(),
        described=(count.n_unique().over("item") == 1).all() | (count == pl.len().over("item", "label")).all(),
        numbering=(count == count.cum_count().over("item")).all()
        | ((count.diff().drop_nulls() == 1).all() & count.first().is_between(0, 1)),
        total=(count == rows_of_item).all(),
        repeat=(rows_of_item > 1).any(),
    ).row(0, named=True)
    if facts["ones"] or not len(table):
        return False
    if not one_row_each:
        return False if facts["described"] or facts["numbering"] else None
    sure = facts["whole"] and facts["repeat"] and not facts["numbering"] and not facts["total"]
    return True if sure else None


def counts_in(table: Table, column: pl.Series, row: I64 | None) -> I64:
    """The number of votes of each row [V], which must be a whole number of at most a million."""
    cells = column if row is None else column.gather(row)
    count = as_numbers(cells)[0]
    remedy = "give the number of votes for this label, 0 for none"
    table.refuse(
        ~((count >= 0) & (count == np.floor(count))),
        lambda at: f": {quoted(column.name)} is {shown(cells[at])}, not a whole number of 0 or more",
        remedy,
        row,
    )
    table.refuse(
        count > MOST_OF_A_CELL,
        lambda at: (
            f": {quoted(column.name)} is {shown(cells[at])}, more than {MOST_OF_A_CELL:,} votes of one item for one class"
        ),
        CHECK_COUNTS,
        row,
    )
    require_votes(float(count.sum()), remedy=CHECK_COUNTS)
    if not count.any():
        raise table.error(f"column {quoted(column.name)} is 0 in every row", "give a table with votes in it")
    return count.astype(np.int64)
