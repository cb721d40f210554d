"""Wide tables: one row per item and one column per class with its count or its probability, as CSV, TSV or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from votewise.read_options import ReadOptions
from votewise.votes.answers import repeated
from votewise.votes.readers.shared import column_roles, count_matrix, table_file
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl


def recognise(source: SourceFile) -> tuple[float, str]:
    """Numbers in two columns or more besides the ids, and nobody's single votes."""
    if source.kind not in ("delimited", "parquet") or column_roles.candidates(source.columns, "annotator"):
        return 0.0, "no table of counts"
    classes = number_columns(source)
    if len(classes) < 2:
        return 0.0, "no columns of numbers"
    why = f"numbers in the columns {listing(classes)}"
    item = column_roles.candidates(source.columns, "item")
    if item and column_roles.candidates(source.columns, "label"):
        once = len(set(source.sample[item[0]])) == len(source.sample[item[0]])
        return (0.7 if once else 0.0), why  # as likely as a long table of the labels, unless items come back
    return 0.65, why


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The items in the order of the file, named by their id column where there is one.

    Class columns are those given as `classes`; else every column of numbers but the id and the usual companions of counts
    (total, entropy, majority ...). The report says which were taken.
    """
    if twice := repeated(source.columns):
        raise source.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")
    item = column_roles.find_item(source, options)
    given = options.get("classes")
    if given is None:
        classes = [name for name in number_columns(source) if name != item]
        if source.kind == "delimited" and _no_names(classes):
            raise source.error(
                f"the first line has numbers ({listing(classes)}) for names, so it may be no header",
                "name the columns on line 1, or say that these are the classes with classes= (--classes)",
            )
    else:
        classes = [str(name) for name in given]
        if absent := [name for name in classes if name not in source.columns]:
            raise source.error(
                f"there is no column for class {listing(absent)}", f"the columns are {listing(source.columns, 20)}"
            )
    if len(classes) < 2:
        if not source.columns:
            table_file.load(source, ())  # says why they cannot be read
        raise source.error(
            f"no two of the columns {listing(source.columns, 20)} hold counts",
            "name those that do with classes= (--classes)",
        )
    frame = table_file.load(source, classes if item is None else [item, *classes])

    def cell(row: int, column: int | None) -> str:
        line = table_file.place(source, row)
        return line if column is None else f"{line}, column {quoted(classes[column])}"

    table = np.empty((frame.height, len(classes)))
    for place, name in enumerate(classes):
        table[:, place], lost = table_file.as_numbers(frame[name])
        if (wrong := lost | np.isnan(table[:, place])).any():
            row = int(wrong.argmax())
            value = table_file.shown(frame[name][row])
            raise source.error(f"{cell(row, place)} is {value}", "give a number in every cell, 0 for none")
    if all(map(_without_point, frame.select(classes))) and (np.abs(table) < 2**53).all():
        table = table.astype(np.int64)
    items = None if item is None else _ids(source, frame[item])
    answers, notes = count_matrix.answers(source, options, table, classes, items, cell)
    notes.append(f"classes are the columns {listing(classes, 20)}")
    if other := [name for name in source.columns if name not in (item, *classes)]:
        notes.append(f"columns not read: {listing(other, 20)}")
    return VotesFile({"label": answers}, ReadReport(rows=frame.height, notes=tuple(notes)))


def _ids(source: SourceFile, column: pl.Series) -> list[str]:
    import polars as pl

    ids = [(name or "").strip() for name in column.cast(pl.String).to_list()]
    if "" in ids:
        raise source.error(f"{table_file.place(source, ids.index(''))} has no item", "fill it in, or delete the line")
    return ids


def _without_point(column: pl.Series) -> bool:
    """Whether the numbers are written as integers: 1, 0, 0 is one vote, 1.0, 0.0, 0.0 a distribution."""
    import polars as pl

    if column.dtype == pl.String:
        return not column.str.contains("[.eE]").any()
    return column.dtype.is_integer()


def number_columns(source: SourceFile) -> list[str]:
    """The columns of numbers, without those that are known to be no classes."""
    items = column_roles.candidates(source.columns, "item")
    return [
        name
        for name, values in source.sample.items()
        if name not in items
        and not column_roles.companion(name)
        and _of_numbers([value for value in values if value and value.strip()])
    ]


def _of_numbers(values: Sequence[str]) -> bool:
    """Whether at least half are numbers: one word among counts is a mistake to point at, not another kind of column."""
    return bool(values) and 2 * sum(map(table_file.is_number, values)) >= len(values)


def _no_names(classes: Sequence[str]) -> bool:
    """Whether the names are numbers that no scale has: 0, 3, 47 are counts, 1, 2, 3 are ratings."""
    value = [float(name.replace(",", ".")) for name in classes if table_file.is_number(name)]
    return bool(value) and (len(value) < len(classes) or any(b - a != 1 for a, b in pairwise(value)))
