"""NumPy files: counts or probabilities [N, C] in `.npy` or `.npz`, as CIFAR-10H's `cifar10h-counts.npy`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes.readers import cells
from votewise.votes.readers.cifar10h import CLASSES as CIFAR10
from votewise.votes.readers.reading import Options, Reading, Report
from votewise.votes.readers.source import Source
from votewise.wording import counted, listing, quoted

NAME = "array"

# Names of arrays in an .npz; the first that is there is read: votes before what is computed from them.
_TABLE = ("counts", "votes", "label_counts", "probabilities", "probs", "distributions", "soft_labels")
_CLASSES = ("classes", "class_names")
_ITEMS = ("items", "item_ids", "ids", "uids")


def recognise(source: Source) -> tuple[float, str]:
    """NumPy's own first bytes, or its suffix."""
    return (0.85, "a NumPy file") if source.kind == "array" else (0.0, "no NumPy file")


def read(source: Source, options: Options) -> Reading:
    """Row i is item i. In an .npz the array is the one named by `label`, the first of the usual names, or the only one.

    Classes are those given, those in an array `classes` beside it, or "0" to "C-1"; the ten of CIFAR-10 in CIFAR-10H.
    """
    beside: dict[str, NDArray[Any]] = {}
    try:
        with source.path.open("rb") as raw:
            file = np.load(raw, allow_pickle=False)
            if isinstance(file, np.ndarray):
                name, table, other = source.path.name, file, []
            else:
                name = _choose(source, file.files, options.label)
                table = file[name]
                beside = {key: file[key] for key in (*_CLASSES, *_ITEMS) if key in file.files}
                other = [key for key in file.files if key != name and key not in beside]
    except VotewiseError:
        raise
    except Exception as error:  # NumPy lets out whatever its parts raise: tokenize, zipfile, zlib, MemoryError ...
        raise _unreadable(source, error) from None
    if table.ndim != 2 or table.dtype.kind not in "iufb":
        raise source.error(
            f"array {quoted(name)} has shape {table.shape} and type {table.dtype}",
            "give numbers, one row per item and one column per class",
        )
    classes = options.classes or _names(beside, _CLASSES) or _usual(source, table.shape[1])
    items = _names(beside, _ITEMS)
    for names, count, thing in ((classes, table.shape[1], "class"), (items, len(table), "item")):
        if names is not None and len(names) != count:
            raise source.error(f"{counted(len(names), thing)} for shape {table.shape}", f"name {counted(count, thing)}")
    answers, notes = cells.answers(source, options, table, classes, items, _cell)
    if other:
        notes.append(f"arrays not read: {listing(other)}")
    return Reading(
        {"label": answers},
        Report(str(source.path), NAME, recognise(source)[1], len(table), notes=tuple(notes)),
    )


def _choose(source: Source, names: Sequence[str], given: str | None) -> str:
    tables = [name for name in names if name not in (*_CLASSES, *_ITEMS)]
    usual = [name for name in _TABLE if name in tables]
    if given is not None and given not in names:
        raise source.error(f"there is no array {quoted(given)}", f"the arrays are {listing(names, 20)}")
    if given is None and not usual and len(tables) != 1:
        raise source.error(
            f"none of the arrays {listing(names, 20)} is known to hold votes",
            "name it with label= (--label), or call it 'counts' or 'probabilities'",
        )
    return given or [*usual, *tables][0]


def _names(beside: dict[str, NDArray[Any]], usual: Sequence[str]) -> list[str] | None:
    return next(([str(name) for name in beside[key].ravel().tolist()] for key in usual if key in beside), None)


def _usual(source: Source, count: int) -> Sequence[str]:
    of_cifar = count == len(CIFAR10) and "cifar10h" in source.path.name.lower()
    return CIFAR10 if of_cifar else [str(place) for place in range(count)]


def _cell(row: int, column: int | None) -> str:
    return f"row {row}" if column is None else f"row {row}, column {column} (both from 0)"


def _unreadable(source: Source, error: Exception) -> VotewiseError:
    if "Object arrays" in str(error) or source.head.startswith(b"\x80"):
        return source.error(
            "it needs pickle, which can run any code and is refused", "save plain numbers: np.save(path, counts)"
        )
    reason = "it does not begin like one" if "pickle" in str(error) else str(error).partition("\n")[0]
    return source.error(f"cannot be read as a NumPy file ({reason})", "save it again with np.save: it may be cut off")
