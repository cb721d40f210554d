"""The recommendation of a method as data, limited to what the number of seeds supports. `recommendation_words` turns it into text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from votewise.comparison.learning import Unlearned, unlearned
from votewise.comparison.methods import Methods
from votewise.comparison.overfitting import Overfit, overfits
from votewise.comparison.recommendation_words import headline, learning, reasons
from votewise.comparison.side_by_side import COMPARED, comparable, held_out, side_by_side
from votewise.comparison.statistics.power import seeds_needed, smallest_p
from votewise.comparison.statistics.wilcoxon import SAME
from votewise.comparison.tables import Table, Value
from votewise.comparison.tables.filling import LEVEL
from votewise.comparison.weighing import Difference, Weighed, weigh
from votewise.profile import FITS, TO_SHARES, meaning
from votewise.studies import Results


@dataclass(frozen=True)
class Compared:
    """A method compared with the reference over their shared seeds.

    Attributes:
        method: its label.
        best: its difference from the reference at the best epoch.
        last: its difference from the reference at the last epoch; None if a loss is not finite.
    """

    method: str
    best: Difference
    last: Difference | None

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences that are known."""
        return (self.best,) if self.last is None else (self.best, self.last)

    @property
    def kinds(self) -> frozenset[str]:
        """Whether it is "better", "worse" or "similar", at both epochs."""
        return frozenset(difference.kind for difference in self.differences)

    @property
    def few_seeds(self) -> bool:
        """Whether all seeds agree on a difference at some epoch, but are too few for it to be significant."""
        return any(difference.few_seeds for difference in self.differences)


@dataclass(frozen=True)
class Choice:
    """The methods at one number of votes per item.

    Attributes:
        K: votes per item in training; None: all votes.
        reference: the soft NLL of the reference at the best epoch; of the first method if the reference has no runs.
        compared: the other methods that share seeds with the reference, sorted by soft NLL at the best epoch.
        unpaired: methods that share no seeds with the reference.
        means: by epoch ("best", "last"), the mean soft NLL of each method, the reference first.
        seeds: minimum and maximum number of seeds of a method.
    """

    K: int | None
    reference: str
    compared: tuple[Compared, ...]
    unpaired: tuple[str, ...]
    means: dict[str, dict[str, float]]
    seeds: tuple[int, int]

    @cached_property
    def weighed(self) -> Weighed:
        """The methods to use with early stopping and without: one that is never significantly worse than the reference, if there is one."""
        return weigh(self.reference, {one.method: one.differences for one in self.compared})

    @property
    def use(self) -> str:
        """The method to use, with early stopping."""
        return self.weighed.use

    def of(self, method: str) -> Compared | None:
        """A method compared with the reference; None for the reference itself."""
        return next((one for one in self.compared if one.method == method), None)

    def lowest(self, checkpoint: str) -> list[str]:
        """The methods with the lowest soft NLL, by differences over paired seeds; several in case of ties."""
        sizes = {self.reference: 0.0}
        for one in self.compared:
            difference = one.best if checkpoint == "best" else one.last
            if difference is not None:
                sizes[one.method] = difference.size
        return [method for method, size in sizes.items() if size - min(sizes.values()) <= SAME]


@dataclass(frozen=True)
class Power:
    """What the number of seeds can show.

    Attributes:
        seeds: maximum number of paired seeds of a comparison.
        comparisons: number of comparisons.
        smallest_p: the smallest p-value that these seeds can give after Holm's correction.
        seeds_needed: minimum number of seeds that can give a significant difference.
        uncorrected: comparisons that are significant without the correction.
    """

    seeds: int
    comparisons: int
    smallest_p: float
    seeds_needed: int
    uncorrected: tuple[Value, ...] = ()

    @property
    def enough(self) -> bool:
        """Whether a significant difference is possible."""
        return self.smallest_p <= LEVEL


@dataclass(frozen=True)
class Fit:
    """Whether a method fits its targets at the last epoch, for numbers of votes with the same interpretation.

    Attributes:
        method: label of the method.
        K: the numbers of votes per item.
        excess: smallest and largest mean training loss above the entropy of the targets, in nats.
        relative: smallest and largest excess relative to that of uniform predictions.
        meaning: the consequence for the choice of the method.
    """

    method: str
    K: tuple[int | None, ...]
    excess: tuple[float, float]
    relative: tuple[float, float]
    meaning: str

    @property
    def fits(self) -> bool:
        """Whether the model fits its targets; only known for methods whose expected target is the vote share."""
        return self.method in TO_SHARES and self.relative[1] <= FITS


