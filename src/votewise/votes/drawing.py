"""One label of an item out of 32 random bits: by taking a vote, or by integer thresholds of a distribution.

Both are inverse-CDF sampling: votes are sorted by class inside an item, so the vote at floor(u m) is the class in which u
falls. They give the same label for the same bits, and no floating-point number is compared when a label is drawn, so that
NumPy, torch and JAX cannot disagree.

The functions are written against the two functions of a counter (`xp.below` here) and plain indexing, so they
run on any of the three.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.counter import Tables

Draw = Callable[[Any, Tables, Any, Any], Any]  # (counter, tables, items [n], random bits [n]) -> labels [n]

# Slack for the rounding of a cumulative sum. A fraction with m votes lies at least 1/m from the next integer, so votes
# and probabilities give the same thresholds for up to 1,000 votes and 1,000 classes.
_SLACK = 2.0**-10


def from_votes(xp: Any, tables: Tables, index: Any, bits: Any) -> Any:
    """The vote at floor(u m) of each item: tables `start`, `size` [N], `label` [V]."""
    return tables["label"][tables["start"][index] + xp.below(bits, tables["size"][index])]


def thresholds(probability: NDArray[np.float64]) -> Tables:
    """Tables for `from_distribution` out of rows [N, C]: class k is drawn when edge[k-1] < bits <= edge[k].

    edge    [N (C-1)] ceil(cdf 2**32) - 1 of each item in turn
    before  [N] where the edges of an item start, less one
    first   [N] the first class with any mass, which an unsigned edge cannot say
    """
    edge = np.cumsum(probability, axis=1)[:, :-1]
    edge *= 2.0**32
    edge -= _SLACK
    np.ceil(edge, out=edge)
    np.minimum(edge, 2.0**32, out=edge)
    first = (edge <= 0).sum(axis=1)
    edge -= 1
    np.maximum(edge, 0, out=edge)  # edges before `first` are never looked at
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
        beyond = edge[before + further * inside] < bits  # outside, an edge is read and not used
        label = label + step * (inside & beyond)
    return label
