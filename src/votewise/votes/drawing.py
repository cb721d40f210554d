"""Drawing labels from votes and distributions, and ordering and sub-sampling the votes of each item, for all items at once.

A label of an item is drawn with 32 random bits: it is one of its votes, or found by integer thresholds of its distribution.
Both are inverse-CDF sampling: the m votes of an item are sorted by class, so for a uniform u the vote at floor(u m) has the class
whose interval of the CDF contains u. Both give the same label for the same bits. No floating-point number is compared when a label is
drawn, so that NumPy, torch and JAX cannot disagree: `from_votes` and `from_distribution` use only `xp.below` of a counter and indexing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.arrays import F64, I64
from votewise.counter import Tables
from votewise.limits import MOST_OF_A_CELL, require_votes, whole_number

T = TypeVar("T", bound=np.generic)
Draw = Callable[
    [Any, Tables, Any, Any], Any
]  # (xp, tables, items [n], random bits [n]) -> labels [n], where xp is the counter of a framework

# Tolerance for the rounding error of a cumulative sum. A multiple of 1/m that is not an integer is at least 1/m from the next
# integer, so votes and probabilities give the same thresholds for up to 1,000 votes and 1,000 classes.
_SLACK = 2.0**-10


def from_votes(xp: Any, tables: Tables, index: Any, bits: Any) -> Any:
    """The vote at floor(u m) of each item: tables `start`, `size` [N], `label` [V]."""
    return tables["label"][tables["start"][index] + xp.below(bits, tables["size"][index])]


def thresholds(probability: F64) -> Tables:
    """Tables for `from_distribution` from rows [N, C]: class k is drawn when edge[k-1] < bits <= edge[k].

    edge    [N (C-1)] ceil(cdf 2**32) - 1 of each item in turn
    before  [N] where the edges of an item start, minus one
    first   [N] the first class with any mass, which an unsigned edge cannot represent
    """
    edge = np.cumsum(probability, axis=1)[:, :-1]
    edge *= 2.0**32
    edge -= _SLACK
    np.ceil(edge, out=edge)
    np.minimum(edge, 2.0**32, out=edge)
    first = (edge <= 0).sum(axis=1)
    edge -= 1
    np.maximum(edge, 0, out=edge)  # edges before `first` are never read
    before = np.arange(len(edge)) * edge.shape[1] - 1
    return {"edge": edge.astype(np.uint32).ravel(), "before": before, "first": first}


def from_distribution(xp: Any, tables: Tables, index: Any, bits: Any) -> Any:
    """The class whose cell of [0, 2**32) holds the bits, by a binary search that starts at `first`."""
    edge, before, label = tables["edge"], tables["before"][index], tables["first"][index]
    last = edge.shape[0] // max(tables["first"].shape[0], 1)  # C - 1
    step = 1 << last.bit_length()
    while step := step >> 1:
        further = label + step
        inside = further <= last
        beyond = edge[before + further * inside] < bits  # out of range, an edge is read but not used
        label = label + step * (inside & beyond)
    return label


def shuffle(values: NDArray[T], indptr: I64, row: I64, key: int, first: int | None = None) -> NDArray[T]:
    """A copy of `values` [V] with the votes of each item in a uniform order: Fisher and Yates, one pass per position.

    The order of an item depends on `key` (a stream of `votewise.counter`), its `row` and its number of votes. With `first`, only the
    first positions of each item are shuffled. A position is the same for every `first`, so that sub-samples are nested.
    """
    values = values.copy()
    size = np.diff(indptr)
    longest_first = np.argsort(-size, kind="stable")
    start, size, row = indptr[:-1][longest_first], size[longest_first], row[longest_first]
    passes = int(size[0]) - 1 if len(size) else 0
    for place in range(passes if first is None else min(first, passes)):
        live = int(np.searchsorted(-size, -place - 1))  # items that have a vote after this position
        here = start[:live] + place
        there = here + counter.below(counter.draw(key, place, row[:live]), size[:live] - place)
        values[here], values[there] = values[there], values[here]
    return values


def at_least_one(k: int) -> None:
    """Raise unless `k` is a possible number of votes per item."""
    whole_number("k", k, 1, MOST_OF_A_CELL, "no item has more votes")


def first_votes(indptr: I64, row: I64, k: int, seed: int) -> tuple[I64, I64]:
    """Positions [V'] of at most `k` votes of each item, the first ones in a shuffled order; and their number for each item [N].

    Multipass shuffles with another stream, because the order in which votes are delivered must be independent of the draws
    that chose them here.
    """
    at_least_one(k)
    place = shuffle(np.arange(indptr[-1]), indptr, row, counter.key("subsample", seed), first=k)
    size = np.minimum(np.diff(indptr), k)
    return place[spans(indptr[:-1], size)], size


def multinomial(draw: Draw, tables: dict[str, Any], row: I64, k: int, seed: int) -> NDArray[Any]:
    """`k` independent labels [n, k] for each item, drawn with replacement by `draw`.

    Each k has its own stream: the draws for two values of k are independent, not nested.
    """
    at_least_one(k)
    require_votes(float(k) * len(row), remedy="draw fewer votes per item")
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
