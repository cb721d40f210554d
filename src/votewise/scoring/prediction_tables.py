"""Predictions out of a table: one row per item, one column per class, and possibly other columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.errors import VotewiseError
from votewise.scoring.predictions import Predictions, decided
from votewise.scoring.probabilities import I64, Kind
from votewise.votes import SourceFile, codes, repeated, table_file
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

ITEM_NAMES = ("item", "item_id", "id", "uid", "instance_id", "example_id", "row", "index")
ROWS = ("row", "index")  # these name the place of an item in its source, not the item
_NO_CLASS = (*ITEM_NAMES, "", "unnamed: 0")  # the last two are the index that pandas writes and reads
# what the name of an array or the prefix of a column says of its numbers
_NAMED: dict[Kind, tuple[str, ...]] = {
    "log-probabilities": ("log_probabilities", "log_probs", "logprobs", "log_prob", "logprob", "log_p", "logp"),
    "logits": ("logits", "logit"),
    "probabilities": ("probabilities", "probability", "probs", "prob", "p"),
}
Place = Callable[[int], str]  # row of a file -> what errors call it

_SAMPLE = 100  # rows that tell whether a column holds numbers


def read(source: SourceFile, explicit_kind: Kind | None, item: str | None) -> Predictions:
    """The predictions in a table; the column of ids is `item`, or the one with a usual name.

    Classes are the columns with a known prefix if there are at least two, else all that hold numbers. A column of numbers with
    a few words in it is an error that names them; a column of words is left out.
    """
    frame, row, place = _loaded(source)
    if item is not None and item not in frame.columns:
        raise source.error(f"unknown column {quoted(item)} of ids", f"the columns are {listing(frame.columns, 20)}")
    usual = (name for wanted in ITEM_NAMES for name in frame.columns if name.lower() == wanted)
    ids = next(usual, None) if item is None else item
    others = [name for name in frame.columns if name != ids and name.lower() not in _NO_CLASS]
    named, classes = _prefixed(others)
    classes = classes or {name: name for name in others if holds_numbers(frame[name])}
    if not frame.height or not classes:
        what = "the file has no predictions" if not frame.height else "no column holds numbers"
        raise source.error(f"{what}: it has {listing(frame.columns)}", "give one row per item and one column per class")
    values = np.empty((frame.height, len(classes)))
    for position, name in enumerate(classes.values()):
        values[:, position], lost = table_file.as_numbers(frame[name])
        if (wrong := lost | np.isnan(values[:, position])).any():
            first = int(wrong.argmax())
            value = frame[name][first]
            raise source.error(
                f"{place(int(row[first]))}, column {quoted(name)} is {'empty' if value is None else table_file.shown(value)}",
                "give a number there; if the column is not a class, leave it out or start the names of the classes with p_",
            )
    try:
        kind, kind_from = decided(values, explicit_kind, named, source.path)
    except VotewiseError as error:
        error.what += f" (columns {listing(classes.values())})"
        raise
    nameless = all(re.fullmatch(r"column_\d+", name) for name in classes)
    return Predictions(
        values,
        kind,
        kind_from,
        by_row=ids is not None and item is None and ids.lower() in ROWS,
        items=None if ids is None else _ids(source, frame[ids], lambda first: place(int(row[first]))),
        classes=None if nameless else tuple(classes),
        where=str(source.path),
        row=row,
        place=place,
        unread={name: frame[name] for name in frame.columns if name not in (ids, *classes.values())},
    )


def holds_numbers(column: Any) -> bool:
    """Whether at least half of the first values that are there are numbers, even with a decimal comma."""
    import polars as pl

    first = pl.Series(column).head(_SAMPLE).cast(pl.String).drop_nulls().to_list()
    values = [value for value in first if value.strip()]
    return 0 < len(values) <= 2 * sum(map(table_file.is_number, values))


def kind_named(name: str) -> Kind | None:
    """The kind that an array's name says its numbers are."""
    plain = name.lower().replace("-", "_")
    return next((kind for kind, names in _NAMED.items() if plain in names), None)


def _prefixed(names: Sequence[str]) -> tuple[Kind | None, dict[str, str]]:
    """Class name -> column name of at least two columns with one known prefix, and the kind that it says."""
    for kind, prefixes in _NAMED.items():
        for prefix in prefixes:
            start = f"{prefix}_"
            chosen = {name[len(start) :]: name for name in names if name.lower().startswith(start)}
            if len(chosen) > 1:
                return kind, chosen
    return None, {}


def _loaded(source: SourceFile) -> tuple[pl.DataFrame, I64, Place]:
    """All columns, the lines that are not blank: a table, the row [N] of the file that each row is, and what to call it."""
    import polars as pl

    frame, place = _frame(source)
    if not frame.width:
        raise source.error("no column holds single values", "give one number per row and class")
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    row = (~blank).arg_true().to_numpy().astype(np.int64)
    return frame.filter(~blank).with_columns(pl.col(pl.String).str.strip_chars()), row, place


def _frame(source: SourceFile) -> tuple[pl.DataFrame, Place]:
    """All columns of single values; where the first line holds numbers and no names, it is a row like the others."""
    import polars as pl

    names, place = source.columns, partial(table_file.place, source)
    if source.kind == "parquet":
        nested = (
            [name for name, kind in pl.read_parquet_schema(source.path).items() if kind.is_nested()] if names else []
        )
        return table_file.load(source, [name for name in names if name not in nested]), place
    if source.delimiter == "," and re.search(r"\d,\d+;[-+]?\d", source.first_line):
        raise source.error("line 1 has decimal commas between semicolons", "write numbers with a point, as in 0.5")
    fractions = [name for name in names if re.fullmatch(r"[-+]?\d*\.\d+(e[-+]?\d+)?", name, re.IGNORECASE)]
    if fractions and all(map(table_file.is_number, names)):
        source.columns = tuple(f"column_{position}" for position, _ in enumerate(names, start=1))
        first = pl.DataFrame([names], schema=dict.fromkeys(source.columns, pl.String), orient="row")
        rest = table_file.load(source, source.columns)
        return pl.concat([first, rest]), partial(_headless, place)
    if len(fractions) > 1:
        raise source.error(
            f"line 1 has numbers ({listing(fractions)}) where the names of the columns should be",
            "name the columns on line 1: 'item', then the classes",
        )
    if twice := repeated(names):
        raise source.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")
    return table_file.load(source, names), place


def _headless(place: Place, row: int) -> str:
    """What to call a row of a file whose first line is one."""
    return place(row - 1) if row else "line 1"


def _ids(source: SourceFile, column: pl.Series, place: Place) -> tuple[str, ...]:
    """Ids as text, written as the votes write theirs."""
    code, names = codes(column, missing=True)
    if (code < 0).any():
        raise source.error(f"{place(int(code.argmin()))} has no value in column {quoted(column.name)}", "fill it in")
    return tuple(names[position] for position in code.tolist())
