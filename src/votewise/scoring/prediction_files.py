"""Predictions out of a file: .npy, .npz, CSV, TSV, Parquet."""

from __future__ import annotations

import os
from typing import Any

from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.files import existing_file, read_arrays
from votewise.scoring import prediction_tables
from votewise.scoring.prediction_tables import ITEM_NAMES, ROWS, kind_named
from votewise.scoring.predictions import Predictions, decided, explicit
from votewise.scoring.probabilities import AnyKind, Kind, as_array
from votewise.votes import SourceFile, column_roles, detect
from votewise.wording import counted, listing, quoted


def read_predictions(
    path: str | os.PathLike[str], kind: AnyKind = "auto", *, item: str | None = None, array: str | None = None
) -> Predictions:
    r"""Read predictions [N, C] from a .npy, .npz, CSV, TSV or Parquet file.

    A table has one row per item, one column per class, named after it, with or without a prefix that tells its kind (`p_cat`,
    `logit_cat`), and possibly a column of item ids. Columns without numbers are left out. An .npz may name its array
    in the same way and hold `items` or `row` [N] and `classes` [C].

    Args:
        path: the file.
        kind: what the numbers are: "probabilities", "log-probabilities", "logits", or "auto" to tell by names and values.
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
    explicit_kind, source = explicit(kind), opened(path, "give one row per item")
    if why := _votes_in(source):
        raise source.error(f"this holds votes ({why}), not predictions", "give a table with one column per class")
    if source.kind == "array":
        return _from_numpy(source, explicit_kind, item, array)
    if source.kind in ("delimited", "parquet"):
        return prediction_tables.read(source, explicit_kind, item)
    raise source.error(
        f"predictions cannot be read from a {source.suffix or 'nameless'} file",
        "save them as .npy, .npz, .csv, .tsv or .parquet",
    )


def refuse_swapped(predictions: str | os.PathLike[str], votes: str | os.PathLike[str]) -> None:
    """After an error: raise a better one if the file of predictions holds votes and the file of votes does not."""
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
    """What makes a file one of single votes, in a few words; None if nothing does, or if it may be predictions."""
    try:
        format, why = detect(source) if source.kind in ("delimited", "parquet", "json") else ("wide-table", "")
    except VotewiseError:
        return None
    if format not in ("long-table", "annotator-columns"):
        return None if format == "wide-table" else why
    known = {name: column_roles.candidates(source.columns, name) for name in ("item", "label", "annotator", "weight")}
    others = set(source.columns).difference(column_roles.carried(source.columns), *known.values())
    numbers = [name for name in others if prediction_tables.holds_numbers(source.sample.get(name, []))]
    complete = known["item"] and (known["label"] or format == "annotator-columns")
    return why if complete and len(numbers) < 2 else None


def _from_numpy(source: SourceFile, explicit_kind: Kind | None, item: str | None, wanted: str | None) -> Predictions:
    arrays = read_arrays(source.path)
    single = "" in arrays
    name = wanted or ("" if single else _main_array(source, arrays))
    for asked in (name, item or name):
        if asked not in arrays:
            available = "it is one array without a name" if single else f"it has {listing(arrays)}"
            raise source.error(f"unknown array {quoted(asked)}", available)
    values = as_array(arrays[name], source.path)
    if not values.size:
        raise source.error("the file has no predictions", "give one row per item")
    names = ("items", *ITEM_NAMES) if item is None else (item,)
    ids = next((key for key in names if key in arrays and key != name), None)
    items = None if ids is None else _texts(arrays[ids])
    if items is not None and len(items) != len(values):
        raise source.error(
            f"{counted(len(items), 'id')} for {counted(len(values), 'prediction')}", "give one id per row"
        )
    return Predictions(
        values,
        *decided(values, explicit_kind, kind_named(name), source.path),
        items=items,
        by_row=ids in ROWS,
        classes=_texts(arrays["classes"]) if "classes" in arrays else None,
        where=str(source.path),
    )


def _main_array(source: SourceFile, arrays: dict[str, NDArray[Any]]) -> str:
    tables = [name for name, array in arrays.items() if array.ndim == 2]
    named = [name for name in tables if kind_named(name)]
    for names in (named, tables):
        if len(names) == 1:
            return names[0]
    raise source.error(
        f"the file has {len(tables)} arrays of shape [N, C]: {listing(tables or arrays)}",
        "choose one with array= (--array)" if tables else "save the predictions as one array [N, C]",
    )


def _texts(array: NDArray[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in array.tolist())
