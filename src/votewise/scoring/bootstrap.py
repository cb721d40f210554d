"""Intervals by resampling.

`over="items"` draws items with replacement. An item's score already contains the noise of its votes, so the spread between
items holds both sources of chance: other items, and other people voting on them. For the mean score of a population of
items against their true distributions this covers at its nominal rate.

`over="items+votes"` draws items and, for each one drawn, its votes again with replacement. That counts the noise of the
votes twice: its intervals are too wide, by much where votes are few. It is offered because it is often asked for.

Either interval is that of the score with this many votes. Where that is biased and has no correction (JS, total
variation, ECE), the interval is around the biased value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.errors import VotewiseError
from votewise.scoring.table import Table
from votewise.scoring.undefined import UndefinedError
from votewise.votes import Answers, Votes

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Over = Literal["items", "items+votes"]
Interval = tuple[float, float]

_CELLS = 1 << 18


def item_samples(items: int, resamples: int, seed: int) -> Iterator[I64]:
    """The items of each bootstrap sample [resamples] x [items], drawn with replacement by the counter."""
    key = counter.key("bootstrap", seed)
    step = max(1, _CELLS // items)
    place = np.arange(items)
    for first in range(0, resamples, step):
        sample = np.arange(first, min(first + step, resamples))[:, None]
        yield from counter.below(counter.draw(key, sample, place[None, :]), items)


def weighted_tables(table: Table, resamples: int, seed: int) -> Iterator[Table]:
    """The table with each item as often as a bootstrap sample has it."""
    for sample in item_samples(table.items, resamples, seed):
        yield table.weighted(np.bincount(sample, minlength=table.items).astype(np.float64))


def resampled_votes(votes: Votes, sample: I64, turn: int, seed: int) -> Votes:
    """The items of `sample` [n], each with as many votes as it has, drawn from its own with replacement."""
    size = votes.votes_per_item[sample]
    indptr = np.concatenate(([0], np.cumsum(size)))
    drawn = counter.draw(counter.key("bootstrap-votes", seed), turn, np.arange(indptr[-1]))
    place = np.repeat(votes.indptr[sample], size) + counter.below(drawn, np.repeat(size, size))
    group = np.repeat(np.arange(len(sample)) * len(votes.label), size)
    place = np.sort(group + place) - group  # the canonical order of the votes of an item
    weight = None if votes.weight is None else votes.weight[place]
    return Votes(indptr, votes.label[place], classes=votes.classes, scale=votes.scale, weight=weight)


def two_level_tables(
    tabulated: Callable[[I64, Votes], Table], answers: Answers, resamples: int, seed: int
) -> Iterator[Table]:
    """A new table for each sample of items and of their votes."""
    if not isinstance(answers, Votes):
        raise VotewiseError(
            "there are no single votes to resample, only distributions", remedy="use over='items' (--over items)"
        )
    for turn, sample in enumerate(item_samples(len(answers), resamples, seed)):
        yield tabulated(sample, resampled_votes(answers, sample, turn, seed))


def samples(scores: Sequence[Mapping[str, Callable[[Table], float]]], tables: Iterable[Table]) -> list[dict[str, F64]]:
    """The value of every score on every table, for each of several sets of scores: name -> [tables], NaN where undefined."""
    drawn = [[[_or_nan(of, table) for of in some.values()] for some in scores] for table in tables]
    return [
        dict(zip(some, np.array([row[place] for row in drawn]).T, strict=True)) if some else {}
        for place, some in enumerate(scores)
    ]


def intervals(
    drawn: Mapping[str, F64],
    estimates: Mapping[str, float],
    items: int,
    level: float,
    bounds: Mapping[str, Interval] | None = None,
) -> dict[str, Interval]:
    """An interval for each score of `items` items: the spread of its samples, placed around the estimate.

    Percentiles, a little further out than the level says: a bootstrap of n items is too narrow by the root of (n - 1) / n and
    by using normal instead of t quantiles (Hesterberg 2015). The samples are shifted so that their mean is the estimate.
    That changes nothing for a mean over items; a score that is biased on a sample (ECE is, upwards) is biased once more on
    a sample of it, and the shift takes that off again.
    """
    from scipy.special import ndtr, stdtrit

    if items < 2:
        return {}
    tail = ndtr(np.sqrt(items / (items - 1)) * stdtrit(items - 1, (1 - level) / 2))
    found = {}
    for name, values in drawn.items():
        finite = values[np.isfinite(values)]
        if len(finite) < 0.9 * len(values):  # most samples must have the score for its spread to be known
            continue
        ends = np.quantile(finite, [tail, 1 - tail]) + (estimates[name] - finite.mean())
        low, high = np.clip(ends, *(bounds or {}).get(name, (-np.inf, np.inf)))
        found[name] = (float(low), float(high))
    return found


def _or_nan(of: Callable[[Table], float], table: Table) -> float:
    try:
        return of(table)
    except UndefinedError:
        return float("nan")
