"""What the methods side by side say, in a few sentences: no more than the seeds carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from votewise.errors import counted
from votewise.evidence.claims.rules import LEVEL
from votewise.evidence.methods import in_words
from votewise.evidence.statistics.power import seeds_needed, smallest_p
from votewise.evidence.statistics.wilcoxon import SAME
from votewise.evidence.tables.comparison import by_votes
from votewise.report.verdicts import number, sentence

if TYPE_CHECKING:
    from votewise.evidence.results import Results
    from votewise.evidence.tables import Table, Value

MOST = 4  # differences that a sentence names where the table has them all


def answer(table: Table, results: Results) -> list[str]:
    """A paragraph for each number of votes per item, or where the seeds are too few for any difference, one that says so.

    A method is said to fit best only where every other is told from it after Holm's correction; the others are compared with the
    reference and not with one another.
    """
    groups, last = by_votes(table), by_votes(table, "last")
    family = [value for values in groups.values() for value in values if value.p_holm is not None]
    limit = _limit(family)
    items = "" if results.evaluated is None else f"{results.evaluated:,} held-out items and "
    told, said = [], ""
    for k, values in groups.items():
        where = f"on {items}{_seeds(values)}"
        start = [*([where] if where != said else []), *([f"with {_votes(k)} in training"] if len(groups) > 1 else [])]
        parts = _lowest_of(", ".join(start), values, last.get(k, ()))
        told.append(" ".join(map(sentence, [*parts, *([] if limit else _told_apart(values))])))
        said = where
    return told + limit


def _lowest_of(start: str, values: Sequence[Value], last: Sequence[Value]) -> list[str]:
    """Who has the lowest soft NLL, at the last epoch too; and whether that is the best fit."""
    reference, others = values[0], _compared(values)
    if not others:
        names = _listed([in_words(value.method) for value in values])
        return [f"{start}, there are runs of {names} and nothing to compare them with"]
    best = _lowest(values)
    told = sum(map(_passes, others)) == len(values) - 1
    won = told and (best is reference or len(others) == 1)
    what = "the best fit to the votes is that of" if won else "the lowest soft NLL is that of"
    below = "" if best is reference else f", {number(-_difference(best), 2)} below that of {in_words(reference.method)}"
    parts = [f"{start}, {what} {_listed(_first(values))}: {'soft NLL ' if won else ''}{best.mean:.3f}{below}"]
    if last and last[0].method == reference.method and _first(last) != _first(values):
        parts.append(f"at the last epoch, in place of the best, it is that of {_listed(_first(last))}")
    return parts


def _told_apart(values: Sequence[Value]) -> list[str]:
    """Who is better or worse than the reference beyond chance, and who cannot be told from it."""
    name, others = in_words(values[0].method), _compared(values)
    better, worse = ([v for v in others if _passes(v) and _difference(v) * side > 0] for side in (-1, 1))
    rest = [value for value in others if not _passes(value)]
    kinds = (
        (f"better than {name} beyond chance", better),
        (f"worse than {name} beyond chance", worse),
        (f"cannot be told from {name}", rest),
    )
    return [f"{words}: {_sizes(some)}" for words, some in kinds if some]


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


def _first(values: Sequence[Value]) -> list[str]:
    """The methods that fit as well as the best: with a single vote an item, all deliveries are one."""
    least = _difference(_lowest(values))
    return [in_words(v.method) for v in [values[0], *_compared(values)] if _difference(v) - least <= SAME]


def _difference(value: Value) -> float:
    return value.difference or 0.0


def _sizes(values: Sequence[Value]) -> str:
    return _listed([f"{in_words(value.method)} ({_signed(_difference(value))})" for value in values])


def _signed(difference: float) -> str:
    return ("+" if difference > 0 else "") + number(difference, 2)


def _compared(values: Sequence[Value]) -> list[Value]:
    """Those that share seeds with the reference."""
    return [value for value in values if value.difference is not None]


def _passes(value: Value) -> bool:
    return value.p_holm is not None and value.p_holm <= LEVEL


def _seeds(values: Sequence[Value]) -> str:
    least, most = (pick(value.n for value in values) for pick in (min, max))
    return counted(most, "seed") if least == most else f"{least} to {counted(most, 'seed')}"


def _votes(k: int | None) -> str:
    return "all votes" if k is None else f"{counted(k, 'vote')} of each item"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
