"""What the methods side by side say, in a few sentences: what to do first, then the numbers; no more than the seeds carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from votewise.comparison import seeds_needed, smallest_p
from votewise.comparison.statistics.wilcoxon import SAME
from votewise.evidence.claims.rules import LEVEL
from votewise.evidence.methods import in_words, listed, votes_name
from votewise.evidence.tables.comparison import EXCESS, JUDGED_BY, by_votes
from votewise.profile.interpolation import meaning
from votewise.report.verdicts import number, sentence
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.evidence.results import Results
    from votewise.evidence.tables import Table, Value

MOST = 4  # differences that a sentence names where the table has them all


def answer(table: Table, results: Results) -> list[str]:
    """A paragraph for each number of votes per item; where the seeds are too few for any difference, one that says so comes first,
    and where runs recorded it, one or more that say whether models fit their targets come last.

    A method is said to fit best only where every other is told from it after Holm's correction; the others are compared with the
    reference and not with one another.
    """
    groups, last = by_votes(table), by_votes(table, "last")
    limit = _limit([value for values in groups.values() for value in values if value.p_holm is not None])
    told, said = [], ""
    for k, values in groups.items():
        where = _where(values, results)
        parts = [*([] if limit else _choice(values)), *_lowest_of(values, where if where != said else "")]
        parts += _at_the_last(values, last.get(k, ()), few=bool(limit))
        if len(groups) > 1:
            parts[0] = f"with {_votes(k)} in training, {parts[0]}"
        told.append(" ".join(map(sentence, parts)))
        said = where
    return limit + told + _training_fit(table)


def _training_fit(table: Table) -> list[str]:
    """How near to their targets soft labels end, or without them the method that ends nearest, and what that means for the choice of delivery.

    Numbers of votes for which it means the same share a paragraph.
    """
    above, relative, entropy = (by_votes(table, score=score) for score in (EXCESS, *JUDGED_BY))
    found: dict[tuple[str, str], dict[int | None, tuple[float, float]]] = {}
    for k, values in relative.items():
        _, share, method = min((value.method != "soft", value.mean or 0.0, value.method) for value in values)
        excess, target = (
            next(value.mean or 0.0 for value in of[k] if value.method == method) for of in (above, entropy)
        )
        found.setdefault((method, meaning(method, share, target)), {})[k] = excess, share
    told = []
    for (method, means), by_k in found.items():
        least, most = (tuple(map(pick, zip(*by_k.values(), strict=True))) for pick in (min, max))
        start = f"with {_votes(*by_k)} in training, " if len(relative) > 1 else ""
        size = f"{_span(least[0], most[0], 3)} nats above the entropy of its targets, {_span(100 * least[1], 100 * most[1], 0)} %"
        text = f"{start}the training loss of {in_words(method)} ends {size} of the excess of uniform predictions"
        told.append(f"{sentence(text)} {means}")
    return told


def _choice(values: Sequence[Value]) -> list[str]:
    """What to take: the methods that nothing tells from the reference, or those that are better; then what not to take."""
    reference, others = values[0], _compared(values)
    name, apart = in_words(reference.method), [v for v in values[1:] if v.difference is None]
    better, worse = ([v for v in others if v.told and _difference(v) * side > 0] for side in (-1, 1))
    rest = [value for value in others if not value.told]
    parts = []
    if better and len(values) == 2:
        parts.append(f"{in_words(better[0].method)}: the best fit to the votes, better than {name} beyond chance")
    elif better:
        among = ", and not compared with one another" if len(better) > 1 else ""
        parts.append(f"{_sizes(better, 'or')}: better than {name} beyond chance{among}")
        if rest:
            parts.append(f"not told from {name}, and not compared with {_names(better, 'or')}: {_sizes(rest)}")
    elif rest:
        among = "between them" if len(rest) == 1 else f"to {name}"
        parts.append(f"{_names(sorted([reference, *rest], key=_difference), 'or')}: no difference {among} can be told")
    elif others and not apart:
        parts.append(f"{name}: the best fit to the votes")
    if worse:
        parts.append(f"not {_sizes(worse, 'or')}: worse than {name} beyond chance")
    if others and apart:
        parts.append(f"not compared, as they share no seed with {name}: {_names(apart)}")
    return parts


def _lowest_of(values: Sequence[Value], where: str) -> list[str]:
    """Over what, and who has the lowest soft NLL."""
    reference, start = values[0], f"{where}, " if where else ""
    if not _compared(values):
        return [f"{start}there are runs of {_names(values)} and nothing to compare them with"]
    best = _lowest(values)
    below = "" if best is reference else f", {number(-_difference(best), 2)} below that of {in_words(reference.method)}"
    return [f"{start}the lowest mean soft NLL is that of {_names(_first(values))}: {best.mean:.3f}{below}"]


def _at_the_last(values: Sequence[Value], last: Sequence[Value], *, few: bool) -> list[str]:
    """What is otherwise at the last epoch, which nobody picked: the lowest, and who is told from the reference."""
    if not last or last[0].method != values[0].method:
        return []
    name, before = in_words(last[0].method), {value.method: _side(value) for value in _compared(values)}
    other = [] if few else [value for value in _compared(last) if _side(value) != before.get(value.method, 0)]
    kinds = (
        (f"better than {name} beyond chance", -1),
        (f"worse than {name} beyond chance", 1),
        (f"no longer told from {name}", 0),
    )
    found = [f"{words}: {_sizes(some)}" for words, side in kinds if (some := [v for v in other if _side(v) == side])]
    if _names(_first(last)) != _names(_first(values)):
        found.insert(0, f"the lowest is that of {_names(_first(last))}")
    return [f"at the last epoch, in place of the best of each run, {'; '.join(found)}"] if found else []


def _limit(family: Sequence[Value]) -> list[str]:
    """What the seeds could have told at all, where that is nothing."""
    pairs = max((value.pairs or 0 for value in family), default=0)
    if not pairs or (least := min(1.0, smallest_p(pairs, 2) * len(family))) <= LEVEL:
        return []
    several = len(family) > 1
    over = f" after Holm over {counted(len(family), 'comparison')}" if several else ""
    text = (
        f"No winner can be named: with {counted(pairs, 'seed')} the smallest p that can come out is {number(least, 2)}{over},"
        f" however large a difference is. It takes at least {seeds_needed(len(family), 2)} seeds."
    )
    alone = [value for value in family if value.p is not None and value.p <= LEVEL]
    if alone and several:
        few = len(alone) <= MOST and len({value.K for value in family}) == 1
        text += f" Without that correction, {_sizes(alone) if few else f'{len(alone)} of them'} would pass."
    return [text]


def _lowest(values: Sequence[Value]) -> Value:
    """The best fit by differences over paired seeds, as a method may lack some; the reference is at zero."""
    return min([values[0], *_compared(values)], key=_difference)


def _first(values: Sequence[Value]) -> list[Value]:
    """The methods that fit as well as the best: with a single vote an item, all deliveries are one."""
    least = _difference(_lowest(values))
    return [value for value in [values[0], *_compared(values)] if _difference(value) - least <= SAME]


def _span(low: float, high: float, decimals: int) -> str:
    return " to ".join(dict.fromkeys(f"{value:.{decimals}f}" for value in (low, high)))


def _difference(value: Value) -> float:
    return value.difference or 0.0


def _side(value: Value) -> int:
    """Below (-1) or above (1) the reference beyond chance, or not told from it (0)."""
    return 0 if not value.told else 1 if _difference(value) > 0 else -1


def _names(values: Sequence[Value], last: str = "and") -> str:
    return listed([in_words(value.method) for value in values], last)


def _sizes(values: Sequence[Value], last: str = "and") -> str:
    return listed([f"{in_words(value.method)} ({_signed(_difference(value))})" for value in values], last)


def _signed(difference: float) -> str:
    return ("+" if difference > 0 else "") + number(difference, 2)


def _compared(values: Sequence[Value]) -> list[Value]:
    """Those that share seeds with the reference."""
    return [value for value in values if value.difference is not None]


def _where(values: Sequence[Value], results: Results) -> str:
    """Over how many seeds, and what they hold out."""
    least, most = (pick(value.n for value in values) for pick in (min, max))
    seeds = f"over {'' if least == most else f'{least} to '}{counted(most, 'seed')}"
    if results.evaluated is None:
        return seeds
    items = f"{results.evaluated:,} held-out items"
    anew = next(iter(results.plans.values())).split.seed is None
    return f"{seeds}, each with {items} of its own" if anew else f"{seeds} on the same {items}"


def _votes(*numbers: int | None) -> str:
    if len(numbers) > 1:
        return f"{listed(map(votes_name, numbers))} votes of each item"
    return "all votes" if numbers[0] is None else f"{counted(numbers[0], 'vote')} of each item"