@dataclass(frozen=True)
class Recommendation:
    """Which method to use.

    Attributes:
        choices: by number of votes per item, all votes first.
        power: what the number of seeds can show; None without a comparison.
        fit: whether models fit their targets, if runs recorded it.
        unlearned: the methods with which the model is worse than uniform predictions at the best epoch; None if there are none.
        overfit: the methods whose runs overfit, strongest first.
        held_out: the number of held-out items of a run, if known.
        split_per_seed: whether each seed holds out different items.
        validated: whether the best epoch was chosen on validation items, separate from the reported items.
        tries: what to try if models overfit.
        methods: names of the methods.
    """

    choices: tuple[Choice, ...]
    power: Power | None
    fit: tuple[Fit, ...]
    unlearned: Unlearned | None
    overfit: tuple[Overfit, ...]
    held_out: int | None
    split_per_seed: bool
    validated: bool
    tries: tuple[str, ...]
    methods: Methods

    @property
    def decided(self) -> bool:
        """Whether there are enough seeds to recommend a method."""
        return self.power is not None and self.power.enough

    @property
    def headline(self) -> str:
        """The advice in one sentence."""
        return headline(self)

    @property
    def learning(self) -> str:
        """A remark on a model that is worse than uniform predictions; empty if it is not."""
        return learning(self)

    @property
    def paragraphs(self) -> list[str]:
        """The reasons: whether the model learned, each number of votes per item, whether models overfit and fit their targets, and the protocol."""
        return reasons(self)

    def __str__(self) -> str:
        return "\n\n".join(part for part in (self.headline, *self.paragraphs) if part)

    def _repr_markdown_(self) -> str:
        return "\n\n".join([f"**{self.headline}**", *self.paragraphs])


def recommend(results: Results, table: Table | None = None) -> Recommendation:
    """The recommendation that results on one dataset support, from `table` if the methods side by side are already computed."""
    results = comparable(results)
    table = side_by_side(results) if table is None else table
    choices = _choices(table)
    losses = {(method, choice.K): loss for choice in choices for method, loss in choice.means["best"].items()}
    return Recommendation(
        choices,
        _power(table),
        _fit(choices, results),
        unlearned(results, losses),
        overfits(results, losses),
        *held_out(results),
        validated=bool(results.validated),
        tries=_tries(results),
        methods=Methods.of(results),
    )


def _choices(table: Table) -> tuple[Choice, ...]:
    cells = defaultdict[int | None, dict[str, dict[str, Value]]](lambda: {"best": {}, "last": {}})
    for value in table.values:
        if value.quantity == COMPARED and value.n:
            cells[value.K][value.checkpoint][value.method] = value
    against = table.definition.test.against if table.definition.test else ""
    choices = []
    for votes, by_epoch in cells.items():
        best, last = by_epoch["best"], by_epoch["last"]
        if not best:
            continue
        reference = against if against in best else next(iter(best))
        paired = {method: found for method, value in best.items() if (found := _difference(value)) is not None}
        compared = [
            Compared(method, found, _difference(last[method]) if method in last else None)
            for method, found in sorted(paired.items(), key=lambda entry: entry[1].size)
        ]
        counts = [value.n for value in best.values()]
        choices.append(
            Choice(
                votes,
                reference,
                tuple(compared),
                tuple(method for method in best if method != reference and method not in paired),
                {
                    epoch: {method: float(value.mean or 0.0) for method, value in values.items()}
                    for epoch, values in by_epoch.items()
                },
                (min(counts), max(counts)),
            )
        )
    return tuple(choices)


def _difference(value: Value) -> Difference | None:
    if value.difference is None:
        return None
    extreme = value.p is not None and value.p <= smallest_p(value.pairs or 0, 2) + SAME
    return Difference(value.difference, value.significant, few_seeds=extreme and not value.significant)


def _tries(results: Results) -> tuple[str, ...]:
    """What to try against overfitting, besides another delivery: on ChaosNLI the first two helped, a linear model did not."""
    plan = next(iter(results.plans.values()), None)
    if plan is None:
        return ()
    recipe = plan.trained_with
    simpler = recipe.model == "mlp" and plan.comparison is None
    return (
        f"more weight decay (now {recipe.weight_decay:g}; weight_decay in a --recipe)",
        f"fewer epochs (now {recipe.epochs}; --epochs)",
        *(["a linear model (--model linear,mlp compares both)"] if simpler else []),
    )


def _power(table: Table) -> Power | None:
    family = [value for value in table.values if value.p_holm is not None and value.checkpoint == "best"]
    if not family:
        return None
    seeds, count = max(value.pairs or 0 for value in family), len(family)
    uncorrected = tuple(value for value in family if value.p is not None and value.p <= LEVEL)
    return Power(seeds, count, min(1.0, smallest_p(seeds, 2) * count), seeds_needed(count, 2), uncorrected)


def _fit(choices: Sequence[Choice], results: Results) -> tuple[Fit, ...]:
    """Whether soft labels fit their targets at each number of votes; without soft labels, the method that is closest to its targets."""
    groups = defaultdict[tuple[str, str], dict[int | None, tuple[float, float]]](dict)
    for choice in choices:
        means = {}
        for method in [method for method in choice.means["best"] if method in TO_SHARES]:
            excess, relative, entropy = (
                list(results.values(method, key, K=choice.K, checkpoint="last").values())
                for key in ("excess", "excess_relative", "target_entropy")
            )
            if excess and relative and entropy:
                means[method] = float(np.mean(excess)), float(np.mean(relative)), float(np.mean(entropy))
        if means:
            method = min(means, key=lambda name: (name != "soft", means[name][1], name))
            over, share, spread = means[method]
            groups[method, meaning(method, share, spread)][choice.K] = over, share
    fits = []
    for (method, what), by_votes in groups.items():
        over_ends, share_ends = ((min(ends), max(ends)) for ends in zip(*by_votes.values(), strict=True))
        fits.append(Fit(method, tuple(by_votes), over_ends, share_ends, what))
    return tuple(fits)
