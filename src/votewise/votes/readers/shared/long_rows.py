"""Votes from columns with one row per vote, of a file or of a pandas or polars frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from votewise.arrays import F64, I64, Bool
from votewise.errors import VotewiseError, locating
from votewise.read_options import TableOptions
from votewise.votes.cleaning import LEFT_OUT, annotator_names, label_names, missing_notes, with_cleaning_file
from votewise.votes.coding import Codes, codes, in_order, only_used, renamed
from votewise.votes.frame_columns import INDEX
from votewise.votes.readers.shared import carried_columns, column_roles
from votewise.votes.readers.shared.duplicates import dropped_as, kept_note, settle_duplicates
from votewise.votes.readers.shared.long_counts import counts_in, find_count
from votewise.votes.readers.shared.long_shares import refuse_shares
from votewise.votes.readers.shared.row_ids import ask_for_item, find_item
from votewise.votes.readers.shared.source_table import Frame, Table, as_numbers, cells_of, shown
from votewise.votes.readers.shared.suspicious_classes import doubts_of, not_classes, with_annotator_doubts
from votewise.votes.readers.shared.totals import refuse_totals_of
from votewise.votes.readers.shared.vote_times import not_readable, seconds, time_columns
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile, unread_note
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted


def votes_in_frame(frame: Any, options: TableOptions) -> Votes:
    """See `Votes.from_frame`: the frame is read like a file with the same rows."""
    options = with_cleaning_file(options, TableOptions)  # type: ignore[arg-type]  # a TableOptions is a ReadOptions
    table = Frame(frame)
    file = with_annotator_doubts(read_rows(table, options), options)
    replace(file.report, path=table.name, format="long-table", why="one row per vote").warn()
    votes = file.votes()
    assert isinstance(votes, Votes)
    return votes


def read_rows(table: Table, options: TableOptions) -> VotesFile:
    """The votes of all rows with a label: one per row, or as many as its count. Rows without a label are dropped.

    The given columns are carried along; by default, numeric columns about the vote itself (time, duration, confidence ...).
    Other columns are not read, and the report names them.
    """
    column = roles_in(table, options)
    refuse_shares(table, options, column)
    carried = carried_columns.chosen(table, options, column)
    time = column_roles.find(table, options, "time") if options.get("time") else None
    if time in column.values():
        raise table.error(f"column {quoted(str(time))} is already in use", "name another column with time= (--time)")
    further = [*carried, *([time] if time and time not in carried else [])]
    values = table.load([*column.values(), *further]).to_dict()
    total = len(values[column["item"]])
    with locating(table.name):
        every = _coded(values, column)
    if options.get("item") is None and total > 2 and len(every.items) == total:
        others = [name for name in table.columns if name not in {*column.values(), *further}]
        ask_for_item(table, column["item"], others, *every.texts())
    cleaned, notes = _cleaned(every, options)
    rows, dropped = _labelled(table, cleaned)
    rows, dropped = _without_annotators(table, rows, every, dropped, options)

    def describe(vote: int) -> tuple[str, str, str]:
        place = table.place(vote if rows.row is None else int(rows.row[vote]))
        return place, rows.annotators[rows.annotator[vote]], rows.items[rows.item[vote]]  # type: ignore[index]  # only votes with annotators repeat

    policy = options.get("duplicates")
    when = None if time is None else seconds(table, values[time], rows.row)
    with locating(table.name):
        keep, again = settle_duplicates(rows.item, rows.annotator, policy, describe, label=rows.label, time=when)
    if keep is not None:
        rows, dropped = rows.where(keep), {**dropped, dropped_as(policy): again}
    if "count" in column:
        counted = rows.repeated(counts_in(table, values[column["count"]], rows.row))
        if lost := len(rows.items) - len(counted.items):
            dropped = {**dropped, "an item without votes": dropped.get("an item without votes", 0) + lost}
        rows = counted
        notes.append(f"column {quoted(column['count'])} is the number of votes of each row")
    weight = _weight(table, rows, values[column["weight"]]) if "weight" in column else None
    columns = carried_columns.values({name: values[name] for name in carried}, options, rows.row)
    votes = _votes(table, rows, options, weight, columns)
    refuse_totals_of(table, votes, options)
    if options.get("missing"):
        cells = (cell for name in carried for cell in cells_of(values[name].unique()))
        notes += missing_notes(options, [*every.labels, *every.annotators, *cells])
    notes += [kept_note(again)] if again and keep is None else []
    if rows.annotator is not None and (unknown := int(np.count_nonzero(rows.annotator < 0))):
        notes.append(f"votes without an annotator: {unknown:,}, all kept")
    if keep is not None and time is None:
        times, others = time_columns(table, column)
        how = [f"to order them by a column, give time={name!r} (--time)" for name in times] or map(not_readable, others)
        notes += [f"votes are in the order of the rows; {text}" for text in list(how)[:1]]
    unread = tuple(name for name in table.columns if name not in {*column.values(), *columns, time, INDEX})
    report = ReadReport(
        why=f"columns {', '.join(column[role] for role in ('item', 'annotator', 'label', 'count') if role in column)}",
        rows=total,
        dropped=dropped,
        notes=(*notes, *unread_note(unread)),
        doubts=tuple(doubts_of(votes, options)),
        unread=unread,
    )
    return VotesFile({column["label"]: votes}, report)


def roles_in(table: Table, options: TableOptions) -> dict[str, str]:
    """Role -> column: item and label, and annotator, weight and count if present."""
    column = column_roles.needed(table, options, "item", "label")
    column["item"] = find_item(table, options) or column["item"]
    for role in ("annotator", "weight"):
        if (name := column_roles.find(table, options, role)) is not None:
            column[role] = name
    if (name := find_count(table, options, column)) is not None:
        column["count"] = name
    for name in column.values():
        if len(roles := [role for role in column if column[role] == name]) > 1:
            options_of = " and ".join(f"{role}= (--{role})" for role in roles)
            what = f"column {quoted(name)} has two roles, {' and '.join(roles)}"
            raise table.error(what, f"name a different column for each with {options_of}")
    return column


def scale_of(classes: Sequence[str], options: TableOptions) -> Scale:
    """The scale of the classes of a table. If they are ordered and are not numbers, the order must be given."""
    if not options.get("ordinal"):
        return NOMINAL
    numbers = all(re.fullmatch(r"[-+]?[0-9]*\.?[0-9]+", name) for name in classes)
    if options.get("classes") is None and not numbers:
        raise VotewiseError(
            f"the order of {listing(classes)} is not known",
            remedy="name the classes in their order with classes= (--classes)",
        )
    return Scale.ordinal(classes)


def refuse_other_labels(
    table: Table,
    wrong: Any,
    label: Callable[[int], str],
    labels: Iterable[str],
    classes: Sequence[str],
    row: I64 | None = None,
    where: str = "",
) -> None:
    """Raise if labels are not among the classes. The error names the first of them, the others, and how to correct all of them.

    Args:
        table: the table.
        wrong: which votes [V] have such a label.
        label: vote -> its label.
        labels: the labels that occur.
        classes: the classes.
        row: table row of each vote [V].
        where: further details of the location, for example the column.
    """
    if wrong.any():
        unknown = in_order(set(labels).difference(classes))
        first = label(int(np.asarray(wrong).argmax()))
        others = [name for name in unknown if name != first]
        also = f", and neither are {listing(others)}" if others else ""
        what = f"{where}: {quoted(first)} is not one of the classes{also}"
        table.refuse(wrong, lambda _: what, not_classes(unknown, classes), row)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of a table as codes of item, label and annotator (-1 if blank), with the names they stand for."""

    item: Codes
    items: Sequence[str]
    label: Codes
    labels: Sequence[str]
    annotator: Codes | None
    annotators: Sequence[str]
    row: I64 | None = None  # position of each row in the table; None: the rows are the whole table

    def where(self, mask: Bool) -> _Rows:
        """The rows where `mask` is true, without the names that no longer occur."""
        annotator, annotators = None, list[str]()
        if self.annotator is not None:
            annotator, annotators = only_used(self.annotator[mask], self.annotators)
        row = np.flatnonzero(mask) if self.row is None else self.row[mask]
        item, label = only_used(self.item[mask], self.items), only_used(self.label[mask], self.labels)
        return _Rows(*item, *label, annotator if annotators else None, annotators, row)

    def repeated(self, times: I64) -> _Rows:
        """Each row as often as given [V]; the names of all labels are kept, those of items without a row are not."""
        row = np.repeat(np.arange(len(times)) if self.row is None else self.row, times)
        item, items = only_used(np.repeat(self.item, times), self.items)
        return replace(self, item=item, items=items, label=np.repeat(self.label, times), row=row)

    def texts(self) -> tuple[pl.Series, pl.Series | None]:
        """The labels and the annotators [R] by name."""

        def named(code: Codes, names: Sequence[str]) -> pl.Series:
            every = pl.Series([*names, None], dtype=pl.String)  # -1, which is the last, is blank
            return every.gather(code % len(every))

        return named(self.label, self.labels), None if self.annotator is None else named(
            self.annotator, self.annotators
        )

    def of(self, column: F64) -> F64:
        """The values [V] of a column of the table in these rows."""
        return column if self.row is None else column[self.row]


