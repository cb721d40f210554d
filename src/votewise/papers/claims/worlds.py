"""Simulated studies: how often a claim would be reproduced with the available seeds if the paper is right.

A world has one value per run, drawn from a distribution with the published mean and SD: log-normal, or normal if the SD is more than 0.4 of the mean. Half of the variance
belongs to the seed, which all methods share, and half to the run, so that the values of two methods with one seed have a correlation of 0.5 (`CORRELATION`). Different quantities vary
independently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from votewise import counter
from votewise.papers.claims.values import F64, Values
from votewise.papers.claims.view import View
from votewise.studies import NeedsError

if TYPE_CHECKING:
    from votewise.papers.claims.claim import Claim
    from votewise.studies import Curve, Results

Printed = Callable[[str, int | None, str], tuple[float, float | None] | None]  # method, K, quantity -> mean, SD

CORRELATION = 0.5  # between the values of two methods with one seed
WORLDS = 400
LOG_NORMAL = 0.4  # largest SD, as a share of the mean, of a log-normal quantity


class UnprintedError(Exception):
    """Raised if the paper does not report the mean or the spread of a number."""


class Worlds(View):
    """A view of results with simulated values for the available seeds."""

    def __init__(self, results: Results, printed: Printed, *, worlds: int = WORLDS, draw: int = 0) -> None:
        super().__init__(results, "best")
        self.printed, self.worlds, self.draw = printed, worlds, draw
        self._known: dict[tuple[str, int | None, str], Values] = {}
        self._deviates: dict[tuple[object, ...], F64] = {}

    def at(self, checkpoint: str) -> View:
        """The same worlds, because the paper does not distinguish checkpoints."""
        return self

    def datasets(self) -> Iterator[tuple[str, View]]:
        """A single dataset, that of the paper."""
        yield "", self

    def values(self, method: str, quantity: str, *, K: int | None = None) -> Values:
        """Simulated values of a method by seed [worlds, n]."""
        key = (method, K, quantity)
        if key not in self._known:
            seeds = tuple(self.results.values(method, quantity, K=K, checkpoint=self.checkpoint))
            known = self.printed(method, K, quantity)
            if not seeds or known is None or known[1] is None:
                raise UnprintedError(quantity)
            shared, own = self._deviate(seeds, quantity), self._deviate(seeds, quantity, method, K)
            deviate = CORRELATION**0.5 * shared + (1 - CORRELATION) ** 0.5 * own
            self._known[key] = Values(seeds, spread(known[0], known[1], deviate))
        return self._known[key]

    def swaps(self, first: str, second: str, quantity: str) -> Values:
        """Not simulated, because papers do not report the spread of quantities of pairs of runs."""
        raise UnprintedError(quantity)

    def curves(self, probe: str, name: str, method: str) -> dict[int, Curve]:
        """Not simulated, because figures have no published numbers."""
        raise UnprintedError(name)

    def _deviate(self, seeds: tuple[int, ...], *names: object) -> F64:
        from scipy.special import ndtri

        if (seeds, *names) not in self._deviates:
            key = counter.key(f"worlds/{'/'.join(map(str, names))}", self.draw)
            self._deviates[seeds, *names] = ndtri(
                counter.uniform(key, np.arange(self.worlds)[:, None], np.array(seeds)[None, :])
            )
        return self._deviates[seeds, *names]


def spread(mean: float, sd: float, deviate: F64) -> F64:
    """Values with a mean and an SD from normal deviates: log-normal, or normal if the SD is more than 0.4 of the mean.

    >>> spread(0.5, 0.0, np.array([1.0])).tolist(), spread(-1.0, 2.0, np.array([1.0])).tolist()
    ([0.5], [1.0])
    """
    if sd > LOG_NORMAL * mean:
        return mean + sd * deviate
    scale = np.log1p((sd / mean) ** 2)
    return np.asarray(mean * np.exp(scale**0.5 * deviate - scale / 2))


def chance(claim: Claim, worlds: Worlds) -> float | None:
    """The probability that a claim is reproduced with these seeds if the published means and spread are the truth.

    None if the paper does not print a mean and a spread for everything that the claim needs.
    """
    try:
        ruling = claim(worlds).ruling
    except (UnprintedError, NeedsError):
        return None
    return None if ruling is None or not np.ndim(ruling.holds) else float(ruling.reproduced.mean())
