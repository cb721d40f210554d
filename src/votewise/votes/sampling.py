"""Orders and sub-samples of the votes of each item, all items at once."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.arrays import I64
from votewise.errors import VotewiseError
from votewise.votes.drawing import Draw

T = TypeVar("T", bound=np.generic)


def shuffle(values: NDArray[T], indptr: I64, row: I64, key: int, first: int | None = None) -> NDArray[T]:
    """A copy of `values` [V] with the votes of each item in a uniform order: Fisher and Yates, one pass per position.

    The order of an item depends on `key` (a stream of `votewise.counter`), its `row` and its number of votes. With `first`, only
    that many places of each item are settled: they are the same for every `first`, which is what makes sub-samples nested.
    """
    values = values.copy()
    size = np.diff(indptr)
    longest_first = np.argsort(-size, kind="stable")
    start, size, row = indptr[:-1][longest_first], size[longest_first], row[longest_first]
    passes = int(size[0]) - 1 if len(size) else 0
    for place in range(passes if first is None else min(first, passes)):
        live = int(np.searchsorted(-size, -place - 1))  # items that have a vote after this place
        here = start[:live] + place
        there = here + counter.below(counter.draw(key, place, row[:live]), size[:live] - place)
        values[here], values[there] = values[there], values[here]
    return values


def at_least_one(k: int) -> None:
    """Refuse to take no votes of an item."""
    if k < 1:
        raise VotewiseError(f"{k} votes per item asked for", remedy="ask for at least 1")


def first_votes(indptr: I64, row: I64, k: int, seed: int) -> tuple[I64, I64]:
    """Places [V'] of at most `k` votes of each item, and their indptr [N+1]: a prefix of a shuffled order.

    The stream is not the one that multipass shuffles with: the order in which the chosen votes are then delivered has to be
    independent of the draws that chose them.
    """
    at_least_one(k)
    place = shuffle(np.arange(indptr[-1]), indptr, row, counter.key("subsample", seed), first=k)
    size = np.minimum(np.diff(indptr), k)
    kept = np.concatenate(([0], np.cumsum(size)))
    return place[spans(indptr[:-1], size)], kept


def multinomial(draw: Draw, tables: dict[str, Any], row: I64, k: int, seed: int) -> NDArray[Any]:
    """`k` independent labels [n, k] for each item, drawn with replacement by `draw` (see `votewise.votes.drawing`).

    Each k has a stream of its own: the draws for two values of k are independent, not nested.
    """
    at_least_one(k)
    key = counter.key(f"multinomial-{k}", seed)
    everyone = np.arange(len(row))
    return np.stack(
        [draw(counter.on_numpy, tables, everyone, counter.draw(key, place, row)) for place in range(k)], axis=1
    )


def spans(start: I64, size: I64) -> I64:
    """The concatenated ranges start[i] ... start[i] + size[i] - 1."""
    total = np.cumsum(size)
    offset = np.repeat(start - (total - size), size)
    return offset + np.arange(len(offset))