def _coded(values: dict[str, pl.Series], column: Mapping[str, str]) -> _Rows:
    """The columns as codes, two at a time, because polars releases the GIL. The columns are removed from `values`."""
    names = [column[role] for role in ("item", "label", "annotator") if role in column]
    with ThreadPoolExecutor(2) as pool:
        item, label, *known = pool.map(lambda name: codes(values.pop(name), missing=True), names)
    annotator, annotators = known[0] if known and known[0][1] else (None, [])
    return _Rows(*item, *label, annotator, annotators)


def _cleaned(rows: _Rows, options: TableOptions) -> tuple[_Rows, list[str]]:
    """The rows with labels and annotators cleaned, and notes on what changed."""
    label, annotator = label_names(options), annotator_names(options)
    notes = [*label.notes(rows.labels), *annotator.notes(rows.annotators)]
    if label:
        code, names = label.codes(rows.label, rows.labels)
        rows = replace(rows, label=code, labels=names)
    if annotator and rows.annotator is not None:
        code, names = annotator.codes(rows.annotator, rows.annotators)
        rows = replace(rows, annotator=code if names else None, annotators=names)
    return rows, notes


def _labelled(table: Table, rows: _Rows) -> tuple[_Rows, dict[str, int]]:
    """The rows with a label, and the number of dropped rows by reason. A row without an item is an error, unless it is blank."""
    if not len(rows.item):
        raise table.error("the table has columns but no votes", "give a table with votes in it")
    if rows.item.min() >= 0 and rows.label.min() >= 0:
        return rows, {}
    blank = (rows.item < 0) & (rows.label < 0)
    if rows.annotator is not None:
        blank &= rows.annotator < 0
    table.refuse((rows.item < 0) & ~blank, lambda _: " has no item")
    unlabelled = (rows.label < 0) & ~blank
    if (blank | unlabelled).all():
        remedy = "give a table with votes, or name another column with label= (--label)"
        raise table.error("no row has a label", remedy)
    kept = rows.where(rows.label >= 0)
    counts = {
        "no label": int(unlabelled.sum()),
        "a blank line": int(blank.sum()),
        "an item without votes": len(rows.items) - len(kept.items),
    }
    return kept, {reason: count for reason, count in counts.items() if count}


