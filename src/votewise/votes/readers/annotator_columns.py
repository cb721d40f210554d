"""One column per person: a row per item, and in each of its cells the label that one person gave, as CSV, TSV or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from votewise.errors import locating
from votewise.read_options import ReadOptions
from votewise.votes.answers import repeated
from votewise.votes.coding import in_order
from votewise.votes.readers import wide_table
from votewise.votes.readers.shared import annotator_detection, column_roles, suspicious_classes, table_file
from votewise.votes.readers.shared.long_rows import scale_of
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl


def recognise(source: SourceFile) -> tuple[float, str]:
    """Items that occur once, and columns with labels out of one small set, or with names like rater_1.

    Whole numbers may as well be counts. Then two formats are as likely, and a person is asked.
    """
    columns = source.columns
    if (
        source.kind not in ("delimited", "parquet")
        or column_roles.candidates(columns, "annotator")
        or repeated(columns)
    ):
        return 0.0, "no table with a column per person"
    item = column_roles.candidates(columns, "item") or [name for name in columns if name == ""]
    ids = [cell for cell in source.sample.get(item[0], []) if cell] if item else []
    said = {name: annotator_detection.labels_in(cells) for name, cells in source.sample.items() if name not in item}
    found = annotator_detection.find(said)
    every = set[str]().union(*(said[name] for name in found))
    if len(every) < 2 or len(set(ids)) < len(ids):
        return 0.0, "no columns of labels"
    why = f"labels of one person in each of the columns {listing(found)}"
    if not item:
        return 0.3, why
    if all(map(annotator_detection.named, found)):
        return 0.7, why
    if 2 * sum(map(table_file.is_number, every)) < len(every):
        return 0.67, why
    numbers = [[(cell or "").strip() for cell in source.sample[name]] for name in wide_table.number_columns(source)]
    return (0.65 if annotator_detection.may_be_ratings(numbers) else 0.0), why


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The votes in all columns that are people's; an empty cell is somebody who did not vote. The report names the people."""
    import polars as pl

    if twice := repeated(source.columns):
        raise source.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")
    item = column_roles.find_item(source, options)
    if item is None:
        item = column_roles.needed(source, options, "item")  # says that there is none
    few = [
        name
        for name in source.columns
        if annotator_detection.possible(name, annotator_detection.labels_in(source.sample.get(name, ())))
    ]
    frame = table_file.load(source, list(dict.fromkeys([item, *few])))
    frame = frame.select(pl.all().cast(pl.String).str.strip_chars().replace("", None))
    ids = frame[item]
    labels = frame.drop(item).select(pl.all().str.replace(r"^([-+]?[0-9]+)\.0+$", "${1}"))  # pandas writes 3 as 3.0
    said = {column.name: set(column.drop_nulls().unique()) for column in labels}
    found = annotator_detection.find(said, options.get("classes"))
    if len(found) < 2:
        raise source.error(
            f"no two of the columns {listing(source.columns, 20)} hold labels out of one set",
            "name the classes with classes= (--classes), or say another format= (--format)",
        )
    labels = labels.select(found)
    blank = ids.is_null() & labels.select(pl.all_horizontal(pl.all().is_null())).to_series()
    _check_items(source, ids, ids.is_null() & ~blank)
    classes = [
        str(name) for name in options.get("classes") or in_order(set[str]().union(*(said[name] for name in found)))
    ]
    _check_labels(source, labels, classes)
    votes, unvoted = _votes(source, options, ids, labels, classes)
    dropped = {"a blank line": int(blank.sum()), "an item without votes": unvoted}
    if_questions = (
        ""
        if all(map(annotator_detection.named, found))
        else "; if they are questions, choose one with label= (--label)"
    )
    notes = [f"people are the columns {listing(found, 20)}{if_questions}"]
    if other := [name for name in source.columns if name not in (item, *found)]:
        notes.append(f"columns not read: {listing(other, 20)}")
    report = ReadReport(
        rows=frame.height,
        dropped={reason: count for reason, count in dropped.items() if count},
        notes=tuple(notes),
        doubts=tuple(suspicious_classes.doubts_of(votes) if options.get("classes") is None else ()),
    )
    return VotesFile({"label": votes}, report)


def _check_items(source: SourceFile, ids: pl.Series, nameless: pl.Series) -> None:
    if nameless.any():
        place = table_file.place(source, nameless.arg_max() or 0)
        raise source.error(f"{place} has no item", "fill it in, or delete the line")
    again = ids.is_not_null() & ~ids.is_first_distinct()
    if again.any():
        row = again.arg_max() or 0
        raise source.error(
            f"{table_file.place(source, row)}: item {quoted(ids[row])} has a row already", "give each item one row"
        )


def _check_labels(source: SourceFile, labels: pl.DataFrame, classes: Sequence[str]) -> None:
    for column in labels:
        wrong = column.is_not_null() & ~column.is_in(classes)
        if wrong.any():
            row = wrong.arg_max() or 0
            raise source.error(
                f"{table_file.place(source, row)}, column {quoted(column.name)}: {quoted(column[row])} is not one of the classes",
                f"they are {listing(classes)}; correct the label, or name all classes with classes= (--classes)",
            )


def _votes(
    source: SourceFile, options: ReadOptions, ids: pl.Series, labels: pl.DataFrame, classes: Sequence[str]
) -> tuple[Votes, int]:
    """The votes, column after column, and how many items have none."""
    import polars as pl

    person, row = (np.repeat(np.arange(labels.width), labels.height), np.tile(np.arange(labels.height), labels.width))
    cast = pl.DataFrame(
        {
            "item": ids.gather(row),
            "label": pl.concat([column.alias("label") for column in labels]),
            "annotator": pl.Series(labels.columns).gather(person),
        }
    ).drop_nulls()
    if cast.is_empty():
        raise source.error("there are no votes in it", "give a file with labels in its cells")
    with locating(source.path):
        votes = Votes.from_long(*cast, classes=classes, scale=scale_of(classes, options))
    return votes, ids.n_unique() - int(ids.null_count() > 0) - len(votes)
