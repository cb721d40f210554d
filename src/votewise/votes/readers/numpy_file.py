"""NumPy files: counts or probabilities [N, C] in `.npy` or `.npz`, for example CIFAR-10H's `cifar10h-counts.npy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from votewise.packed import ArrayFile
from votewise.votes.readers.shared import ReadOptions, ReadReport, SourceFile, VotesFile, count_matrix
from votewise.wording import counted, listing, quoted

CIFAR10_CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")

# Usual names of the array in an .npz, in order of preference: votes before values that are computed from them.
_TABLE = ("counts", "votes", "label_counts", "probabilities", "probs", "distributions", "soft_labels")
# Usual names of the arrays with the names of the columns and of the rows, also in files of predictions and inputs.
CLASS_ARRAYS = ("classes", "class_names")
ITEM_ARRAYS = ("items", "item_ids", "ids", "uids")


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """The first bytes of a NumPy file, or its suffix."""
    return (0.85, "a NumPy file") if source.kind == "array" else None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """Row i is item i. In an .npz the array is the one named by `label`, the first of the usual names, or the only one.

    The class names are the given ones; otherwise those in an array `classes`, the names of CIFAR-10 for CIFAR-10H, or "0" to "C-1".
    """
    arrays = ArrayFile(source.path, copies=4)
    name = "" if "" in arrays else _choose(source, list(arrays), options.get("label"))
    table = arrays[name]
    other = [key for key in arrays if key not in (name, *CLASS_ARRAYS, *ITEM_ARRAYS)]
    if table.ndim != 2 or table.dtype.kind not in "iufb":
        raise source.error(
            f"array {quoted(name or source.path.name)} has shape {table.shape} and type {table.dtype}",
            "give numbers, one row per item and one column per class",
        )
    classes = options.get("classes") or _names(arrays, CLASS_ARRAYS) or _usual(source, table.shape[1])
    items = _names(arrays, ITEM_ARRAYS)
    for names, count, thing in ((classes, table.shape[1], "class"), (items, len(table), "item")):
        if names is not None and len(names) != count:
            raise source.error(f"{counted(len(names), thing)} for shape {table.shape}", f"name {counted(count, thing)}")
    answers, notes, doubts = count_matrix.answers(source, options, table, classes, items, _cell)
    if other:
        notes.append(f"arrays not read: {listing(other)}")
    return VotesFile({"label": answers}, ReadReport(rows=len(table), notes=tuple(notes), doubts=tuple(doubts)))


def _choose(source: SourceFile, names: Sequence[str], given: str | None) -> str:
    tables = [name for name in names if name not in (*CLASS_ARRAYS, *ITEM_ARRAYS)]
    usual = [name for name in _TABLE if name in tables]
    if given is not None and given not in names:
        raise source.error(f"unknown array {quoted(given)}", f"the arrays are {listing(names, 20)}")
    if given is None and not usual and len(tables) != 1:
        raise source.error(
            f"none of the arrays {listing(names, 20)} is recognised as votes",
            "name it with label= (--label), or rename it to 'counts' or 'probabilities'",
        )
    return given or [*usual, *tables][0]


def _names(arrays: Mapping[str, NDArray[Any]], usual: Sequence[str]) -> list[str] | None:
    return next(([str(name) for name in arrays[key].ravel().tolist()] for key in usual if key in arrays), None)


def _usual(source: SourceFile, count: int) -> Sequence[str]:
    of_cifar = count == len(CIFAR10_CLASSES) and "cifar10h" in source.path.name.lower()
    return CIFAR10_CLASSES if of_cifar else [str(place) for place in range(count)]


def _cell(row: int, column: int | None) -> str:
    return f"row {row}" if column is None else f"row {row}, column {column} (both from 0)"
