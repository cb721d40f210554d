"""Votes out of columns with one row per vote: of a file, or of a pandas or polars frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, I64, Bool
from votewise.errors import VotewiseError, locating
from votewise.read_options import TableOptions
from votewise.votes.coding import Codes, codes, only_used, renamed
from votewise.votes.readers.shared import column_roles, suspicious_classes, table_file
from votewise.votes.readers.shared.column_roles import Table
from votewise.votes.readers.shared.duplicates import EARLIER, kept_note, settle_duplicates
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

Place = Callable[[int], str]  # row of a table -> what to call it in an error


def read_rows(
    table: Table, load: Callable[[Sequence[str]], Mapping[str, pl.Series]], place: Place, options: TableOptions
) -> VotesFile:
    """The votes of all rows with a label, as if the other rows did not exist.

    Of the further columns, those about the vote itself (time, duration, confidence ...) are carried along if they hold
    numbers; the others are not read, and the report names them.

    Args:
        table: the names of the columns, and how errors name the table.
        load: names of columns -> their values.
        place: row -> what to call it in an error.
        options: the columns to use, the classes, what to do with second votes.
    """
    column = {role: column_roles.needed(table, options, role) for role in ("item", "label")}
    column |= {
        role: name for role in ("annotator", "weight") if (name := column_roles.find(table, options, role)) is not None
    }
    if len(set(column.values())) < len(column):
        raise table.error(f"one column has two roles: {listing(column.values())}", "name another one for each role")
    carried = [name for name in column_roles.carried(table.columns) if name not in column.values()]
    values = dict(load([*column.values(), *carried]))
    total = len(values[column["item"]])
    rows, dropped = _labelled(table, place, _coded(values, column))
    with locating(table.name):
        keep, again = settle_duplicates(
            rows.item, rows.annotator, options.get("duplicates"), lambda row: rows.described(row, place)
        )
    if keep is not None:
        rows, dropped = rows.where(keep), {**dropped, EARLIER: again}
    weight = _weight(table, place, rows, values[column["weight"]]) if "weight" in column else None
    columns = {name: number for name in carried if (number := _carried(rows, values[name])) is not None}
    votes = _votes(table, place, rows, options, weight, columns)
    notes = [kept_note(again)] if again and keep is None else []
    if other := [name for name in table.columns if name not in {*column.values(), *columns}]:
        notes.append(f"columns not read: {listing(other, 20)}")
    doubts = suspicious_classes.doubts_of(votes) if options.get("classes") is None else []
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

    def first(self, mask: Bool) -> int:
        """The row of the table that the first marked one is."""
        position = int(mask.argmax())
        return position if self.row is None else int(self.row[position])

    def described(self, position: int, place: Place) -> tuple[str, str, str]:
        """The place, the annotator and the item of a vote."""
        assert self.annotator is not None
        row = position if self.row is None else int(self.row[position])
        return place(row), self.annotators[self.annotator[position]], self.items[self.item[position]]


def _coded(values: dict[str, pl.Series], column: Mapping[str, str]) -> _Rows:
    """The columns as codes, two at a time: polars does not hold the interpreter's lock. They leave the table."""
    names = [column[role] for role in ("item", "label", "annotator") if role in column]
    with ThreadPoolExecutor(2) as pool:
        item, label, *known = pool.map(lambda name: codes(values.pop(name), missing=True), names)
    annotator, annotators = known[0] if known and known[0][1] else (None, [])
    return _Rows(*item, *label, annotator, annotators)


def _labelled(table: Table, place: Place, rows: _Rows) -> tuple[_Rows, dict[str, int]]:
    """The rows that have a label, and what is dropped with the others; a row without an item is an error unless blank."""
    if not len(rows.item):
        raise table.error("there are columns and no votes", "give a table with votes in it")
    if rows.item.min() >= 0 and rows.label.min() >= 0:
        return rows, {}
    blank = (rows.item < 0) & (rows.label < 0)
    if rows.annotator is not None:
        blank &= rows.annotator < 0
    if (nameless := (rows.item < 0) & ~blank).any():
        raise table.error(f"{place(rows.first(nameless))} has no item", "fill it in, or delete the line")
    unlabelled = (rows.label < 0) & ~blank
    if (blank | unlabelled).all():
        raise table.error(
            "no row has a label", "give a table with votes in it, or name another column with label= (--label)"
        )
    kept = rows.where(rows.label >= 0)
    counts = {
        "no label": int(unlabelled.sum()),
        "a blank line": int(blank.sum()),
        "an item without votes": len(rows.items) - len(kept.items),
    }
    return kept, {reason: count for reason, count in counts.items() if count}


def _votes(
    table: Table,
    place: Place,
    rows: _Rows,
    options: TableOptions,
    weight: F64 | None,
    columns: Mapping[str, NDArray[Any]],
) -> Votes:
    label, classes = rows.label, list(rows.labels)
    if (given := options.get("classes")) is not None:
        classes = [str(name) for name in given]
        label = renamed(label, rows.labels, classes)
        if label.min() < 0:
            raise table.error(
                f"{place(rows.first(label < 0))}: {quoted(rows.labels[rows.label[label.argmin()]])} is not one of the classes",
                f"they are {listing(classes)}; correct the label, or name all classes with classes= (--classes)",
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


def _weight(table: Table, place: Place, rows: _Rows, column: pl.Series) -> F64:
    weight = rows.of(table_file.as_numbers(column)[0])
    if (wrong := ~((weight > 0) & np.isfinite(weight))).any():
        row = rows.first(wrong)
        raise table.error(
            f"{place(row)}: the weight is {table_file.shown(column[row])}",
            "a weight is a number above zero; drop votes that should not count",
        )
    return weight


def _carried(rows: _Rows, column: pl.Series) -> F64 | None:
    number, lost = table_file.as_numbers(column)
    return None if lost.any() else rows.of(number)
