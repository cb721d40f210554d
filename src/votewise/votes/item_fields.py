"""Fields of each item in a file other than its votes: the text, the part of a split."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.read_options import ReadOptions
from votewise.votes.answers import Answers
from votewise.votes.cleaning import with_cleaning_file
from votewise.votes.coding import names_in
from votewise.votes.frame_columns import is_frame
from votewise.votes.readers import READERS, detect
from votewise.votes.readers.shared import Ballots, column_roles
from votewise.votes.readers.shared.record import Record, as_name, json_records
from votewise.votes.readers.shared.row_ids import find_item
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.source_table import Frame
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

Values = tuple[str | None, ...]
Items = Callable[[Ballots], Iterator[tuple[str, Record]]]  # a reader has such a function if its records identify items


def read_item_fields(
    path: str | os.PathLike[str] | Any, names: Sequence[str], options: ReadOptions | None = None
) -> dict[str, Values]:
    """The values of `names` for each item of a file, by item id; None where a value is missing.

    Args:
        path: CSV, TSV, Parquet, JSON or JSONL, or a frame, with one row per item or per vote.
        names: columns; in JSON a dot separates nested keys, for example "example.premise".
        options: how the votes of the file are read; only `item` and `format` are used here. The records of a format have the
            items that its reader gives them.

    Raises:
        VotewiseError: a column is missing, or an item has two different values.
    """
    source, options = _table(path), with_cleaning_file(options or {})
    found: dict[str, Values] = {}
    for item, values in _rows(source, names, options):
        known = found.get(item, (None,) * len(names))
        for name, old, new in zip(names, known, values, strict=True):
            if old is not None and new is not None and old != new:
                raise source.error(
                    f"item {quoted(item)} has two different values of {quoted(name)}",
                    "give the same value in all rows of an item",
                )
        found[item] = tuple(old if new is None else new for old, new in zip(known, values, strict=True))
    return found


def has_items(path: str | os.PathLike[str] | Any, options: ReadOptions) -> bool:
    """Whether the format of a file, or a column that is given or has a usual name, identifies its items."""
    source, options = _table(path), with_cleaning_file(options)
    return _items_of(source, options) is not None or find_item(source, options) is not None


def item_texts(path: str | os.PathLike[str] | Any, options: ReadOptions) -> dict[str, str]:
    """The text of each item of a table, by item id, from a column with a usual name; empty if there is none."""
    options = with_cleaning_file(options)
    columns = _table(path).columns
    for name in column_roles.texts(columns):
        if name in (options.get("item"), options.get("label")):
            continue
        try:
            found = read_item_fields(path, [name], options)
        except VotewiseError:  # several texts per item: the column describes the votes
            continue
        return {item: text for item, (text,) in found.items() if text is not None and text != item}
    return {}


def carried_texts(votes: Answers, index: NDArray[np.integer[Any]]) -> list[str] | None:
    """The text of the items at these positions, in a column that votes carry with the same value for all votes on an item; else None."""
    if not isinstance(votes, Votes):
        return None
    voted = votes.votes_per_item > 0
    for column in (votes.columns[name] for name in column_roles.texts(votes.columns)):
        if (column == column[np.repeat(votes.indptr[:-1], votes.votes_per_item)]).all():
            return [str(column[votes.indptr[at]]) if voted[at] else "" for at in index.tolist()]
    return None


def _table(path: str | os.PathLike[str] | Any) -> SourceFile | Frame:
    return Frame(path) if is_frame(path) else SourceFile(path)


def _rows(source: SourceFile | Frame, names: Sequence[str], options: ReadOptions) -> Iterator[tuple[str, Values]]:
    if (records := _records(source, options)) is not None:
        for key, record in records:
            yield key, tuple(_inside(record, name) for name in names)
        return
    if missing := [name for name in names if name not in source.columns]:
        raise source.error(f"unknown column {listing(missing)}", f"the columns are {listing(source.columns, 20)}")
    item = find_item(source, options)
    read = list(dict.fromkeys((*names, *(() if item is None else (item,)))))
    frame = source.load(read)
    ids = range(len(frame)) if item is None else names_in(frame[item])
    columns = [frame[name].to_list() for name in names]
    for number, values in zip(ids, zip(*columns, strict=True), strict=True):
        if number is not None:
            yield (
                str(number),
                tuple(None if value is None or str(value).strip() == "" else str(value) for value in values),
            )


def _records(source: SourceFile | Frame, options: ReadOptions) -> Iterator[tuple[str, Record]] | None:
    """The records of a file with the ids of their items; None if it is a table."""
    if isinstance(source, Frame):
        return None
    if (items := _items_of(source, options)) is not None:
        return items(Ballots(source, options))
    if source.kind != "json":
        return None
    item = column_roles.needed(source, options, "item")["item"]
    return ((record.name(item), record) for record in json_records(source))


def _items_of(source: SourceFile | Frame, options: ReadOptions) -> Items | None:
    """How the reader of the format identifies items; None for tables, whose items are in a column."""
    try:
        format = options.get("format") or detect(source, options)[0]
    except VotewiseError:  # a table without votes, for example of texts
        return None
    return getattr(READERS[format], "items", None)


def _inside(record: Record, name: str) -> str | None:
    """The text at a dotted path of a record."""
    if name in record.fields:
        return _text(record, name, record.fields[name])
    value: Any = record.fields
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise record.error(f"unknown field {quoted(name)}", f"the fields are {listing(_paths(record.fields), 20)}")
        value = value[part]
    return _text(record, name, value)


def _text(record: Record, name: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value if value and value.strip() else None
    if (text := as_name(value)) is None:
        raise record.error(f"{quoted(name)} is {quoted(value)}, which is not text")
    return text


def _paths(fields: Mapping[str, Any]) -> list[str]:
    """The dotted paths to the values of nested objects, one level deep."""
    return [
        path
        for name, value in fields.items()
        for path in ([f"{name}.{inner}" for inner in value] if isinstance(value, Mapping) else [name])
    ]