def _without_annotators(
    table: Table, rows: _Rows, every: _Rows, dropped: dict[str, int], options: TableOptions
) -> tuple[_Rows, dict[str, int]]:
    """The rows without those of excluded annotators. `every` has all rows of the table with the names before cleaning."""
    rename = annotator_names(options)
    if not rename.without or every.annotator is None:
        return rows, dropped
    named = np.array([*map(rename.leaves_out, every.annotators), False])
    out = named[every.annotator if rows.row is None else every.annotator[rows.row]]
    if not out.any():
        return rows, dropped
    if out.all():
        raise table.error("all votes are by excluded annotators", "exclude fewer annotators (--without-annotators)")
    kept = rows.where(~out)
    lost = dropped.get("an item without votes", 0) + len(rows.items) - len(kept.items)
    return kept, {**dropped, LEFT_OUT: int(out.sum()), **({"an item without votes": lost} if lost else {})}


def _votes(
    table: Table, rows: _Rows, options: TableOptions, weight: F64 | None, columns: Mapping[str, NDArray[Any]]
) -> Votes:
    label, classes = rows.label, list(rows.labels)
    if (given := options.get("classes")) is not None:
        classes = list(given)
        label = renamed(label, rows.labels, classes)
        refuse_other_labels(table, label < 0, lambda at: rows.labels[rows.label[at]], rows.labels, classes, rows.row)
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
    remedy = "give a number above zero, or drop the vote if it should not count"
    wrong = ~((weight > 0) & np.isfinite(weight))
    table.refuse(wrong, lambda at: f": the weight is {shown(written[at])}", remedy, rows.row)
    return weight
