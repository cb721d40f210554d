"""A recommendation as text: the advice, followed by the reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from votewise.comparison.uniform import DECIMALS
from votewise.comparison.wording import listed, sentence, signed, significant, votes_name
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.comparison.recommendation import Choice, Compared, Fit, Power, Recommendation
    from votewise.comparison.weighing import Difference

NAMED = 4  # maximum number of methods that a sentence lists
KINDS = {
    "better": "significantly better than",
    "worse": "significantly worse than",
    "similar": "not significantly different from",
}
Name = Callable[[str], str]


def headline(of: Recommendation) -> str:
    """The advice: which method to use, or that more seeds are needed."""
    name, choices = of.methods.in_sentence, [choice for choice in of.choices if choice.compared]
    if not choices or of.power is None:
        return "Compare at least two methods with the same seeds." if of.choices else ""
    if not of.power.enough:
        few, tests = counted(of.power.seeds, "seed"), counted(of.power.comparisons, "comparison")
        return f"Train at least {of.power.seeds_needed} seeds: with {few}, an exact test of {tests} cannot show a difference."
    used = dict.fromkeys(choice.weighed for choice in choices)
    if len(used) == 1:
        use, without = choices[0].weighed
        if use != without:
            return f"With early stopping, use {name(use)}; without, use {name(without)}."
        reasons = dict.fromkeys(_in_short(choice, name) for choice in choices)
        return f"Use {name(use)}{f': {next(iter(reasons))}' if len(reasons) == 1 else ''}."
    parts = [
        f"{name(use)} with {_votes(*(c.K for c in choices if c.weighed == (use, without)))}"
        + (f" ({name(without)} without early stopping)" if use != without else "")
        for use, without in used
    ]
    return f"Use {listed(parts)}."


def reasons(of: Recommendation) -> list[str]:
    """The reasons: whether the model learned, one paragraph per number of votes per item, then whether models overfit and fit their targets, and the protocol."""
    if not of.choices:
        return []
    paragraphs, where = [of.learning] if of.unlearned else [], ""
    if of.power and not of.power.enough:
        paragraphs.append(_limit(of, of.power))
    for choice in of.choices:
        before, where = where, _where(of, choice)
        parts = list(_reason(choice, of.methods.in_sentence)) if of.decided else []
        parts.append(_lowest(of, choice, where if where != before else ""))
        if len(of.choices) > 1:
            parts[0] = f"with {_votes(choice.K)} in training: {parts[0]}"
        paragraphs.append(" ".join(map(sentence, parts)))
    if of.overfit:
        paragraphs.append(_overfitting(of))
    return [*paragraphs, *(_fitting(of, fit) for fit in of.fit), protocol(of.validated)]


def protocol(validated: bool) -> str:
    """The items used to choose the best epoch and to report the result."""
    if validated:
        return "Protocol: the best epoch of each run is chosen on validation items, and results are reported on test items."
    return (
        "Protocol of the papers: the best epoch of each run is chosen on the same held-out items that are reported, so the numbers at the best epoch are"
        " optimistic."
    )


def _in_short(choice: Choice, name: Name) -> str:
    """The reason for a method, as part of a sentence."""
    one, reference = choice.of(choice.use), name(choice.reference)
    if one is None:
        return "no other method is significantly better"
    if one.best.kind == "better":
        end = " and without" if one.last and one.last.kind == "better" else ""
        return f"significantly better than {reference} with early stopping{end}"
    return f"not significantly worse than {reference} with early stopping, and significantly better without"


def _reason(choice: Choice, name: Name) -> Iterator[str]:
    """The reason for the method, then other methods that are better, methods to avoid, and methods without a significant difference."""
    used, reference = choice.of(choice.use), name(choice.reference)
    others = [one for one in choice.compared if one is not used]
    mixed = [one for one in others if {"better", "worse"} <= one.kinds]
    better = [one for one in others if "better" in one.kinds and one not in mixed]
    worse = [one for one in others if "worse" in one.kinds and one not in mixed]
    if used is not None:
        yield _beside(used, name, reference)
    elif choice.compared and not better and not mixed:
        yield f"no method is significantly better than {reference}, at the best or at the last epoch"
    if better:
        yield f"{KINDS['better']} {reference} too: {_sizes(better, name)}"
    if mixed:
        yield f"better than {reference} at one epoch and worse at the other: {_sizes(mixed, name)}"
    if worse:
        yield f"avoid {_sizes(worse, name)}: {KINDS['worse']} {reference}"
    similar = [one for one in others if one.kinds == {"similar"}]
    if few := [one for one in similar if one.few_seeds]:
        yield f"too few seeds to be significant after the correction, although all seeds agree: {_sizes(few, name)}"
    if similar := [one for one in similar if one not in few]:
        yield f"not significantly different from {reference}: {listed(name(one.method) for one in similar)}"
    if choice.compared and choice.unpaired:
        yield f"not compared, because they share no seeds with {reference}: {listed(map(name, choice.unpaired))}"


def _beside(one: Compared, name: Name, reference: str) -> str:
    """A method compared with the reference at both epochs."""
    verb = "are" if name(one.method).endswith("labels") else "is"
    best, last = one.best, one.last
    start = f"{name(one.method)} {verb} {KINDS[best.kind]} {reference} at the best epoch ({signed(best.size)})"
    if last is None:
        return start
    again = "" if last.kind == best.kind else f"{KINDS[last.kind]} {'them' if reference.endswith('labels') else 'it'} "
    safer = ": safer without early stopping" if last.kind == "better" != best.kind else ""
    return f"{start} and {again}at the last one ({signed(last.size)}){safer}"


def _sizes(some: Iterable[Compared], name: Name) -> str:
    """Methods with their differences that are significant, or that all seeds agree on."""

    def sizes(one: Compared) -> str:
        epochs: list[tuple[str, Difference | None]] = [("at the best epoch", one.best), ("at the last", one.last)]
        return ", ".join(
            f"{signed(found.size)} {where}"
            for where, found in epochs
            if found and (found.significant or found.few_seeds)
        )

    return listed(f"{name(one.method)} ({sizes(one)})" for one in some)


def _where(of: Recommendation, choice: Choice) -> str:
    """The numbers of seeds and held-out items."""
    fewest, most = choice.seeds
    seeds = f"over {'' if fewest == most else f'{fewest} to '}{counted(most, 'seed')}"
    if of.held_out is None:
        return seeds
    items = counted(of.held_out, "test item" if of.validated else "held-out item")
    return f"{seeds} with {items} each" if of.split_per_seed else f"{seeds} on the same {items}"


def _lowest(of: Recommendation, choice: Choice, where: str) -> str:
    """The methods with the lowest soft NLL at the best and at the last epoch."""
    name, start = of.methods.in_sentence, f"{where}, " if where else ""
    if not choice.compared:
        none = " and no shared seeds to compare" if choice.unpaired else " only: nothing to compare"
        return f"{start}there are runs of {listed(map(name, choice.means['best']))}{none}"
    parts, before = list[str](), list[str]()
    for epoch, words in (("best", "at the best epoch"), ("last", "at the last")):
        if choice.reference in choice.means[epoch]:
            methods = choice.lowest(epoch)
            whose = "" if methods == before else f"that of {listed(map(name, methods))} "
            parts.append(f"{whose}{words} ({choice.means[epoch][methods[0]]:.3f})")
            before = methods
    return f"{start}the lowest mean soft NLL is {listed(parts)}"


def _limit(of: Recommendation, power: Power) -> str:
    """A notice that there are too few seeds for a significant difference."""
    several = power.comparisons > 1
    over = f" after Holm's correction over {counted(power.comparisons, 'comparison')}" if several else ""
    text = (
        f"No method can be recommended: with {counted(power.seeds, 'seed')} the smallest possible p-value is {significant(power.smallest_p)}{over}."
        f" At least {power.seeds_needed} seeds are needed."
    )
    if power.uncorrected and several:
        few = len(power.uncorrected) <= NAMED and len(of.choices) == 1
        sizes = (f"{of.methods.in_sentence(v.method)} ({signed(v.difference or 0.0)})" for v in power.uncorrected)
        count = len(power.uncorrected)
        many = f"{counted(count, 'comparison')} {'is' if count == 1 else 'are'} significant without the correction"
        text += f" Significant without the correction: {listed(sizes)}." if few else f" {many}."
    return text


def learning(of: Recommendation) -> str:
    """The methods with which the model is worse than uniform predictions, and what to try; empty if there are none."""
    found, several = of.unlearned, len(of.choices) > 1
    if found is None:
        return ""
    names = [
        f"{of.methods.in_sentence(method)}{f' with {_votes(K)}' if several else ''} ({loss:.{DECIMALS}f})"
        for (method, K), loss in found.losses.items()
    ]
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return (
        f"The {found.model} model did not learn the votes: at the best epoch, the soft NLL of {listed([*names[:NAMED], *more])}"
        f" is above that of uniform predictions ({found.uniform:.{DECIMALS}f})."
        f" Try a lower learning rate (now {found.lr:g}; lr in a --recipe) before you compare it."
    )


def _overfitting(of: Recommendation) -> str:
    """The methods that overfit, and what to try."""
    several = len(of.choices) > 1
    found = [
        f"{of.methods.in_sentence(one.method)}{f' with {_votes(one.K)}' if several else ''} (best epoch {one.epoch:.0f} of {one.epochs},"
        f" soft NLL {signed(one.rise)} from there to the last)"
        for one in of.overfit[:NAMED]
    ]
    more = len(of.overfit) - NAMED
    names = listed([*found, *([f"{more} more"] if more > 0 else [])])
    tries = f" Try {listed(of.tries, 'or')}: that can matter more than the method." if of.tries else ""
    return f"Models overfit: {names}.{tries}"


def _fitting(of: Recommendation, fit: Fit) -> str:
    """Whether models fit their targets, with the interpretation."""
    several = len({K for other in of.fit for K in other.K}) > 1
    start = f"with {_votes(*fit.K)} in training, " if several else ""
    excess = f"{_span(*fit.excess, 3)} nats above the entropy of the targets"
    share = (
        f"{_span(100 * fit.relative[0], 100 * fit.relative[1], 0)} % of the excess that uniform predictions would have"
    )
    text = f"{start}the training loss of {of.methods.in_sentence(fit.method)} at the last epoch is {excess} ({share})"
    return f"{sentence(text)} {fit.meaning}"


def _span(low: float, high: float, decimals: int) -> str:
    return " to ".join(dict.fromkeys(f"{value:.{decimals}f}" for value in (low, high)))


def _votes(*numbers: int | None) -> str:
    if len(numbers) > 1:
        return f"{listed(map(votes_name, numbers))} votes per item"
    return "all votes" if numbers[0] is None else f"{counted(numbers[0], 'vote')} per item"
