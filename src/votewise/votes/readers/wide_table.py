"""Wide tables: one row per item and one column per class with its count or its probability, as CSV, TSV or Parquet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from votewise.read_options import TableOptions
from votewise.votes.cleaning import label_names, with_cleaning_file
from votewise.votes.distributions import Distributions
from votewise.votes.readers.shared import ReadReport, SourceFile, VotesFile, column_roles, count_matrix
from votewise.votes.readers.shared.source_table import Frame, Table, is_number, mostly_numbers
from votewise.votes.readers.shared.suspicious_classes import doubts_of
from votewise.votes.readers.shared.totals import refuse_totals
from votewise.votes.readers.shared.votes_file import unread_note
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Numbers in at least two columns other than the ids, and no column of annotators."""
    if source.kind not in ("delimited", "parquet", "frame") or column_roles.candidates(source.columns, "annotator"):
        return None
    classes = number_columns(source)
    if len(classes) < 2:
        return None
    why = f"numbers in the columns {listing(classes)}"
    item = column_roles.candidates(source.columns, "item")
    if item and column_roles.candidates(source.columns, "label"):
        once = len(set(source.sample[item[0]])) == len(source.sample[item[0]])
        return (0.7, why) if once else None  # the same score as a long table; if items repeat, it is a long table
    return 0.65, why


def read(source: Table, options: TableOptions) -> VotesFile:
    """The items in the order of the table, named by their id column if present.

    The columns of classes are the given `classes`; by default all numeric columns except the id and the usual summaries of
    counts (total, entropy, majority ...). The report names them.
    """
    source.refuse_repeated_columns()
    item = column_roles.find_item(source, options)
    given = options.get("classes")
    if given is None:
        classes = [name for name in number_columns(source) if name != item]
        if isinstance(source, SourceFile) and source.csv_columns and _no_names(classes):
            raise source.error(
                f"the first line has numbers ({listing(classes)}) as column names, so it may not be a header",
                "name the columns on line 1, or confirm that these are the classes with classes= (--classes)",
            )
    else:
        rename, wanted = label_names(options), list(given)
        read_as = {name: rename(name) if rename else name for name in source.columns if name != item}
        classes = [name for one in wanted for name in read_as if read_as[name] == one]
        if absent := [name for name in wanted if name not in read_as.values()]:
            what = f"class {listing(absent)} has no column"
            raise source.error(what, f"the columns are {listing(source.columns, 20)}")
    if len(classes) < 2:
        if not source.columns:
            source.load(())  # raises an error with the reason
        raise source.error(
            f"no two of the columns {listing(source.columns, 20)} hold counts",
            "name those that do with classes= (--classes)",
        )
    frame = source.load(classes if item is None else [item, *classes])

    def cell(row: int, column: int | None) -> str:
        return source.place(row) + ("" if column is None else f", column {quoted(classes[column])}")

    table = source.matrix(frame, classes, "give a number in every cell, 0 for none")
    if all(map(_without_point, frame.select(classes))) and (np.abs(table) < 2**53).all():
        table = table.astype(np.int64)
    items = None if item is None else column_roles.item_ids(source, frame[item])
    refuse_totals(source, table, classes, items)
    answers, notes, doubts = count_matrix.answers(source, options, table, classes, items, cell)
    notes.append(f"classes are the columns {listing(classes, 20)}")
    unread = tuple(name for name in source.columns if name not in (item, *classes))
    notes += unread_note(unread)
    if isinstance(answers, Votes):
        doubts += doubts_of(answers, options)
    return VotesFile(
        {"label": answers}, ReadReport(rows=frame.height, notes=tuple(notes), doubts=tuple(doubts), unread=unread)
    )


def distributions_in_frame(frame: Any, options: TableOptions) -> Distributions:
    """See `Distributions.from_frame`."""
    table = Frame(frame)
    answers = read(table, with_cleaning_file(options)).votes()  # type: ignore[arg-type]  # a TableOptions is a ReadOptions
    if isinstance(answers, Votes):
        return answers.distributions()
    counted = "votes_per_item" in table.columns and "votes_per_item" not in answers.classes
    votes = table.load(["votes_per_item"]).to_series().to_numpy() if counted else None
    return replace(answers, votes_per_item=votes)


def counts_in_frame(frame: Any, classes: Sequence[object] | None) -> Votes | Distributions:
    """See `Votes.from_counts`. The ids are the index, or else the only column that has a usual name or holds text."""
    table = Frame(frame)
    ids = [name for name in table.columns if name not in {str(name) for name in frame.columns}]  # the index
    if not ids:
        usual = column_roles.candidates(table.columns, "item")
        ids = [n for n in table.columns if n in usual or table.holds_text(n)]
    if len(ids) > 1:
        raise table.error(f"{listing(ids)} could each hold the item ids", "keep one of them, e.g. as the index")
    names = None if classes is None else [str(name) for name in classes]
    return read(table, {"item": ids[0] if ids else None, "classes": names}).votes()


def _without_point(column: pl.Series) -> bool:
    """Whether the numbers are written as integers: 1, 0, 0 is one vote, 1.0, 0.0, 0.0 a distribution."""
    return not column.str.contains("[.eE]").any() if column.dtype == pl.String else column.dtype.is_integer()


def number_columns(source: Table) -> list[str]:
    """The numeric columns, except those known not to be classes."""
    items = column_roles.candidates(source.columns, "item")
    return [
        name
        for name, values in source.sample.items()
        if name not in items and not column_roles.companion(name) and mostly_numbers(values)
    ]


def _no_names(classes: Sequence[str]) -> bool:
    """Whether the column names are numbers that are not the points of a scale: 0, 3, 47 are counts; 1, 2, 3 are ratings."""
    value = [
        float(name.replace(",", ".")) for name in classes if is_number(name) and not re.search("%|,.*,|,.*[.]", name)
    ]
    return bool(value) and (len(value) < len(classes) or any(b - a != 1 for a, b in pairwise(value)))
