"""Which method to use, as far as the number of seeds supports it: as data, and as a few sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from votewise.comparison.methods import Methods
from votewise.comparison.side_by_side import COMPARED, comparable, held_out, side_by_side
from votewise.comparison.statistics.power import seeds_needed, smallest_p
from votewise.comparison.statistics.wilcoxon import SAME
from votewise.comparison.tables import Table, Value
from votewise.comparison.tables.filling import LEVEL
from votewise.comparison.wording import listed, sentence, signed, significant, votes_name
from votewise.profile import FITS, TO_SHARES, meaning
from votewise.studies import Results
from votewise.wording import counted

NAMED = 4  # differences that a sentence names; the table has all of them


@dataclass(frozen=True)
class Choice:
    """The methods at one number of votes per item, sorted by their difference from the reference.

    Attributes:
        K: votes per item in training; None: all votes.
        checkpoint: "best" or "last".
        reference: the soft NLL of the reference; of the first method if the reference has no runs.
        better: methods that are significantly better than the reference.
        worse: methods that are significantly worse.
        similar: methods without a significant difference from it.
        unpaired: methods that share no seed with it.
    """

    K: int | None
    checkpoint: str
    reference: Value
    better: tuple[Value, ...] = ()
    worse: tuple[Value, ...] = ()
    similar: tuple[Value, ...] = ()
    unpaired: tuple[Value, ...] = ()

    @property
    def compared(self) -> tuple[Value, ...]:
        """The methods that share seeds with the reference."""
        return *self.better, *self.similar, *self.worse

    @property
    def values(self) -> tuple[Value, ...]:
        """All methods, the reference first."""
        return self.reference, *self.compared, *self.unpaired

    @property
    def lowest(self) -> tuple[Value, ...]:
        """The methods with the lowest soft NLL, by differences over paired seeds; several if they are equal."""
        candidates = (self.reference, *self.compared)
        least = min(map(_difference, candidates))
        return tuple(value for value in candidates if _difference(value) - least <= SAME)

    @property
    def winner(self) -> str | None:
        """The method that is significantly better than every other, if there is one.

        Only the reference is compared with every other method, or the only other method with the reference.
        """
        if self.unpaired or self.similar or not self.compared:
            return None
        if not self.better:
            return self.reference.method
        return self.better[0].method if len(self.compared) == 1 else None


@dataclass(frozen=True)
class Power:
    """What the number of seeds can show.

    Attributes:
        seeds: the most paired seeds of a comparison.
        comparisons: how many there are.
        smallest_p: the smallest p-value that these seeds can give after Holm's correction.
        seeds_needed: the fewest seeds that can give a significant difference.
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
    """Whether a method fits its targets at the last epoch, with numbers of votes for which this means the same.

    Attributes:
        method: label of the method.
        K: the numbers of votes per item.
        excess: smallest and largest mean training loss above the entropy of the targets, in nats.
        relative: the same as a share of the excess of uniform predictions.
        meaning: what this means for the choice of the method.
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
        choices: by number of votes per item, all votes first, at the best checkpoint.
        last: the same at the last checkpoint.
        power: what the number of seeds can show; None without a comparison.
        fit: whether models fit their targets, if runs recorded it.
        held_out: the number of held-out items of a run, if known.
        split_per_seed: whether each seed holds out other items.
        methods: names of the methods.
    """

    choices: tuple[Choice, ...]
    last: tuple[Choice, ...]
    power: Power | None
    fit: tuple[Fit, ...]
    held_out: int | None
    split_per_seed: bool
    methods: Methods

    @property
    def paragraphs(self) -> list[str]:
        """The recommendation in plain English, a paragraph for each number of votes per item.

        If the seeds are too few to show any difference, a paragraph that says so comes first and no method is recommended. Whether
        models fit their targets comes last.
        """
        return _Text(self).paragraphs()

    def __str__(self) -> str:
        return "\n\n".join(self.paragraphs)

    _repr_markdown_ = __str__


def recommend(results: Results, table: Table | None = None) -> Recommendation:
    """The recommendation that results support.

    Args:
        results: results on one dataset.
        table: the methods side by side, if it is at hand.
    """
    results = comparable(results)
    table = side_by_side(results) if table is None else table
    best, last = (_choices(table, checkpoint) for checkpoint in ("best", "last"))
    return Recommendation(best, last, _power(table), _fit(best, results), *held_out(results), Methods.of(results))


