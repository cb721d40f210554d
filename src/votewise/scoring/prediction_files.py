"""Predictions from a file: an array, or a table with one row per item, one column per class and possibly other columns."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import I64
from votewise.errors import VotewiseError
from votewise.files import existing_file
from votewise.packed import ArrayFile
from votewise.scoring.predictions import Predictions, decided
from votewise.scoring.probabilities import AnyKind, Kind, as_array
from votewise.votes import (
    CLASS_ARRAYS,
    ITEM_ARRAYS,
    Frame,
    SourceFile,
    codes,
    column_roles,
    detect,
    is_frame,
    is_number,
    mostly_numbers,
    names_in,
)
from votewise.wording import counted, listing, quoted

if TYPE_CHECKING:
    import polars as pl

_ITEM_NAMES = ("item", "item_id", "id", "uid", "instance_id", "example_id", "row", "index")
_ROWS = ("row", "index")  # names of a column of positions of the items in their source, which are not ids
# kind of predictions by the name of an array or the prefix of a column
_NAMED: dict[Kind, tuple[str, ...]] = {
    "log-probabilities": ("log_probabilities", "log_probs", "logprobs", "log_prob", "logprob", "log_p", "logp"),
    "logits": ("logits", "logit"),
    "probabilities": ("probabilities", "probability", "probs", "prob", "p"),
}
_SAMPLE = 100  # number of rows to check for numbers in a column


def read_predictions(
    path: str | os.PathLike[str] | Any, kind: AnyKind = "auto", *, item: str | None = None, array: str | None = None
) -> Predictions:
    r"""Read predictions [N, C] from a .npy, .npz, CSV, TSV or Parquet file, or from a pandas or polars frame.

    A table has one row per item, one column per class, named after the class, with or without a prefix for its kind (`p_cat`,
    `logit_cat`), and possibly a column of item ids. Columns without numbers are left out. An .npz may name its array
    in the same way and hold the ids or rows of the items [N] and the names of the classes [C] in arrays of any name.

    Args:
        path: the file, or a `DataFrame`, which is read as a table; the index of a pandas frame may hold the ids.
        kind: type of the numbers: "probabilities", "log-probabilities", "logits", or "auto" to detect it from names and values.
        item: the column or array with the ids of the items; default: one named `item`, `id`, `uid` or the like.
        array: the array of an .npz; default: the one that is [N, C].

    Returns:
        The predictions, which `votewise.score` matches with the votes by item and class.

    Raises:
        VotewiseError: If the file cannot be read as predictions.

    Example:
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "predictions.csv"
        >>> _ = path.write_text("item,p_cat,p_dog\na,0.25,0.75\nb,0.5,0.5\n")
        >>> read_predictions(path)
        Predictions(2 items, 2 classes, probabilities)
    """
    if is_frame(path):
        return _from_table(Frame(path), kind, item)
    source = opened(path, "give one row per item")
    if why := _votes_in(source):
        raise source.error(f"this file holds votes ({why}), not predictions", "give a table with one column per class")
    if source.kind == "array":
        return _from_numpy(source, kind, item, array)
    if source.kind in ("delimited", "parquet"):
        return _from_table(source, kind, item)
    what = f"predictions cannot be read from a {source.suffix or 'nameless'} file"
    raise source.error(what, "save them as .npy, .npz, .csv, .tsv or .parquet")


def refuse_swapped(predictions: str | os.PathLike[str], votes: str | os.PathLike[str]) -> None:
    """Raise if the file of predictions contains votes and the file of votes does not, to replace a less clear error."""
    try:
        why, other = _votes_in(SourceFile(predictions)), _votes_in(SourceFile(votes))
    except VotewiseError:
        return
    if why and not other:
        raise VotewiseError(
            f"the arguments seem to be swapped: {predictions} holds votes ({why})",
            remedy=f"give {votes} first and {predictions} second",
        )


def opened(path: str | os.PathLike[str], remedy: str) -> SourceFile:
    """A file that holds something other than votes."""
    path = existing_file(path)
    if not path.stat().st_size:
        raise VotewiseError("the file is empty", where=path, remedy=remedy)
    return SourceFile(path)


def _votes_in(source: SourceFile) -> str | None:
    """A short reason why a file holds individual votes; None if there is none, or if it may hold predictions."""
    try:
        format, why = detect(source) if source.kind in ("delimited", "parquet", "json") else ("wide-table", "")
    except VotewiseError:
        return None
    if format not in ("long-table", "annotator-columns"):
        return None if format == "wide-table" else why
    known = {name: column_roles.candidates(source.columns, name) for name in ("item", "label", "annotator", "weight")}
    others = set(source.columns).difference(column_roles.carried(source.columns), *known.values())
    numbers = [name for name in others if mostly_numbers(source.sample.get(name, []))]
    complete = known["item"] and (known["label"] or format == "annotator-columns")
    return why if complete and len(numbers) < 2 else None


# --- arrays -----------------------------------------------------------------------------------------------------------


def _from_numpy(source: SourceFile, kind: AnyKind, item: str | None, array: str | None) -> Predictions:
    arrays = ArrayFile(source.path, copies=3)
    single = "" in arrays
    name = array or ("" if single else _main_array(source, arrays))
    for asked in (name, item or name):
        if asked not in arrays:
            available = "it is one array without a name" if single else f"it has {listing(arrays)}"
            raise source.error(f"unknown array {quoted(asked)}", available)
    values = as_array(arrays[name], source.path)
    if not values.size:
        raise source.error("the file has no predictions", "give one row per item")
    usual = ((*ITEM_ARRAYS, *_ITEM_NAMES) if item is None else (item,), CLASS_ARRAYS)
    ids, names = (next((key for key in keys if key in arrays and key != name), None) for keys in usual)
    items, classes = (None if key is None else _texts(source, arrays, key) for key in (ids, names))
    if items is not None and len(items) != len(values):
        what = f"{counted(len(items), 'id')} for {counted(len(values), 'prediction')}"
        raise source.error(what, "give one id per row")
    if classes is not None and len(classes) != values.shape[1]:
        what = f"{counted(len(classes), 'class')} for {counted(values.shape[1], 'column')}"
        raise source.error(what, "name each column after its class")
    sizes = [(size,) for size in values.shape]
    others = {key: shape in sizes for key, shape in arrays.shapes.items() if key not in (name, ids, names)}
    return Predictions(
        values,
        *decided(values, kind, _kind_named(name), source.path),
        items=items,
        by_row=ids in _ROWS,
        classes=classes,
        where=source.name,
        unread={key: _column(arrays[key]) if fits else () for key, fits in others.items()},
    )


def _main_array(source: SourceFile, arrays: ArrayFile) -> str:
    tables = [name for name, shape in arrays.shapes.items() if len(shape) == 2]
    named = [name for name in tables if _kind_named(name)]
    for names in (named, tables):
        if len(names) == 1:
            return names[0]
    raise source.error(
        f"the file has {len(tables)} arrays of shape [N, C]: {listing(tables or arrays)}",
        "choose one with array= (--array)" if tables else "save the predictions as one array [N, C]",
    )


def _texts(source: SourceFile, arrays: ArrayFile, name: str) -> tuple[str, ...]:
    """The names in an array of the file, written as the readers of votes write them."""
    if (array := arrays[name]).ndim != 1:
        raise source.error(f"array {quoted(name)} has shape {array.shape}", "give one name per row or column")
    found = names_in(_column(array))
    if len(found) < len(array) or None in found:
        raise source.error(f"array {quoted(name)} has a value that is not a name", "give one name per row or column")
    return tuple(map(str, found))


def _column(array: NDArray[Any]) -> NDArray[Any]:
    """An array [n] of texts or numbers, in a type that every system can compare; empty if it holds something else."""
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    return array if array.dtype.kind in "biuSUM" else array[:0].astype(np.int64)


def _kind_named(name: str) -> Kind | None:
    """The kind of predictions implied by the name of an array."""
    plain = name.lower().replace("-", "_")
    return next((kind for kind, names in _NAMED.items() if plain in names), None)


# --- tables -----------------------------------------------------------------------------------------------------------


def _from_table(source: SourceFile | Frame, kind: AnyKind, item: str | None) -> Predictions:
    """The predictions in a table; the column of ids is `item`, or the one with a usual name.

    Classes are the columns with a known prefix if there are at least two, else all that hold numbers. A numeric column with
    a few words is an error that names them; a column of words is left out.
    """
    source, frame, row = _loaded(source)
    if item is not None and item not in frame.columns:
        raise source.error(f"unknown column {quoted(item)} of ids", f"the columns are {listing(frame.columns, 20)}")
    usual = (name for wanted in _ITEM_NAMES for name in frame.columns if name.lower() == wanted)
    ids = next(usual, None) if item is None else item
    others = [name for name in frame.columns if name != ids and name.lower() not in _ITEM_NAMES]
    others = [name for name in others if not column_roles.numbers_rows(name)]
    named, classes = _prefixed(others)
    classes = classes or {name: name for name in others if _holds_numbers(frame[name])}
    if not frame.height or not classes:
        what = "the file has no predictions" if not frame.height else "no column holds numbers"
        raise source.error(f"{what}: it has {listing(frame.columns)}", "give one row per item and one column per class")
    columns = list(classes.values())
    remedy = "replace it by a number; if the column is not a class, remove it or start the names of the classes with p_"
    values = source.matrix(frame, columns, remedy, row)
    try:
        decision = decided(values, kind, named, source.name)
    except VotewiseError as error:
        error.what += f" (columns {listing(columns)})"
        raise
    return Predictions(
        values,
        *decision,
        by_row=ids is not None and item is None and ids.lower() in _ROWS,
        items=None if ids is None else _ids(source, frame[ids], row),
        classes=None if all(re.fullmatch(r"column_\d+", name) for name in classes) else tuple(classes),
        where=source.name,
        row=row,
        place=source.place,
        unread={name: frame[name] for name in frame.columns if name not in (ids, *columns)},
        by_name=isinstance(source, Frame),
    )


def _holds_numbers(column: pl.Series) -> bool:
    import polars as pl

    return mostly_numbers(column.head(_SAMPLE).cast(pl.String).to_list())


def _prefixed(names: Sequence[str]) -> tuple[Kind | None, dict[str, str]]:
    """Class name -> column name, for at least two columns with the same known prefix; and the kind that the prefix implies."""
    for kind, prefixes in _NAMED.items():
        for prefix in prefixes:
            start = f"{prefix}_"
            chosen = {name[len(start) :]: name for name in names if name.lower().startswith(start)}
            if len(chosen) > 1:
                return kind, chosen
    return None, {}


def _loaded(source: SourceFile | Frame) -> tuple[SourceFile | Frame, pl.DataFrame, I64]:
    """All columns with single values, without blank lines; and the number of each row in the file [N].

    If the first line of a CSV file has numbers instead of names, the file is read without a header.
    """
    import polars as pl

    names = list(source.columns)
    if isinstance(source, SourceFile) and source.kind == "parquet":
        schema = pl.read_parquet_schema(source.path) if names else {}
        names = [name for name in names if not schema[name].is_nested()]
    elif isinstance(source, SourceFile):
        source = _with_header_checked(source)
        names = list(source.columns)
        source.refuse_repeated_columns()
    frame = source.load(names)
    if not frame.width:
        raise source.error("no column holds single values", "give one number per row and class")
    blank = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    row = (~blank).arg_true().to_numpy().astype(np.int64)
    return source, frame.filter(~blank).with_columns(pl.col(pl.String).str.strip_chars()), row


def _with_header_checked(source: SourceFile) -> SourceFile:
    """The file, read without a header if its first line has only numbers. Raises if the line seems to have names and numbers."""
    if source.delimiter == "," and re.search(r"\d,\d+;[-+]?\d", source.first_line):
        remedy = "write numbers with a decimal point, for example 0.5"
        raise source.error("line 1 has decimal commas between semicolons", remedy)
    names = source.columns
    fractions = [name for name in names if re.fullmatch(r"[-+]?\d*\.\d+(e[-+]?\d+)?", name, re.IGNORECASE)]
    if fractions and all(map(is_number, names)):
        return SourceFile(source.path, has_header=False)
    if len(fractions) > 1:
        raise source.error(
            f"line 1 has numbers ({listing(fractions)}) where the names of the columns should be",
            "name the columns on line 1: 'item', then the classes",
        )
    return source


def _ids(source: SourceFile | Frame, column: pl.Series, row: I64) -> tuple[str, ...]:
    """The ids in a column as text, written as the readers of votes write them."""
    code, names = codes(column, missing=True)
    source.refuse(code < 0, lambda _: f" has no value in column {quoted(column.name)}", "fill it in", row)
    return tuple(names[position] for position in code.tolist())
