"""One column per person: a row per item, and in each of its cells the label that one person gave, as CSV, TSV or Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from votewise.errors import VotewiseError
from votewise.votes.answers import repeated
from votewise.votes.coding import in_order
from votewise.votes.readers import lookalikes, people, roles, tabular, wide
from votewise.votes.readers.reading import Options, Reading, Report
from votewise.votes.readers.source import Source
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

NAME = "annotator-columns"


def recognise(source: Source) -> tuple[float, str]:
    """Items that occur once, and columns with labels out of one small set, or with names like rater_1.

    Whole numbers may as well be counts. Then two formats are as likely, and a person is asked.
    """
    columns = source.columns
    if source.kind not in ("delimited", "parquet") or roles.candidates(columns, "annotator") or repeated(columns):
        return 0.0, "no table with a column per person"
    item = roles.candidates(columns, "item") or [name for name in columns if name == ""]
    ids = [cell for cell in source.sample.get(item[0], []) if cell] if item else []
    said = {name: people.labels_in(cells) for name, cells in source.sample.items() if name not in item}
    found = people.columns(said)
    every = set[str]().union(*(said[name] for name in found))
    if len(every) < 2 or len(set(ids)) < len(ids):
        return 0.0, "no columns of labels"
    why = f"labels of one person in each of the columns {listing(found)}"
    if not item:
        return 0.3, why
    if all(map(people.named, found)):
        return 0.7, why
    if 2 * sum(map(tabular.is_number, every)) < len(every):
        return 0.67, why
    numbers = [[(cell or "").strip() for cell in source.sample[name]] for name in wide.number_columns(source)]
    return (0.65 if people.may_be_ratings(numbers) else 0.0), why


def read(source: Source, options: Options) -> Reading:
    """The votes in all columns that are people's; an empty cell is somebody who did not vote. The report names the people."""
    import polars as pl

    if twice := repeated(source.columns):
        raise source.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")
    item = roles.find_item(source, options)
    if item is None:
        item = roles.needed(source, options, "item")  # says that there is none
    few = [name for name in source.columns if people.possible(name, people.labels_in(source.sample.get(name, ())))]
    frame = tabular.load(source, list(dict.fromkeys([item, *few])))
    frame = frame.select(pl.all().cast(pl.String).str.strip_chars().replace("", None))
    ids = frame[item]
    labels = frame.drop(item).select(pl.all().str.replace(r"^([-+]?[0-9]+)\.0+$", "${1}"))  # pandas writes 3 as 3.0
    said = {column.name: set(column.drop_nulls().unique()) for column in labels}
    found = people.columns(said, options.classes)
    if len(found) < 2:
        raise source.error(
            f"no two of the columns {listing(source.columns, 20)} hold labels out of one set",
            "name the classes with classes= (--classes), or say another format= (--format)",
        )
    labels = labels.select(found)
    blank = ids.is_null() & labels.select(pl.all_horizontal(pl.all().is_null())).to_series()
    _check_items(source, ids, ids.is_null() & ~blank)
    classes = [str(name) for name in options.classes or in_order(set[str]().union(*(said[name] for name in found)))]
    _check_labels(source, labels, classes)
    votes, unvoted = _votes(source, options, ids, labels, classes)
    dropped = {"a blank line": int(blank.sum()), "an item without votes": unvoted}
    if_questions = "" if all(map(people.named, found)) else "; if they are questions, choose one with label= (--label)"
    notes = [f"people are the columns {listing(found, 20)}{if_questions}"]
    if other := [name for name in source.columns if name not in (item, *found)]:
        notes.append(f"columns not read: {listing(other, 20)}")
    report = Report(
        str(source.path),
        NAME,
        recognise(source)[1],
        frame.height,
        {reason: count for reason, count in dropped.items() if count},
        tuple(notes),
        tuple(lookalikes.doubts_of(votes) if options.classes is None else ()),
    )
    return Reading({"label": votes}, report)


def _check_items(source: Source, ids: pl.Series, nameless: pl.Series) -> None:
    if nameless.any():
        place = tabular.place(source, nameless.arg_max() or 0)
        raise source.error(f"{place} has no item", "fill it in, or delete the line")
    again = ids.is_not_null() & ~ids.is_first_distinct()
    if again.any():
        row = again.arg_max() or 0
        raise source.error(
            f"{tabular.place(source, row)}: item {quoted(ids[row])} has a row already", "give each item one row"
        )


def _check_labels(source: Source, labels: pl.DataFrame, classes: Sequence[str]) -> None:
    for column in labels:
        wrong = column.is_not_null() & ~column.is_in(classes)
        if wrong.any():
            row = wrong.arg_max() or 0
            raise source.error(
                f"{tabular.place(source, row)}, column {quoted(column.name)}: {quoted(column[row])} is none of the classes",
                f"they are {listing(classes)}; correct the label, or name all classes with classes= (--classes)",
            )


def _votes(
    source: Source, options: Options, ids: pl.Series, labels: pl.DataFrame, classes: Sequence[str]
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
    try:
        scale = options.scale(classes)
        votes = Votes.from_long(*cast, classes=classes, scale=scale)
    except VotewiseError as error:
        error.where = str(source.path)
        raise
    return votes, ids.n_unique() - int(ids.null_count() > 0) - len(votes)
