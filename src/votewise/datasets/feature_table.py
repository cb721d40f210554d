"""Features in a table with one row per item: a CSV, TSV or Parquet file, or a pandas or polars frame. A frame may also have texts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from votewise.datasets.texts import as_texts
from votewise.errors import VotewiseError
from votewise.votes import (
    INDEX,
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
from votewise.wording import counted, listing, quoted

_SUFFIXES = (".csv", ".tsv", ".parquet", ".pq")
_NAME_IDS = "name the column of ids 'item', and remove columns that are not features"
_TEXTS = ("text", "sentence")  # columns with these names are item ids in a table of votes, but inputs here


class TableInputs(NamedTuple):
    """The inputs in a table.

    Attributes:
        inputs: features [N, D], or texts [N, 1 or 2].
        ids: ids of the rows [N], None if there are none.
        features: names of the features.
    """

    inputs: NDArray[Any]
    ids: NDArray[Any] | None
    features: tuple[str, ...] = ()


def is_feature_table(inputs: object) -> bool:
    """Whether the inputs are a frame or the path of a table."""
    return is_frame(inputs) or (isinstance(inputs, str | os.PathLike) and os.fspath(inputs).lower().endswith(_SUFFIXES))


def read_features(inputs: Any, item: str | None = None, votes: Votes | Distributions | None = None) -> TableInputs:
    """The features in a table, and the ids of its rows. A column with the numbers of the rows is left out.

    Args:
        inputs: a frame or the path of a table.
        item: the column of ids. Default: the column with a usual name; otherwise the index of a frame; otherwise the
            column that contains the ids of the votes.
        votes: the votes that the ids belong to.

    Raises:
        VotewiseError: a column has labels or something other than numbers, or a cell is blank.
    """
    table: Frame | SourceFile = Frame(inputs) if is_frame(inputs) else SourceFile(inputs)
    table.refuse_repeated_columns()
    usual = _usual(table, item)
    ids = _matching(table, usual, votes)
    words = [] if votes is None or votes.items is None else _words(table)
    if ids is None and words:
        which = f"{listing(words)} {'holds' if len(words) == 1 else 'hold'} neither numbers nor ids of the votes"
        raise table.error(which, _NAME_IDS)
    names = [name for name in table.columns if name not in (ids, usual) and not column_roles.numbers_rows(name)]
    frame = table.load([*names, *([] if ids is None else [ids])])
    features = table.matrix(frame, names, "give a number in every cell, and remove columns that are not features")
    if known := [name for name in names if column_roles.about_votes(name)]:
        remedy = "leave it out of the inputs, or rename it if it is a feature"
        raise table.error(f"column {quoted(known[0])} seems to be about the votes, not a feature", remedy)
    return TableInputs(features, None if ids is None else _ids(table, frame[ids]), tuple(names))


def _usual(table: Frame | SourceFile, item: str | None) -> str | None:
    """The column `item` of the votes if the table has it, otherwise the column of ids with a usual name, if any."""
    return column_roles.find_item(table, {"item": item if item in table.columns else None})


def _words(table: Frame | SourceFile) -> list[str]:
    """The columns that do not hold numbers."""
    return [name for name in table.columns if not mostly_numbers(table.sample.get(name, []))]


def _matching(
    table: Frame | SourceFile, usual: str | None, votes: Votes | Distributions | None, texts: Sequence[str] = ()
) -> str | None:
    """The column of ids: `usual`, or, if that is None or an index without the ids of the votes, the column that has them.

    This is a column of words of which more than half are ids of the votes, or a numeric column of a frame with a name like
    `review_id` and one such id per row. `texts` are columns that are not ids.

    Raises:
        VotewiseError: several columns have ids of the votes, or only the index of a frame could have them but does not.
    """
    if usual not in (None, INDEX) or votes is None or votes.items is None:
        return usual
    known = set(votes.items.tolist())

    def values(name: str) -> list[str]:
        return list(codes(table.load([name])[name], missing=True)[1])

    def share(name: str) -> float:
        found = values(name)
        return len(known.intersection(found)) / max(1, min(len(known), len(found)))

    if usual is not None and share(usual) == 1:
        return usual
    words = [name for name in _words(table) if name not in (usual, *texts)]
    found = [name for name in words if share(name) > 0.5]
    if not found and isinstance(table, Frame):
        ids = [name for name in table.columns if column_roles.normal(name).endswith("id") and name not in words]
        found = [name for name in ids if share(name) == 1 and table.load([name])[name].is_unique().all()]
    if len(found) > 1:
        raise table.error(f"{listing(found)} could each be the item ids", _NAME_IDS)
    if usual is not None and not found and isinstance(table, Frame):
        index = values(usual)
        absent = [name for name in index if name not in known]
        raise table.error(
            f"no vote for {len(absent)} of {counted(len(index), 'item')} in its index: {listing(absent)}",
            "name the column of ids 'item' or make it the index, and leave the inputs without votes out",
        )
    return found[0] if found else usual


def _read_texts(inputs: Any, item: str | None, votes: Votes | Distributions | None) -> TableInputs | None:
    """The texts in a frame and the ids of its rows; None if a column is neither text nor ids."""
    table = Frame(inputs)
    usual = _usual(table, item)
    if usual is not None and (len(table.columns) == 1 or column_roles.normal(usual) in _TEXTS):
        usual = INDEX if INDEX in table.columns else None
    others = [name for name in table.columns if name != usual]
    ids = _matching(table, usual, votes, others if len(others) == 1 else column_roles.texts(others))
    names = [name for name in table.columns if name not in (ids, usual)]
    if len(names) not in (1, 2) or not all(map(table.holds_text, names)):
        return None
    texts = as_texts(table.load(names), table.name)
    return TableInputs(texts, None if ids is None else _ids(table, table.load([ids])[ids]))


def _ids(table: Frame | SourceFile, column: Any) -> NDArray[Any]:
    return np.array(column_roles.item_ids(table, column), dtype=object)


def inputs_in_frame(
    frame: Any, votes: Votes | Distributions, *, item: str | None = None, matched: bool = False
) -> TableInputs:
    """The features or texts of a frame, and the ids to match votes by, in the column `item` if it has one.

    Args:
        frame: the frame.
        votes: the votes on its rows.
        item: the column of ids, see `read_features`.
        matched: whether the ids are given elsewhere.

    Raises:
        VotewiseError: the frame has no ids but the votes have, so that rows cannot be matched.
    """
    to_match = None if matched else votes
    table = _read_texts(frame, item, to_match) or read_features(frame, item, to_match)
    if not matched and table.ids is None and votes.items is not None:
        raise VotewiseError(
            "the frame of inputs has no item ids, so its rows may be in any order",
            remedy="give the ids of its rows with items=, or add a column 'item'",
        )
    return table


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
