"""The known numbers of the companion paper, from its abstract, its summary and its figure captions."""

from __future__ import annotations

from functools import cache

from votewise.papers.published import Published, quotes


@cache
def published() -> Published:
    """The known numbers of the companion paper.

    >>> published().quote("k-kl")
    '32 %'
    """
    return Published.of("votewise.papers.companion")


_cells, number = quotes(published)