def _choices(table: Table, checkpoint: str) -> tuple[Choice, ...]:
    by_votes = defaultdict[int | None, list[Value]](list)
    for value in table.values:
        if value.quantity == COMPARED and value.checkpoint == checkpoint and value.n:
            by_votes[value.K].append(value)
    against = table.definition.test.against if table.definition.test else ""
    choices = []
    for votes, values in by_votes.items():
        reference = next((value for value in values if value.method == against), values[0])
        kinds: dict[str, list[Value]] = {"better": [], "worse": [], "similar": [], "unpaired": []}
        for value in sorted((value for value in values if value is not reference), key=_difference):
            sign = "better" if _difference(value) < 0 else "worse"
            kinds["unpaired" if value.difference is None else sign if value.significant else "similar"].append(value)
        choices.append(Choice(votes, checkpoint, reference, **{kind: tuple(some) for kind, some in kinds.items()}))
    return tuple(choices)


def _power(table: Table) -> Power | None:
    family = [value for value in table.values if value.p_holm is not None and value.checkpoint == "best"]
    if not family:
        return None
    seeds, count = max(value.pairs or 0 for value in family), len(family)
    uncorrected = tuple(value for value in family if value.p is not None and value.p <= LEVEL)
    return Power(seeds, count, min(1.0, smallest_p(seeds, 2) * count), seeds_needed(count, 2), uncorrected)


def _fit(choices: Sequence[Choice], results: Results) -> tuple[Fit, ...]:
    """For each number of votes, whether soft labels fit their targets; without them, the method that is closest to its targets."""
    groups = defaultdict[tuple[str, str], dict[int | None, tuple[float, float]]](dict)
    for choice in choices:
        means = {}
        for method in (value.method for value in choice.values if value.method in TO_SHARES):
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


def _difference(value: Value) -> float:
    return value.difference or 0.0


