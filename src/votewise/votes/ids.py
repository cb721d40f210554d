"""The one matcher of ids: which prediction, label, input or vote belongs to which item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes.answers import repeated
from votewise.wording import counted, listing

I64 = NDArray[np.int64]


def locate_ids(wanted: Sequence[str], known: Sequence[str]) -> I64:
    """Position among `known` of each wanted id [n], -1 for an id that is not there.

    >>> locate_ids(["b", "x"], ["a", "b"]).tolist()
    [1, -1]
    """
    position = {name: place for place, name in enumerate(known)}
    return np.array([position.get(name, -1) for name in wanted], dtype=np.int64)


def match_ids(
    wanted: Sequence[str],
    known: Sequence[str],
    *,
    thing: str,
    remedy: str = "check that both name the same items",
    where: object = None,
    exact: bool = False,
) -> I64:
    """Position among `known` of each wanted id, every one of which has to be there.

    Args:
        wanted: ids of n items.
        known: ids of the things that belong to items.
        thing: what `known` names, in the singular, for errors: for example `prediction`.
        remedy: what to do if an item has no such thing, for errors.
        where: the file of the things, for errors.
        exact: whether each known id has to be wanted, too.

    Returns:
        [n] positions.

    Raises:
        VotewiseError: If a known id repeats, if a wanted id is not known, or, with `exact`, if a known id is not wanted.

    Example:
        >>> match_ids(["b", "a"], ["a", "b", "c"], thing="label").tolist()
        [1, 0]
        >>> match_ids(["b", "x"], ["a", "b"], thing="label")
        Traceback (most recent call last):
        votewise.errors.VotewiseError: no label for 1 of 2 items: 'x'; check that both name the same items
    """
    if again := repeated(known):
        raise VotewiseError(f"several {thing}s for one item: {listing(again)}", where=where, remedy="keep one of each")
    place = locate_ids(wanted, known)
    absent = [name for name, position in zip(wanted, place.tolist(), strict=True) if position < 0]
    matches_all = len(known) == len(wanted) - len(absent)
    others = [] if matches_all or not exact else sorted(set(known).difference(wanted))
    if absent:
        also = f", and {counted(len(others), thing)} for other items: {listing(others)}" if others else ""
        raise VotewiseError(
            f"no {thing} for {len(absent)} of {counted(len(wanted), 'item')}: {listing(absent)}{also}",
            where=where,
            remedy=remedy,
        )
    if others:
        raise VotewiseError(
            f"{counted(len(others), thing)} for items that have no votes: {listing(others)}",
            where=where,
            remedy="leave them out, or give the votes on them",
        )
    return place
