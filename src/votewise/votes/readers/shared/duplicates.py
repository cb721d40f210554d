"""Second votes of an annotator on an item: raise an error, keep all votes, or keep one of them."""

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

_WHICH = {"first": "a later", "last": "an earlier", "majority": "another"}


def settle_duplicates(
    item: NDArray[Any],
    annotator: NDArray[Any] | None,
    policy: Duplicates | None,
    describe: Callable[[int], tuple[str | None, str, str]],
    *,
    label: NDArray[Any] | None = None,
    time: NDArray[Any] | None = None,
) -> tuple[Bool | None, int]:
    """Apply the policy to the votes of known annotators.

    Args:
        item: code of the item of each vote [V].
        annotator: code of its annotator [V], -1 if unknown.
        policy: what to do with second votes; None is 'error'. 'majority' keeps a vote for the label that the annotator chose
            most often; ties go to the last one chosen.
        describe: position of a vote -> its place in the file (None if unknown), its annotator and its item, for the error.
        label: code of its label [V], for 'majority' and the error.
        time: time of each vote [V]. Default: the given order, which also breaks ties.

    Returns:
        A mask [V] of the votes to keep, None for all; and the number of second votes.

    Raises:
        VotewiseError: there is a second vote, and the policy is 'error'.
    """
    if annotator is None or not len(annotator):
        return None, 0
    known = annotator >= 0
    key = pack([item, annotator + 1], [int(item.max()) + 1, int(annotator.max()) + 2])
    pairs = np.sort(key if known.all() else key[known])
    same = pairs[1:] == pairs[:-1]
    count = int(np.count_nonzero(same))
    if not count or policy == "keep":
        return None, count
    if policy in _WHICH:
        order = np.arange(len(key)) if time is None else np.argsort(time, kind="stable")
        kept = np.array(~known)
        kept[order[_chosen(key[order], policy, None if label is None else label[order])]] = True
        return kept, count
    place, who, what = describe(int(np.flatnonzero(key == pairs[same.argmax()])[-1]))
    alike = "" if label is None else f", {_repeats(key[known], label[known]):,} of them with the same label"
    raise VotewiseError(
        f"{place + ': ' if place else ''}annotator {quoted(who)} votes on item {quoted(what)} again ({counted(count, 'second vote')} in total{alike})",
        remedy="choose which vote counts with duplicates='last', 'first', 'majority' or 'keep' for all (--duplicates last)",
    )


def _repeats(key: NDArray[Any], label: NDArray[Any]) -> int:
    """The number of votes that an annotator cast on an item before."""
    import polars as pl

    return len(key) - pl.DataFrame({"key": key, "label": label}).n_unique()


def _chosen(key: NDArray[Any], policy: str, label: NDArray[Any] | None) -> NDArray[Any]:
    """The position of the vote to keep for each annotator and item (`key`), among votes [V] in the order of time."""
    import polars as pl

    votes = pl.DataFrame({"key": key, "label": np.zeros(len(key), np.int8) if label is None else label}).with_row_index(
        "at"
    )
    if policy == "majority":
        votes = votes.with_columns(count=pl.len().over("key", "label")).sort("count", "at")
    one = votes["key"].is_first_distinct() if policy == "first" else votes["key"].is_last_distinct()
    return votes["at"].filter(one).to_numpy()


def dropped_as(policy: Duplicates | None) -> str:
    """The reason in reports for votes that a policy drops."""
    return f"{_WHICH[policy or 'last']} vote of the same annotator on the same item"


def kept_note(count: int, question: str | None = None) -> str:
    """A note on second votes that were kept."""
    where = "" if question is None else f" in {quoted(question)}"
    return f"second votes of an annotator on an item{where}: {count:,}, all kept"