class _Text:
    """The sentences of a recommendation."""

    def __init__(self, recommendation: Recommendation) -> None:
        self.of = recommendation
        self.name = recommendation.methods.in_sentence

    def paragraphs(self) -> list[str]:
        power, last = self.of.power, {choice.K: choice for choice in self.of.last}
        few = power is not None and not power.enough
        paragraphs, where = [self.limit(power)] if power and few else [], ""
        for choice in self.of.choices:
            before, where = where, self.where(choice)
            parts = [] if few else self.advice(choice)
            parts.append(self.lowest(choice, where if where != before else ""))
            if choice.K in last:
                parts += self.at_the_end(choice, last[choice.K], few=few)
            if len(self.of.choices) > 1:
                parts[0] = f"with {_votes(choice.K)} in training: {parts[0]}"
            paragraphs.append(" ".join(map(sentence, parts)))
        return paragraphs + [self.fitting(fit) for fit in self.of.fit]

    def names(self, values: Sequence[Value], last: str = "and") -> str:
        return listed([self.name(value.method) for value in values], last)

    def sizes(self, values: Sequence[Value], last: str = "and") -> str:
        return listed([f"{self.name(value.method)} ({signed(_difference(value))})" for value in values], last)

    def advice(self, choice: Choice) -> list[str]:
        """Which methods to use, then which not."""
        reference, parts = self.name(choice.reference.method), list[str]()
        if choice.winner:
            size = f", significantly better than {reference}" if choice.better else ""
            parts.append(f"use {self.name(choice.winner)}: the best fit to the votes{size}")
        elif choice.better:
            pairs = "; not compared with each other" if len(choice.better) > 1 else ""
            parts.append(f"use {self.sizes(choice.better, 'or')}: significantly better than {reference}{pairs}")
            if choice.similar:
                others = self.names(choice.better, "or")
                same = f"no significant difference from {reference} (not compared with {others})"
                parts.append(f"{same}: {self.sizes(choice.similar)}")
        elif choice.similar:
            candidates = sorted([choice.reference, *choice.similar], key=_difference)
            which = "between them" if len(candidates) == 2 else f"from {reference}"
            parts.append(f"use {self.names(candidates, 'or')}: no significant difference {which}")
        if choice.worse:
            parts.append(f"avoid {self.sizes(choice.worse, 'and')}: significantly worse than {reference}")
        if choice.compared and choice.unpaired:
            parts.append(f"not compared, because they share no seed with {reference}: {self.names(choice.unpaired)}")
        return parts

    def where(self, choice: Choice) -> str:
        """Over how many seeds and held-out items."""
        counts = [value.n for value in choice.values]
        fewest = "" if min(counts) == max(counts) else f"{min(counts)} to "
        seeds = f"over {fewest}{counted(max(counts), 'seed')}"
        if self.of.held_out is None:
            return seeds
        items = counted(self.of.held_out, "held-out item")
        return f"{seeds} with {items} each" if self.of.split_per_seed else f"{seeds} on the same {items}"

    def lowest(self, choice: Choice, where: str) -> str:
        """Which method has the lowest soft NLL."""
        start = f"{where}, " if where else ""
        if not choice.compared:
            none = " and no shared seeds to compare" if choice.unpaired else " only: nothing to compare"
            return f"{start}there are runs of {self.names(choice.values)}{none}"
        best, reference = choice.lowest, choice.reference
        verb = "has" if len(best) == 1 and not self.name(best[0].method).endswith("labels") else "have"
        size = f", {significant(-_difference(best[0]))} below {self.name(reference.method)}"
        below = "" if reference in best else size
        return f"{start}{self.names(best)} {verb} the lowest mean soft NLL ({best[0].mean:.3f}{below})"

    def at_the_end(self, choice: Choice, last: Choice, *, few: bool) -> list[str]:
        """What differs at the last epoch, which is not chosen on the held-out items."""
        if last.reference.method != choice.reference.method:
            return []
        changes = []
        if {value.method for value in last.lowest} != {value.method for value in choice.lowest}:
            changes.append(f"the lowest soft NLL is that of {self.names(last.lowest)}")
        kinds = {"better": "significantly better than", "worse": "significantly worse than", "similar": "no significant difference from"}  # fmt: skip
        for kind, words in () if few else kinds.items():
            before = {value.method for value in getattr(choice, kind)}
            new = [value for value in getattr(last, kind) if value.method not in before]
            if new:
                changes.append(f"{words} {self.name(last.reference.method)}: {self.sizes(new)}")
        return [f"at the last epoch (no checkpoint selection), {'; '.join(changes)}"] if changes else []

    def limit(self, power: Power) -> str:
        """That the seeds are too few for any difference to be significant."""
        several = power.comparisons > 1
        over = f" after Holm's correction over {counted(power.comparisons, 'comparison')}" if several else ""
        text = (
            f"No method can be recommended: with {counted(power.seeds, 'seed')} the smallest possible p-value is {significant(power.smallest_p)}{over}."
            f" At least {power.seeds_needed} seeds are needed."
        )
        if power.uncorrected and several:
            few = len(power.uncorrected) <= NAMED and len(self.of.choices) == 1
            which = self.sizes(power.uncorrected) if few else f"{len(power.uncorrected)} of them"
            text += f" Significant without the correction: {which}."
        return text

    def fitting(self, fit: Fit) -> str:
        """Whether models fit their targets, and what that means."""
        several = len({K for other in self.of.fit for K in other.K}) > 1
        start = f"with {_votes(*fit.K)} in training, " if several else ""
        excess = f"{_span(*fit.excess, 3)} nats above the entropy of the targets"
        share = f"{_span(100 * fit.relative[0], 100 * fit.relative[1], 0)} % of the excess of uniform predictions"
        text = f"{start}the training loss of {self.name(fit.method)} ends {excess} ({share})"
        return f"{sentence(text)} {fit.meaning}"


def _span(low: float, high: float, decimals: int) -> str:
    return " to ".join(dict.fromkeys(f"{value:.{decimals}f}" for value in (low, high)))


def _votes(*numbers: int | None) -> str:
    if len(numbers) > 1:
        return f"{listed(map(votes_name, numbers))} votes per item"
    return "all votes" if numbers[0] is None else f"{counted(numbers[0], 'vote')} per item"
