"""Predictions out of a file: .npy, .npz, CSV, TSV, Parquet."""

from __future__ import annotations

import os
import re
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError, listing
from votewise.files import existing_file
from votewise.scoring.predictions import Predictions
from votewise.scoring.probabilities import Kind, as_array, as_kind, kind_of

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

ITEM_NAMES = ("item", "item_id", "id", "uid", "instance_id", "example_id", "row", "index")
# what the name of an array or the prefix of a column says of its numbers
_NAMED: dict[Kind, tuple[str, ...]] = {
    "log-probabilities": ("log_probabilities", "log_probs", "logprobs", "log_prob", "logprob", "log_p", "logp"),
    "logits": ("logits", "logit"),
    "probabilities": ("probabilities", "probability", "probs", "prob", "p"),
}


def read_predictions(path: str | os.PathLike[str], kind: str = "auto", *, array: str | None = None) -> Predictions:
    """Read predictions [N, C] from `path`.

    Tables have one row per item: a column with the item's id (`item`, `id`, `uid` ...) where there is one, and one column per
    class, named after it, with or without a prefix that says what its numbers are (`p_cat`, `logit_cat`). An .npz may
    name its array the same way (`array` chooses one of several) and hold `items` or `row` [N] and `classes` [C].
    """
    path = existing_file(path)
    suffix = path.suffix.lower()
    if suffix in (".npy", ".npz"):
        predictions = _from_numpy(path, array)
    elif suffix in (".csv", ".tsv", ".txt", ".parquet", ".pq"):
        predictions = _from_table(path, suffix)
    else:
        raise VotewiseError(
            f"predictions cannot be read from a {suffix or 'nameless'} file",
            where=path,
            remedy="save them as .npy, .npz, .csv, .tsv or .parquet",
        )
    values, named, items, classes = predictions
    values = as_array(values, path)
    if not values.size:
        raise VotewiseError("there are no predictions in this file", where=path, remedy="give one row per item")
    chosen = as_kind(kind) if kind != "auto" else named or kind_of(values, path)
    return Predictions(values, chosen, items, classes, str(path))


_Parts = tuple[Any, Kind | None, tuple[str, ...] | None, tuple[str, ...] | None]


def _from_numpy(path: Path, wanted: str | None) -> _Parts:
    try:
        with path.open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return loaded, None, None, None
            arrays = {name: loaded[name] for name in loaded.files}
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        objects = "Object arrays" in str(error)
        raise VotewiseError(
            "the file holds Python objects, not numbers" if objects else f"the file is no readable {path.suffix}",
            where=path,
            remedy="save the predictions as plain numbers with np.save or np.savez",
        ) from None
    name = wanted or _main_array(path, arrays)
    if name not in arrays:
        raise VotewiseError(f"there is no array {name!r}", where=path, remedy=f"it has {listing(arrays)}")
    items = next((_texts(arrays[key]) for key in ("items", *ITEM_NAMES) if key in arrays and key != name), None)
    classes = _texts(arrays["classes"]) if "classes" in arrays else None
    if items is not None and len(items) != len(arrays[name]):
        raise VotewiseError(
            f"{len(items)} ids for {len(arrays[name])} predictions", where=path, remedy="give one id per row"
        )
    return arrays[name], _named_kind(name), items, classes


def _main_array(path: Path, arrays: dict[str, NDArray[Any]]) -> str:
    tables = [name for name, array in arrays.items() if array.ndim == 2]
    named = [name for name in tables if _named_kind(name)]
    for names in (named, tables):
        if len(names) == 1:
            return names[0]
    raise VotewiseError(
        f"the file has {len(tables)} arrays of shape [N, C]: {listing(arrays)}",
        where=path,
        remedy="choose one with array= (--array)" if tables else "save the predictions as one array [N, C]",
    )


def _named_kind(name: str) -> Kind | None:
    plain = name.lower().replace("-", "_")
    return next((kind for kind, names in _NAMED.items() if plain in names), None)


def _texts(array: NDArray[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in array.tolist())


def _from_table(path: Path, suffix: str) -> _Parts:
    frame = _frame(path, suffix)
    item = next((name for wanted in ITEM_NAMES for name in frame.columns if name.lower() == wanted), None)
    kind, columns = _class_columns([name for name in frame.columns if name != item])
    values = (
        np.stack([_numbers(path, frame[name]) for name in columns.values()], axis=1) if columns else np.empty((0, 0))
    )
    items = None if item is None else _ids(path, frame[item])
    nameless = all(re.fullmatch(r"column_\d+", name) for name in columns)
    return values, kind, items, None if nameless else tuple(columns)


def _ids(path: Path, column: pl.Series) -> tuple[str, ...]:
    """Ids as text, written as the votes write theirs."""
    from votewise.votes.coding import codes

    code, names = codes(column, missing=True)
    if (code < 0).any():
        raise VotewiseError(
            f"row {int(code.argmin())} has no value in column {column.name!r}", where=path, remedy="fill it in"
        )
    return tuple(names[place] for place in code.tolist())


def _frame(path: Path, suffix: str) -> pl.DataFrame:
    import polars as pl

    try:
        if suffix in (".parquet", ".pq"):
            return pl.read_parquet(path)
        separator = "\t" if suffix == ".tsv" else ","
        with path.open(encoding="utf-8-sig") as file:
            first = file.readline().strip()
        if not first:
            raise VotewiseError("the file is empty", where=path, remedy="give one row per item")
        has_header = not _all_fractions(first.split(separator))
        return pl.read_csv(path, separator=separator, has_header=has_header, infer_schema_length=None)
    except UnicodeDecodeError as error:
        raise VotewiseError(f"byte {error.start} is not UTF-8", where=path, remedy="save the file as UTF-8") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        what = str(error).partition("\n")[0]
        raise VotewiseError(
            f"the file is no readable {suffix} ({what})", where=path, remedy="export it again"
        ) from None


def _all_fractions(cells: list[str]) -> bool:
    """Whether a first line holds numbers rather than names; whole numbers alone may be the names of classes."""
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError:
        return False
    return not all(number.is_integer() for number in numbers)


def _class_columns(names: list[str]) -> tuple[Kind | None, dict[str, str]]:
    """Class name -> column name: the columns with a known prefix where there are at least two, else all."""
    for kind, prefixes in _NAMED.items():
        for prefix in prefixes:
            start = f"{prefix}_"
            chosen = {name[len(start) :]: name for name in names if name.lower().startswith(start)}
            if len(chosen) > 1:
                return kind, chosen
    return None, {name: name for name in names}


def _numbers(path: Path, column: pl.Series) -> NDArray[np.float64]:
    import polars as pl

    number = column.cast(pl.Float64, strict=False)
    if (wrong := number.is_null()).any():
        row = wrong.arg_max() or 0
        value = "empty" if column[row] is None else repr(str(column[row])[:40])
        raise VotewiseError(
            f"column {column.name!r} is {value} in row {row}, not a number",
            where=path,
            remedy="correct it; where the column is no class, leave it out or start the names of the classes with p_",
        )
    return number.to_numpy()
