"""Choose one of several candidates by their differences from a reference at the best and at the last epoch: one rule for methods and models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Difference(NamedTuple):
    """The soft NLL of a candidate minus that of the reference at one epoch.

    Attributes:
        size: the mean difference over seeds.
        significant: whether it is significant.
        few_seeds: whether all seeds agree on the sign, but are too few to be significant.
    """

    size: float
    significant: bool
    few_seeds: bool = False

    @property
    def kind(self) -> str:
        """Whether the candidate is "better", "worse" or "similar"."""
        return "similar" if not self.significant else "better" if self.size < 0 else "worse"


class Weighed(NamedTuple):
    """The candidate to use with early stopping, and the one to use without; they differ only if the two epochs contradict each other."""

    use: str
    without: str


def weigh(reference: str, others: Mapping[str, Sequence[Difference]]) -> Weighed:
    """The candidate to use, given the differences of each from the reference at the best and at the last epoch.

    Among the candidates that are never significantly worse than the reference, the one with the lowest sum of significant differences is
    chosen. The reference itself is a candidate only if no other is significantly better at some epoch. If every candidate is worse at some
    epoch, the best epoch decides what to use with early stopping, and the last epoch what to use without. A candidate without a significant
    difference is never chosen instead of the reference.

    >>> safe, early = [Difference(0.0, False), Difference(-0.3, True)], [Difference(-0.1, True), Difference(0.4, True)]
    >>> weigh("soft", {"sls": early, "multipass": safe})
    Weighed(use='multipass', without='multipass')
    >>> weigh("soft", {"sls": early})
    Weighed(use='sls', without='soft')
    """
    kinds = {name: {difference.kind for difference in some} for name, some in others.items()}
    sizes = {name: [each.size if each.significant else 0.0 for each in some] for name, some in others.items()}
    sizes = {reference: [0.0, 0.0]} | {name: found for name, found in sizes.items() if any(found)}
    safe = [name for name in sizes if "worse" not in kinds.get(name, ())]
    if any("better" in found for found in kinds.values()):
        safe.remove(reference)
    if safe:
        best = min(safe, key=lambda name: sum(sizes[name]))
        return Weighed(best, best)
    return Weighed(min(sizes, key=sizes.__getitem__), min(sizes, key=lambda name: sizes[name][-1]))
