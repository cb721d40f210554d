"""The numbers of the companion that were seen: its abstract, its summary and its figure captions."""

from __future__ import annotations

from functools import cache

from votewise.papers.published import Published, quotes


@cache
def published() -> Published:
    """The numbers of the companion that were seen.

    >>> published().quote("k-kl")
    '32 %'
    """
    return Published.of("votewise.papers.companion")


_cells, number = quotes(published)
