"""Choose one of several candidates by their differences from a reference at the best and at the last epoch: one rule for methods and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Difference(NamedTuple):
    """The soft NLL of a candidate minus that of the reference at one epoch, and whether that is significant."""

    size: float
    significant: bool

    @property
    def kind(self) -> str:
        """Whether the candidate is "better", "worse" or "similar"."""
        return "similar" if not self.significant else "better" if self.size < 0 else "worse"


def weigh(reference: str, others: Mapping[str, Sequence[Difference]]) -> str:
    """The candidate to use, given the differences of each from the reference at the best and at the last epoch.

    Candidates that are never significantly worse come first, then the lowest sum of significant differences. A candidate without a significant difference does
    not replace the reference, which counts as worse if another candidate is significantly better at one of the epochs.

    >>> safe, early = [Difference(0.0, False), Difference(-0.3, True)], [Difference(-0.1, True), Difference(0.4, True)]
    >>> weigh("soft", {"sls": early, "multipass": safe}), weigh("soft", {"sls": early})
    ('multipass', 'soft')
    """
    kinds = {name: {difference.kind for difference in some} for name, some in others.items()}
    ranks = {reference: (any("better" in found for found in kinds.values()), 0.0)}
    for name, some in others.items():
        if kinds[name] & {"better", "worse"}:
            total = sum(difference.size for difference in some if difference.significant)
            ranks[name] = ("worse" in kinds[name], total)
    return min(ranks, key=ranks.__getitem__)
