"""A view of results for a claim: at one checkpoint, with a record of the requested and the missing numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from votewise.comparison import probe_of, run_swap
from votewise.errors import VotewiseError
from votewise.papers.claims.values import Values, values_of
from votewise.studies import Needs, NeedsError

if TYPE_CHECKING:
    from votewise.studies import Curve, Results

Asked = tuple[str | None, str, int | None, str]  # dataset, method, K, quantity


class View:
    """Results at a checkpoint, for one evaluation of a claim.

    Missing numbers are recorded and returned without seeds, so that one evaluation finds everything that a claim needs.

    Attributes:
        results: the results.
        checkpoint: "best" or "last".
        needs: requested numbers that are missing.
        asked: requested numbers in order: dataset, method, K and quantity.
        sweep: needs to report if there are no runs with fewer votes; None: the methods of the results.
        dataset: the dataset, if it is one of several parts; None: all.
    """

    def __init__(
        self,
        results: Results,
        checkpoint: str = "best",
        parent: View | None = None,
        sweep: Needs | None = None,
        dataset: str | None = None,
    ) -> None:
        self.results, self.checkpoint, self.dataset = results, checkpoint, dataset
        self.sweep: Needs | None = parent.sweep if parent else sweep
        self.needs: dict[Needs, None] = parent.needs if parent else {}
        self.asked: dict[Asked, None] = parent.asked if parent else {}

    def at(self, checkpoint: str) -> View:
        """The same results at another checkpoint."""
        return View(self.results, checkpoint, parent=self, dataset=self.dataset)

    def datasets(self) -> Iterator[tuple[str, View]]:
        """The results on each dataset, by its name."""
        for name, results in self.results.by_dataset.items():
            yield name, View(results, self.checkpoint, parent=self, dataset=name)

    @cached_property
    def votes_per_item(self) -> tuple[int, ...]:
        """The numbers of votes per item of the sweep, without all votes.

        Raises:
            NeedsError: if there is no sweep.
        """
        return self._at_least(1)

    @property
    def lower_half(self) -> tuple[int, ...]:
        """The lower half of the sweep; a middle number of votes belongs to neither half."""
        return self._at_least(2)[: len(self.votes_per_item) // 2]

    @property
    def upper_half(self) -> tuple[int, ...]:
        """The upper half of the sweep, without all votes."""
        return self._at_least(2)[-(len(self.votes_per_item) // 2) :]

    def _at_least(self, n: int) -> tuple[int, ...]:
        numbers = self.results.votes_per_item()
        if len(numbers) < n:
            raise NeedsError(self.sweep or Needs(self.results.methods()))
        return numbers

    def values(self, method: str, quantity: str, *, K: int | None = None) -> Values:
        """A number of a method by seed."""
        self.asked[self.dataset, method, K, quantity] = None
        numbers = self.results.values(method, quantity, K=K, checkpoint=self.checkpoint)
        if not numbers:
            self._lacks(quantity, method, K=K)
        return values_of(numbers)

    def difference(self, first: str, second: str, quantity: str, *, K: int | None = None) -> Values:
        """A number of one method minus that of another, on shared seeds."""
        return self.values(first, quantity, K=K) - self.values(second, quantity, K=K)

    def log_ratio(self, first: str, second: str, quantity: str, *, K: int | None = None) -> Values:
        """The logarithm of the ratio of a number of two methods, on shared seeds."""
        return self.values(first, quantity, K=K).log() - self.values(second, quantity, K=K).log()

    def swaps(self, first: str, second: str, quantity: str) -> Values:
        """The run-swap differences of a quantity of pairs of runs: their mean is the mean within the first method minus the mean within the second."""
        for method in (first, second):
            self.asked[self.dataset, method, None, quantity] = None
        arms = ((first,), (second,), (first, second))
        try:
            comparison = run_swap(*(self.results.between(quantity, *arm, checkpoint=self.checkpoint) for arm in arms))
        except VotewiseError:
            self._lacks(quantity, first, second)
            return values_of({})
        return Values(comparison.seeds, comparison.difference, swaps=True)

    def curves(self, probe: str, name: str, method: str) -> dict[int, Curve]:
        """The curves of a method with all votes, by seed."""
        drawn = self.results.drawn(probe, name, method=method, K=None, checkpoint=self.checkpoint)
        if not drawn:
            self.needs[Needs((method,), probe=probe)] = None
        return {curve.seed: curve for curve in drawn}

    def _lacks(self, quantity: str, *methods: str, K: int | None = None) -> None:
        absent = tuple(method for method in methods if not self.results.values(method, "soft_nll", K=K))
        self.needs[Needs(absent or methods, K=K, probe=None if absent else probe_of(quantity))] = None
