"""`score`: predictions and votes in, a scorecard out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from votewise.arrays import I64
from votewise.errors import UndefinedError, VotewiseError
from votewise.limits import MOST_BINS, MOST_SPLITS, whole_number
from votewise.scoring.bootstrap import Estimate, Interval, Intervals, two_level_tables, weighted_tables
from votewise.scoring.bootstrap import intervals as intervals_of
from votewise.scoring.calibration import few_items_note
from votewise.scoring.card import Scorecard
from votewise.scoring.ceiling import CEILING, annotator_ceiling
from votewise.scoring.columns import (
    confidence,
    correctable,
    cross_entropy,
    hit,
    jackknife_entropy,
    majority_class,
    predicted_class,
    tied,
    vote_entropy,
)
from votewise.scoring.declaration import Score, values_of
from votewise.scoring.dialects import DIALECTS
from votewise.scoring.item_table import Table
from votewise.scoring.matching import Aligned, align
from votewise.scoring.per_item import item_rows
from votewise.scoring.probabilities import AnyKind
from votewise.scoring.proper import entropy_floor, entropy_floor_corrected
from votewise.scoring.scores import chosen
from votewise.scoring.truth import TrueClasses
from votewise.votes import Answers, Votes, tally
from votewise.wording import counted, listing, quoted

_ALWAYS = (
    cross_entropy,
    vote_entropy,
    jackknife_entropy,
    correctable,
    tied,
    confidence,
    predicted_class,
    majority_class,
    hit,
)


def score(
    probabilities: Any,
    votes: Answers,
    *,
    truth: TrueClasses | None = None,
    scores: Iterable[str | Score] | None = None,
    dialect: str | None = "paper",
    kind: AnyKind = "auto",
    partial: bool = False,
    bins: int = 15,
    ties: tally.Ties = "lowest",
    intervals: int | Intervals | None = None,
    ceiling: int | None = None,
    seed: int = 0,
) -> Scorecard:
    """Score predictions against the votes on the same items.

    Args:
        probabilities: array or tensor [N, C], in the order of `votes.items`; or a pandas or polars frame, or `Predictions` from a
            file, which are matched by item id and class name.
        votes: `Votes` or `Distributions` on N items; items without votes are skipped and counted.
        truth: [N] true classes, as numbers or names; or from `read_truth`, or a pandas series with item ids as its index, also for
            only some of the items. Adds the scores that end in `_truth`.
        scores: the scores to compute, as keys of `SCORES`, `Score` objects, or import paths, for example
            `package.module:score`. Default: all of `SCORES`. Their variants in the dialect are added.
        dialect: a community whose versions of the scores are added: paper, chaosnli, lewidi2023, lewidi2025, kurniawan, baan, or None.
        kind: type of the predictions: "probabilities", "log-probabilities", "logits", or "auto" to detect it from the values.
        partial: score only the items that have a prediction.
        bins: number of bins of the calibration errors.
        ties: which class wins a tied majority: the lowest one, or one drawn by the seed ("random").
        intervals: number of bootstrap samples for 95 % intervals (1000 is usual), or `Intervals` for other options.
        ceiling: number of random splits (5 is usual) to score one half of the votes of each item against the other.
        seed: seed of all random draws.

    Returns:
        The scores with their corrections for few votes, intervals and notes.

    Raises:
        VotewiseError: If an argument is not valid or predictions and votes do not fit together.

    Example:
        >>> from votewise.votes import Votes
        >>> card = score([[0.7, 0.3], [0.2, 0.8]], Votes.from_counts([[4, 1], [1, 4]]))
        >>> round(card["soft_nll"], 4), round(card["soft_nll"] - card["kl"] - card.floor, 12)
        (0.5133, 0.0)
    """
    whole_number("bins (--bins)", bins, 1, MOST_BINS, "more bins are not informative")
    if ceiling is not None:
        whole_number("ceiling (--ceiling)", ceiling, 1, MOST_SPLITS, "more splits do not change the mean")
    resampling = intervals if intervals is None or isinstance(intervals, Intervals) else Intervals(intervals)
    ours = chosen(scores)
    theirs = _variants(dialect, ours)
    data = align(probabilities, votes, truth, kind=kind, partial=partial)
    columns = (*_ALWAYS, *(column for one in (*ours.values(), *theirs.values()) for column in one.columns))
    options: dict[str, Any] = {"bins": bins, "ties": ties, "seed": seed}
    table = data.table(columns, **options, keep_classes=resampling is not None)
    estimates = _estimates(ours, table)
    ends = {} if resampling is None else _intervals(ours, estimates, data, table, resampling, options)
    conventional, undefined = values_of({key: one.of for key, one in theirs.items()}, table)
    halves, no_halves = _halves(data.votes, ceiling, seed, [ours[key] for key in CEILING if key in ours], ties)
    return Scorecard(
        scores=estimates.values,
        corrected=estimates.corrected,
        absent=estimates.absent | {f"{dialect}: {key}": reason for key, reason in undefined.items()},
        floor=entropy_floor(table),
        items=item_rows(ours.values(), table, data.votes),
        skipped=data.skipped,
        ties=round(table.sum(table[tied])),
        uncorrected=0 if correctable in table.missing else table.items - round(table.sum(table[correctable])),
        dialect=conventional,
        ceiling=halves,
        intervals={key: pair for (key, corrected), pair in ends.items() if not corrected},
        corrected_intervals={key: pair for (key, corrected), pair in ends.items() if corrected},
        settings={
            "kind": data.predictions.kind,
            "kind_from": data.predictions.kind_from,
            "matched_by": data.by,
            "partial": partial,
            "dialect": dialect,
            "ceiling": ceiling,
            **options,
            "intervals": None if resampling is None else resampling.samples,
            "over": None if resampling is None else resampling.over,
            "level": None if resampling is None else resampling.level,
        },
        matching=(str(data), *data.notes),
        notes=(
            *data.notes,
            *few_items_note(table, ours.values()),
            *estimates.notes,
            *no_halves,
            *_infinite_note(estimates.values, table, data.votes),
        ),
        definitions=tuple(ours.values()),
    )


class _Estimates(NamedTuple):
    """Values of scores by key, reasons for absent scores, corrected values, and notes on absent corrections."""

    values: dict[str, float]
    absent: dict[str, str]
    corrected: dict[str, float]
    notes: list[str]


def _estimates(scores: Mapping[str, Score], table: Table) -> _Estimates:
    corrections = {key: one.corrected for key, one in scores.items() if one.corrected}
    corrected, reasons = values_of({**corrections, "entropy_floor": entropy_floor_corrected}, table)
    notes = [f"not corrected for few votes: {reason}" for reason in dict.fromkeys(reasons.values())]
    return _Estimates(*values_of({key: one.of for key, one in scores.items()}, table), corrected, notes)


def _intervals(
    scores: Mapping[str, Score],
    estimates: _Estimates,
    data: Aligned,
    table: Table,
    resampling: Intervals,
    options: Mapping[str, Any],
) -> dict[tuple[str, bool], Interval]:
    """The interval of each score, and of each corrected score, by (key, whether it is corrected)."""

    def drawn_again(sample: I64, votes: Votes) -> Table:
        return data.take(sample, votes).table(table.columns, **options, keep_classes=True)

    if resampling.over == "items":
        tables = weighted_tables(table, resampling.samples, options["seed"])
    else:
        tables = two_level_tables(drawn_again, data.votes, resampling.samples, options["seed"])
    wanted = {
        (key, False): Estimate(scores[key].of, value, scores[key].bounds) for key, value in estimates.values.items()
    }
    for key, score in scores.items():
        if score.corrected and key in estimates.corrected:
            wanted[key, True] = Estimate(score.corrected, estimates.corrected[key])
    return intervals_of(wanted, tables, table.items, resampling.level)


def _halves(
    votes: Answers, splits: int | None, seed: int, scores: Iterable[Score], ties: tally.Ties
) -> tuple[dict[str, float], list[str]]:
    """The score of one half of the votes against the other half, if requested; or a note on why it is not defined."""
    if splits is None:
        return {}, []
    try:
        return annotator_ceiling(votes, splits, seed, scores, ties=ties), []
    except UndefinedError as reason:
        return {}, [f"the two halves of the votes were not compared: {reason.what}"]


def _variants(dialect: str | None, scores: Mapping[str, Score]) -> dict[str, Score]:
    """The scores of a dialect that are variants of the given ones."""
    if dialect is None:
        return {}
    if dialect not in DIALECTS:
        raise VotewiseError(
            f"unknown dialect {quoted(dialect)}",
            remedy=f"give one of {listing(DIALECTS, len(DIALECTS))} with dialect= (--dialect)",
        )
    return {key: one for key, one in DIALECTS[dialect].items() if one.variant_of in scores}


def _infinite_note(values: Mapping[str, float], table: Table, answers: Answers) -> list[str]:
    if np.isfinite(values.get("soft_nll", values.get("kl", 0.0))):
        return []
    place = np.flatnonzero(np.isinf(table[cross_entropy]))
    if not place.size:
        return ["soft_nll and kl are infinite: the sum over the items is too large for a number"]
    name = answers.name_of(int(place[0]))
    return [
        f"soft_nll and kl are infinite: {counted(len(place), 'item')}, {quoted(name)} first, with votes for a class of"
        " probability 0"
    ]
