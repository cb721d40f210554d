"""Features in a table, one row per item: a CSV, TSV or Parquet file, or a pandas or polars frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes import Distributions, Frame, SourceFile, Votes, codes, column_roles, is_frame, match_ids, repeated
from votewise.wording import counted, listing

_SUFFIXES = (".csv", ".tsv", ".parquet", ".pq")


def is_feature_table(inputs: object) -> bool:
    """Whether inputs are a frame, or the path of a table."""
    return is_frame(inputs) or (isinstance(inputs, str | os.PathLike) and os.fspath(inputs).lower().endswith(_SUFFIXES))


def read_features(inputs: Any, item: str | None = None) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """The features [N, D] in a table and the ids of its rows [N], None if it has none.

    Args:
        inputs: a frame or the path of a table.
        item: the column of ids. Default: found by its usual names, else the index of a frame.

    Raises:
        VotewiseError: a column holds something other than numbers, or a cell is blank.
    """
    table: Frame | SourceFile = Frame(inputs) if is_frame(inputs) else SourceFile(inputs)
    table.refuse_repeated_columns()
    ids = column_roles.find_item(table, {"item": item if item in table.columns else None})
    names = [name for name in table.columns if name != ids]
    frame = table.load([*names, *([] if ids is None else [ids])])
    features = table.matrix(frame, names, "give a number in every cell, and leave columns out that are not features")
    if ids is None:
        return features, None
    code, known = codes(frame[ids], missing=True)
    table.refuse(code < 0, lambda _: " has no item")
    return features, np.array([known[place] for place in code.tolist()], dtype=object)


def features_in_frame(
    frame: Any, votes: Votes | Distributions, items: Sequence[object] | NDArray[Any] | None
) -> tuple[NDArray[np.float64], Sequence[object] | NDArray[Any] | None]:
    """The features of a frame, and the ids to match votes by: those given, else its own.

    Raises:
        VotewiseError: the frame has no ids and the votes have, so that rows may belong to any item.
    """
    features, ids = read_features(frame)
    if items is None and ids is None and votes.items is not None:
        raise VotewiseError(
            "no column or index of the frame of inputs names the items, and its rows may be in any order",
            remedy="give the ids of its rows as items=, or as a column 'item'",
        )
    return features, ids if items is None else items


def votes_on(items: Any, count: int, votes: Votes | Distributions) -> Votes | Distributions:
    """The votes on these items [N], in their order, each of which has to have some."""
    code, known = codes(items)
    names = [known[place] for place in code.tolist()]
    if len(names) != count:
        raise VotewiseError(
            f"items= has {counted(len(names), 'id')} for {counted(count, 'input')}", remedy="give one for each"
        )
    if again := repeated(names):
        raise VotewiseError(f"items= names {listing(again)} twice", remedy="give each input its own id")
    if votes.items is None:
        raise VotewiseError(
            "the votes have no item ids to match items= by", remedy="read the votes with their item ids"
        )
    remedy = "leave the inputs without votes out, or check that both name the same items"
    return votes.select(match_ids(names, votes.items.tolist(), thing="vote", remedy=remedy))
