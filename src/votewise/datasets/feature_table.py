"""Features in a table with one row per item: a CSV, TSV or Parquet file, or a pandas or polars frame. A frame may also have texts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.datasets.texts import as_texts
from votewise.errors import VotewiseError
from votewise.votes import (
    Distributions,
    Frame,
    SourceFile,
    Votes,
    codes,
    column_roles,
    is_frame,
    match_ids,
    mostly_numbers,
    repeated,
)
from votewise.wording import counted, listing

_SUFFIXES = (".csv", ".tsv", ".parquet", ".pq")
_TEXTS = ("text", "sentence")  # columns with these names are item ids in a table of votes, but inputs here


def is_feature_table(inputs: object) -> bool:
    """Whether the inputs are a frame or the path of a table."""
    return is_frame(inputs) or (isinstance(inputs, str | os.PathLike) and os.fspath(inputs).lower().endswith(_SUFFIXES))


def read_features(
    inputs: Any, item: str | None = None, votes: Votes | Distributions | None = None
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """The features [N, D] in a table and the ids of its rows [N], None if it has none.

    Args:
        inputs: a frame or the path of a table.
        item: the column of ids. Default: the column with a usual name; otherwise the index of a frame; otherwise the non-numeric
            column that contains the ids of the votes.
        votes: the votes that the ids belong to.

    Raises:
        VotewiseError: a column holds something other than numbers, or a cell is blank.
    """
    table: Frame | SourceFile = Frame(inputs) if is_frame(inputs) else SourceFile(inputs)
    table.refuse_repeated_columns()
    ids = column_roles.find_item(table, {"item": item if item in table.columns else None})
    if ids is None and votes is not None:
        ids = _matching(table, votes)
    names = [name for name in table.columns if name != ids]
    frame = table.load([*names, *([] if ids is None else [ids])])
    features = table.matrix(frame, names, "give a number in every cell, and remove columns that are not features")
    return features, None if ids is None else _ids(table, frame[ids])


def _matching(table: Frame | SourceFile, votes: Votes | Distributions) -> str | None:
    """The non-numeric column whose values are ids of the votes; None if all columns are numeric."""
    words = [name for name in table.columns if not mostly_numbers(table.sample.get(name, []))]
    if not words or votes.items is None:
        return None
    known, frame = set(votes.items.tolist()), table.load(words)
    values = {name: set(codes(frame[name], missing=True)[1]) for name in words}
    found = [name for name in words if 2 * len(known & values[name]) > min(len(known), len(values[name]))]
    if len(found) == 1:
        return found[0]
    which = (
        f"{listing(found)} could each be the item ids"
        if found
        else f"{listing(words)} {'holds' if len(words) == 1 else 'hold'} neither numbers nor ids of the votes"
    )
    raise table.error(which, "name the column of ids 'item', and remove columns that are not features")


def _read_texts(inputs: Any) -> tuple[NDArray[Any], NDArray[Any] | None] | None:
    """The texts [N, 1 or 2] in a frame and the ids of its rows [N]; None if a column is neither text nor ids."""
    table = Frame(inputs)
    ids = column_roles.find_item(table, {})
    if ids is not None and (len(table.columns) == 1 or column_roles.normal(ids) in _TEXTS):
        ids = "" if "" in table.columns else None
    names = [name for name in table.columns if name != ids]
    if len(names) not in (1, 2) or not all(map(table.holds_text, names)):
        return None
    texts = as_texts(table.load(names), table.name)
    return texts, None if ids is None else _ids(table, table.load([ids])[ids])


def _ids(table: Frame | SourceFile, column: Any) -> NDArray[Any]:
    code, known = codes(column, missing=True)
    table.refuse(code < 0, lambda _: " has no item")
    return np.array([known[place] for place in code.tolist()], dtype=object)


def inputs_in_frame(
    frame: Any, votes: Votes | Distributions, items: Sequence[object] | NDArray[Any] | None
) -> tuple[NDArray[Any], Sequence[object] | NDArray[Any] | None]:
    """The features or texts of a frame, and the ids to match votes by: those given, or those of the frame.

    Raises:
        VotewiseError: the frame has no ids but the votes have, so that rows cannot be matched.
    """
    inputs, ids = _read_texts(frame) or read_features(frame, votes=votes if items is None else None)
    if items is None and ids is None and votes.items is not None:
        raise VotewiseError(
            "the frame of inputs has no item ids, so its rows may be in any order",
            remedy="give the ids of its rows with items=, or add a column 'item'",
        )
    return inputs, ids if items is None else items


def votes_on(items: Any, count: int, votes: Votes | Distributions) -> Votes | Distributions:
    """The votes on these items [N], in their order. Each item must have votes."""
    code, known = codes(items)
    names = [known[place] for place in code.tolist()]
    if len(names) != count:
        raise VotewiseError(
            f"items= has {counted(len(names), 'id')} for {counted(count, 'input')}", remedy="give one id per input"
        )
    if again := repeated(names):
        raise VotewiseError(f"items= contains {listing(again)} twice", remedy="give each input a unique id")
    if votes.items is None:
        raise VotewiseError("the votes have no item ids to match with items=", remedy="read the votes with item ids")
    remedy = "leave the inputs without votes out, or check that both name the same items"
    return votes.select(match_ids(names, votes.items.tolist(), thing="vote", remedy=remedy))
