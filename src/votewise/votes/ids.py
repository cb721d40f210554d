"""Item ids: unique names, and the matching of predictions, labels, inputs and votes to items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from votewise.arrays import I64, Ids
from votewise.errors import VotewiseError
from votewise.wording import counted, listing


def repeated(names: Sequence[str]) -> list[str]:
    """The names that occur more than once, in order of their second appearance."""
    seen: set[str] = set()
    return list(dict.fromkeys(name for name in names if name in seen or seen.add(name)))  # type: ignore[func-returns-value]  # set.add returns None, which is false


def string_ids(ids: Any, count: int) -> Ids:
    """Ids as an array of unique strings [count]."""
    array = np.asarray(ids, dtype=np.dtypes.StringDType())
    if array.shape != (count,):
        raise VotewiseError(f"{counted(array.size, 'id')} for {counted(count, 'item')}", remedy="give one id per item")
    names = ids if isinstance(ids, list) else array.tolist()
    if len(set(map(str, names))) < count:
        raise VotewiseError(
            f"item ids repeat: {listing(repeated(array.tolist()))}", remedy="give each item a unique id"
        )
    return array


def locate_ids(ids: Sequence[str | None], known: Sequence[str] | Mapping[str, int]) -> I64:
    """The position of each id [n] in `known`; -1 for an unknown id.

    >>> locate_ids(["b", "x"], ["a", "b"]).tolist()
    [1, -1]
    """
    position: Mapping[Any, int] = (
        known if isinstance(known, Mapping) else {name: place for place, name in enumerate(known)}
    )
    return np.array([position.get(name, -1) for name in ids], dtype=np.int64)


def match_ids(
    ids: Sequence[str],
    known: Sequence[str] | Mapping[str, int],
    *,
    thing: str,
    remedy: str = "check that both name the same items",
    where: object = None,
    exact: bool = False,
) -> I64:
    """The position of each id in `known`. All ids must be known.

    Args:
        ids: ids of n items.
        known: ids of the entries to match; or id -> position, if an entry has several ids.
        thing: what an entry of `known` is called in errors, in the singular, for example `prediction`.
        remedy: what to do if an item has no entry, for errors.
        where: the file that `known` comes from, for errors.
        exact: whether each entry must match exactly one of `ids`.

    Returns:
        [n] positions.

    Raises:
        VotewiseError: If an id in `known` repeats, if an id is unknown, or if `exact` is set and the match is not exact.

    Example:
        >>> match_ids(["b", "a"], ["a", "b", "c"], thing="label").tolist()
        [1, 0]
        >>> match_ids(["b", "x"], ["a", "b"], thing="label")
        Traceback (most recent call last):
        votewise.errors.VotewiseError: no label for 1 of 2 items: 'x'; check that both name the same items
    """
    if not isinstance(known, Mapping) and (again := repeated(known)):
        raise VotewiseError(f"several {thing}s for one item: {listing(again)}", where=where, remedy="keep one per item")
    place = locate_ids(ids, known)
    absent = [ids[position] for position in np.flatnonzero(place < 0).tolist()]
    used = np.bincount(place[place >= 0], minlength=len(set(known.values()) if isinstance(known, Mapping) else known))
    others = _names(known, np.flatnonzero(used == 0)) if exact and (used == 0).any() else []
    if absent:
        also = f", and {counted(len(others), thing)} for other items: {listing(others)}" if others else ""
        what = f"no {thing} for {len(absent)} of {counted(len(ids), 'item')}: {listing(absent)}{also}"
        raise VotewiseError(what, where=where, remedy=remedy)
    if exact and (used > 1).any():
        same = [ids[position] for position in np.flatnonzero(place == used.argmax()).tolist()]
        what = f"several items for one {thing}: {listing(same)}"
        raise VotewiseError(what, where=where, remedy="use one id for each item")
    if others:
        what = f"{counted(len(others), thing)} for items that have no votes: {listing(others)}"
        raise VotewiseError(what, where=where, remedy="leave them out, or add votes on them")
    return place


def _names(known: Sequence[str] | Mapping[str, int], positions: I64) -> list[str]:
    """The entries at some positions, each named by its last id."""
    pairs = known.items() if isinstance(known, Mapping) else zip(known, range(len(known)), strict=True)
    names = {position: name for name, position in pairs}
    return sorted(names[position] for position in positions.tolist())
