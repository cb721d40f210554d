"""Votes out of columns with one row per vote: of a file, or of a pandas or polars frame."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from votewise.arrays import F64, I64, Bool
from votewise.errors import VotewiseError, locating
from votewise.read_options import TableOptions, check_options
from votewise.votes.coding import Codes, codes, only_used, renamed
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.duplicates import EARLIER, kept_note, settle_duplicates
from votewise.votes.readers.shared.source_table import Frame, Table, as_numbers, shown
from votewise.votes.readers.shared.suspicious_classes import doubts_of
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted


def votes_in_frame(frame: Any, options: TableOptions) -> Votes:
    """See `Votes.from_frame`: the frame is read as a file with the same rows would be."""
    check_options(options, TableOptions)
    table = Frame(frame)
    file = read_rows(table, options)
    replace(file.report, path=table.name, format="long-table", why="one row per vote").warn(stacklevel=4)
    votes = file.votes()
    assert isinstance(votes, Votes)
    return votes


def read_rows(table: Table, options: TableOptions) -> VotesFile:
    """The votes of all rows with a label, as if the other rows did not exist.

    Of the further columns, those about the vote itself (time, duration, confidence ...) are carried along if they hold
    numbers; the others are not read, and the report names them.
    """
    column = {role: column_roles.needed(table, options, role) for role in ("item", "label")}
    for role in ("annotator", "weight"):
        if (name := column_roles.find(table, options, role)) is not None:
            column[role] = name
    if len(set(column.values())) < len(column):
        raise table.error(f"one column has two roles: {listing(column.values())}", "name another one for each role")
    carried = [name for name in column_roles.carried(table.columns) if name not in column.values()]
    values = table.load([*column.values(), *carried]).to_dict()
    total = len(values[column["item"]])
    rows, dropped = _labelled(table, _coded(values, column))

    def describe(vote: int) -> tuple[str, str, str]:
        place = table.place(vote if rows.row is None else int(rows.row[vote]))
        return place, rows.annotators[rows.annotator[vote]], rows.items[rows.item[vote]]  # type: ignore[index]

    with locating(table.name):
        keep, again = settle_duplicates(rows.item, rows.annotator, options.get("duplicates"), describe)
    if keep is not None:
        rows, dropped = rows.where(keep), {**dropped, EARLIER: again}
    weight = _weight(table, rows, values[column["weight"]]) if "weight" in column else None
    numbers = {name: as_numbers(values[name]) for name in carried}
    columns = {name: rows.of(number) for name, (number, lost) in numbers.items() if not lost.any()}
    votes = _votes(table, rows, options, weight, columns)
    notes = [kept_note(again)] if again and keep is None else []
    if other := [name for name in table.columns if name not in {*column.values(), *columns}]:
        notes.append(f"columns not read: {listing(other, 20)}")
    doubts = doubts_of(votes) if options.get("classes") is None else []
    report = ReadReport(rows=total, dropped=dropped, notes=tuple(notes), doubts=tuple(doubts))
    return VotesFile({column["label"]: votes}, report)


def scale_of(classes: Sequence[str], options: TableOptions) -> Scale:
    """The scale of classes that were found in a table; the order of names must be given."""
    if not options.get("ordinal"):
        return NOMINAL
    numbers = all(re.fullmatch(r"[-+]?[0-9]*\.?[0-9]+", name) for name in classes)
    if options.get("classes") is None and not numbers:
        raise VotewiseError(
            f"the order of {listing(classes)} is not known",
            remedy="name the classes in their order with classes= (--classes)",
        )
    return Scale.ordinal(classes)


def name_all_classes(classes: Sequence[str]) -> str:
    """What to do about a label that is not one of the classes."""
    return f"the classes are {listing(classes)}; correct the label, or name all classes with classes= (--classes)"


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of a table as codes of item, label and annotator (-1 if blank), with the names they stand for."""

    item: Codes
    items: Sequence[str]
    label: Codes
    labels: Sequence[str]
    annotator: Codes | None
    annotators: Sequence[str]
    row: I64 | None = None  # which rows of the table these are; None: all

    def where(self, mask: Bool) -> _Rows:
        """Some of the rows, as if the others had never been there."""
        annotator, annotators = None, list[str]()
        if self.annotator is not None:
            annotator, annotators = only_used(self.annotator[mask], self.annotators)
        row = np.flatnonzero(mask) if self.row is None else self.row[mask]
        item, label = only_used(self.item[mask], self.items), only_used(self.label[mask], self.labels)
        return _Rows(*item, *label, annotator if annotators else None, annotators, row)

    def of(self, column: F64) -> F64:
        """The values [V] of a column of the table in these rows."""
        return column if self.row is None else column[self.row]


def _coded(values: dict[str, pl.Series], column: Mapping[str, str]) -> _Rows:
    """The columns as codes, two at a time: polars does not hold the interpreter's lock. They leave the table."""
    names = [column[role] for role in ("item", "label", "annotator") if role in column]
    with ThreadPoolExecutor(2) as pool:
        item, label, *known = pool.map(lambda name: codes(values.pop(name), missing=True), names)
    annotator, annotators = known[0] if known and known[0][1] else (None, [])
    return _Rows(*item, *label, annotator, annotators)


def _labelled(table: Table, rows: _Rows) -> tuple[_Rows, dict[str, int]]:
    """The rows that have a label, and what is dropped with the others; a row without an item is an error unless blank."""
    if not len(rows.item):
        raise table.error("there are columns and no votes", "give a table with votes in it")
    if rows.item.min() >= 0 and rows.label.min() >= 0:
        return rows, {}
    blank = (rows.item < 0) & (rows.label < 0)
    if rows.annotator is not None:
        blank &= rows.annotator < 0
    table.refuse((rows.item < 0) & ~blank, lambda _: " has no item")
    unlabelled = (rows.label < 0) & ~blank
    if (blank | unlabelled).all():
        remedy = "give a table with votes in it, or name another column with label= (--label)"
        raise table.error("no row has a label", remedy)
    kept = rows.where(rows.label >= 0)
    counts = {
        "no label": int(unlabelled.sum()),
        "a blank line": int(blank.sum()),
        "an item without votes": len(rows.items) - len(kept.items),
    }
    return kept, {reason: count for reason, count in counts.items() if count}


def _votes(table: Table, rows: _Rows, options: TableOptions, weight: F64 | None, columns: Mapping[str, F64]) -> Votes:
    label, classes = rows.label, list(rows.labels)
    if (given := options.get("classes")) is not None:
        classes = [str(name) for name in given]
        label = renamed(label, rows.labels, classes)
        table.refuse(
            label < 0,
            lambda at: f": {quoted(rows.labels[rows.label[at]])} is not one of the classes",
            name_all_classes(classes),
            rows.row,
        )
    with locating(table.name):
        return Votes.from_codes(
            rows.item,
            label,
            rows.annotator,
            items=rows.items,
            classes=classes,
            annotators=rows.annotators,
            scale=scale_of(classes, options),
            weight=weight,
            columns=columns,
        )


def _weight(table: Table, rows: _Rows, column: pl.Series) -> F64:
    weight = rows.of(as_numbers(column)[0])
    written = column if rows.row is None else column.gather(rows.row)
    remedy = "a weight is a number above zero; drop votes that should not count"
    wrong = ~((weight > 0) & np.isfinite(weight))
    table.refuse(wrong, lambda at: f": the weight is {shown(written[at])}", remedy, rows.row)
    return weight
