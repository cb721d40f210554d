"""Long tables: one row per vote, as CSV, TSV, Parquet or JSON records; the columns are found by their usual names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes.answers import F64
from votewise.votes.coding import Codes, codes, only_used, pack, renamed
from votewise.votes.readers import lookalikes, roles, tabular
from votewise.votes.readers.reading import Options, Reading, Report
from votewise.votes.readers.source import Source
from votewise.votes.readers.tabular import Column
from votewise.votes.votes import Votes
from votewise.wording import counted, listing, quoted

NAME = "long-table"


def recognise(source: Source) -> tuple[float, str]:
    """Columns for the item and the label by their usual names; any other table at a low score, to say what it lacks."""
    if source.kind not in ("delimited", "parquet", "json"):
        return 0.0, "no table"
    item, annotator, label = (roles.candidates(source.columns, role) for role in ("item", "annotator", "label"))
    record = source.first_record if source.kind == "json" else {}
    if any(isinstance(record.get(name), list | dict) for name in (*item, *label) or record):
        return 0.0, "records that are no rows of a table"
    why = f"columns {', '.join((*item, *annotator, *label))}"
    if len(item) == len(label) == 1:
        return (0.75 if annotator else 0.7), why
    if item and label:
        return 0.5, why
    return 0.2, f"a table of {len(source.columns)} columns"


def read(source: Source, options: Options) -> Reading:
    """The votes of all rows that have a label, as if the others were not in the file.

    Of the further columns, those that say something of the vote itself (time, duration, confidence ...) are carried
    along where they hold numbers; the rest is not read, and the report names it.
    """
    if not source.columns:
        tabular.load(source, ())  # says why they cannot be read
        raise source.error("there are no columns in it", "give a table with a header")
    column = {role: roles.needed(source, options, role) for role in ("item", "label")}
    column |= {
        role: name for role in ("annotator", "weight") if (name := roles.find(source, options, role)) is not None
    }
    if len(set(column.values())) < len(column):
        raise source.error(f"one column has two roles: {listing(column.values())}", "name one of its own for each")
    carried = [name for name in roles.carried(source.columns) if name not in column.values()]
    table = tabular.columns(source, [*column.values(), *carried])
    total = len(table[column["item"]])
    with ThreadPoolExecutor(2) as pool:
        rows, dropped = _labelled(source, _coded(table, column, pool))
        if options.duplicates == "last":
            rows, earlier = _last(rows)
            dropped |= {"an earlier vote of the same person on the same item": earlier} if earlier else {}
        again = pool.submit(_again, rows)
        weight = _weight(source, rows, table[column["weight"]]) if "weight" in column else None
        columns = {name: number for name in carried if (number := _carried(rows, table[name])) is not None}
        votes = _votes(source, rows, options, weight, columns)
        count, pair = again.result()
    if count and options.duplicates != "keep":
        raise source.error(
            f"annotator {quoted(pair[1])} votes more than once on item {quoted(pair[0])} ({counted(count, 'such vote')} in all)",
            "say duplicates='last' or 'keep' (--duplicates last)",
        )
    notes = [f"votes by people who had voted on the item before: {count:,}, all kept"] if count else []
    if other := [name for name in source.columns if name not in {*column.values(), *columns}]:
        notes.append(f"columns not read: {listing(other, 20)}")
    doubts = lookalikes.doubts_of(votes) if options.classes is None else []
    report = Report(str(source.path), NAME, recognise(source)[1], total, dropped, tuple(notes), tuple(doubts))
    return Reading({column["label"]: votes}, report)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of the file as codes of item, label and annotator (-1 where blank), with the names they stand for."""

    item: Codes
    items: Sequence[str]
    label: Codes
    labels: Sequence[str]
    annotator: Codes | None
    annotators: Sequence[str]
    place: NDArray[np.int64] | None = None  # which rows of the file these are; None: all

    def where(self, mask: NDArray[np.bool_]) -> _Rows:
        """Some of the rows, as if the others had never been there."""
        annotator, annotators = None, list[str]()
        if self.annotator is not None:
            annotator, annotators = only_used(self.annotator[mask], self.annotators)
        place = np.flatnonzero(mask) if self.place is None else self.place[mask]
        item, label = only_used(self.item[mask], self.items), only_used(self.label[mask], self.labels)
        return _Rows(*item, *label, annotator if annotators else None, annotators, place)

    def of(self, column: F64) -> F64:
        """The values [V] that a column of the file has in these rows."""
        return column if self.place is None else column[self.place]

    def row(self, wrong: NDArray[np.bool_]) -> int:
        """The row of the file that the first wrong one is."""
        first = int(wrong.argmax())
        return first if self.place is None else int(self.place[first])

    def line(self, source: Source, wrong: NDArray[np.bool_]) -> str:
        return tabular.place(source, self.row(wrong))


