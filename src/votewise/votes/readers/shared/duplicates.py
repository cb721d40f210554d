"""A second vote of one annotator on one item: an error, kept, or dropped unless it is the last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import Bool
from votewise.errors import VotewiseError
from votewise.read_options import Duplicates
from votewise.votes.coding import pack
from votewise.wording import counted, quoted

EARLIER = "an earlier vote of the same annotator on the same item"


def settle_duplicates(
    item: NDArray[Any],
    annotator: NDArray[Any] | None,
    policy: Duplicates | None,
    describe: Callable[[int], tuple[str | None, str, str]],
) -> tuple[Bool | None, int]:
    """Apply the policy to the votes of known annotators.

    Args:
        item: code of the item of each vote [V].
        annotator: code of its annotator [V], -1 if unknown.
        policy: what to do with second votes; None is 'error'.
        describe: row -> its place in the file (None if unknown), its annotator and its item, for the error.

    Returns:
        The rows to keep [V], None for all; and how many votes repeat an earlier one.

    Raises:
        VotewiseError: there is a second vote, and the policy is 'error'.
    """
    import polars as pl

    if annotator is None or not len(annotator):
        return None, 0
    known = annotator >= 0
    key = pack([item, annotator + 1], [int(item.max()) + 1, int(annotator.max()) + 2])
    pairs = np.sort(key[known])
    same = pairs[1:] == pairs[:-1]
    count = int(np.count_nonzero(same))
    if not count or policy == "keep":
        return None, count
    if policy == "last":
        return pl.Series(key).is_last_distinct().to_numpy() | ~known, count
    place, who, what = describe(int(np.flatnonzero(key == pairs[same.argmax()])[-1]))
    raise VotewiseError(
        f"{place + ': ' if place else ''}annotator {quoted(who)} votes on item {quoted(what)} again ({counted(count, 'such vote')} in all)",
        remedy="use duplicates='last' or 'keep' (--duplicates last)",
    )


def kept_note(count: int, question: str | None = None) -> str:
    """What to note about second votes that were kept."""
    where = "" if question is None else f" in {quoted(question)}"
    return f"second votes of an annotator on an item{where}: {count:,}, all kept"