def _coded(table: dict[str, Column], column: Mapping[str, str], pool: ThreadPoolExecutor) -> _Rows:
    """The columns as codes, two at a time: polars does not hold the interpreter's lock. They leave the table."""
    names = [column[role] for role in ("item", "label", "annotator") if role in column]
    item, label, *people = pool.map(lambda name: codes(table.pop(name), missing=True), names)
    annotator, annotators = people[0] if people and people[0][1] else (None, [])
    return _Rows(*item, *label, annotator, annotators)


def _labelled(source: Source, rows: _Rows) -> tuple[_Rows, dict[str, int]]:
    """The rows that have a label, and what goes with the others; a row without an item is an error unless it is blank."""
    if not len(rows.item):
        raise source.error("there is a header and no votes", "give a file with votes in it")
    if rows.item.min() >= 0 and rows.label.min() >= 0:
        return rows, {}
    blank = (rows.item < 0) & (rows.label < 0)
    if rows.annotator is not None:
        blank &= rows.annotator < 0
    if (nameless := (rows.item < 0) & ~blank).any():
        raise source.error(f"{rows.line(source, nameless)} has no item", "fill it in, or delete the line")
    unlabelled = (rows.label < 0) & ~blank
    if (blank | unlabelled).all():
        raise source.error(
            "no row has a label", "give a file with votes in it, or name another column with label= (--label)"
        )
    kept = rows.where(rows.label >= 0)
    counts = {
        "no label": int(unlabelled.sum()),
        "a blank line": int(blank.sum()),
        "an item without votes": len(rows.items) - len(kept.items),
    }
    return kept, {reason: count for reason, count in counts.items() if count}


def _last(rows: _Rows) -> tuple[_Rows, int]:
    """Of the votes of one known person on one item the last in the file, and how many others there were."""
    import polars as pl

    if rows.annotator is None:
        return rows, 0
    key = pl.Series(pack([rows.item, rows.annotator + 1], [len(rows.items), len(rows.annotators) + 1]))
    last = key.is_last_distinct().to_numpy() | (rows.annotator < 0)
    return (rows, 0) if last.all() else (rows.where(last), int((~last).sum()))


def _again(rows: _Rows) -> tuple[int, tuple[str, str]]:
    """How many votes are by a known person who had voted on the item before, and on which item who did."""
    item, annotator = rows.item, rows.annotator
    if annotator is None:
        return 0, ("", "")
    if annotator.min() < 0:
        item, annotator = item[annotator >= 0], annotator[annotator >= 0]
    pair = pack([item, annotator], [len(rows.items), len(rows.annotators)])
    pair.sort()
    same = pair[1:] == pair[:-1]
    first = divmod(int(pair[same.argmax()]), len(rows.annotators)) if same.any() else (0, 0)
    return int(np.count_nonzero(same)), (rows.items[first[0]], rows.annotators[first[1]])


def _votes(
    source: Source, rows: _Rows, options: Options, weight: F64 | None, columns: Mapping[str, NDArray[Any]]
) -> Votes:
    label, classes = rows.label, list(rows.labels)
    if options.classes is not None:
        classes = [str(name) for name in options.classes]
        label = renamed(label, rows.labels, classes)
        if label.min() < 0:
            raise source.error(
                f"{rows.line(source, label < 0)}: {quoted(rows.labels[rows.label[label.argmin()]])} is none of the classes",
                f"they are {listing(classes)}; correct the label, or name all classes with classes= (--classes)",
            )
    try:
        return Votes.from_codes(
            rows.item,
            label,
            rows.annotator,
            items=rows.items,
            classes=classes,
            annotators=rows.annotators,
            scale=options.scale(classes),
            weight=weight,
            columns=columns,
        )
    except VotewiseError as error:
        error.where = str(source.path)
        raise


def _weight(source: Source, rows: _Rows, column: Column) -> F64:
    weight = rows.of(tabular.as_numbers(column)[0])
    if (wrong := ~((weight > 0) & np.isfinite(weight))).any():
        raise source.error(
            f"{rows.line(source, wrong)}: the weight is {tabular.shown(column[rows.row(wrong)])}",
            "a weight is a number above zero; drop votes that should not count",
        )
    return weight


def _carried(rows: _Rows, column: Column) -> F64 | None:
    number, lost = tabular.as_numbers(column)
    return None if lost.any() else rows.of(number)
