"""`score`: predictions and votes in, a scorecard out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import UndefinedError, VotewiseError
from votewise.scoring import bootstrap, calibration
from votewise.scoring.card import Scorecard
from votewise.scoring.ceiling import annotator_ceiling
from votewise.scoring.dialects import DIALECTS
from votewise.scoring.facts import Score, values_of
from votewise.scoring.matching import matched, predicted, refuse_others, with_votes
from votewise.scoring.predictions import as_predictions
from votewise.scoring.proper import entropy_floor, entropy_floor_corrected
from votewise.scoring.registry import SCORES
from votewise.scoring.table import I64, Table, tabulate
from votewise.scoring.truth import Truth, as_truth
from votewise.votes import Answers, Votes, tally
from votewise.wording import counted, listing, quoted

_LEVEL = 0.95
_ALWAYS = ("soft_nll", "vote_entropy", "jackknife_entropy", "correctable", "tied")


def score(
    probabilities: Any,
    votes: Answers,
    *,
    truth: ArrayLike | Sequence[str] | Truth | None = None,
    dialect: str | None = "paper",
    only: Sequence[str] | None = None,
    kind: str = "probabilities",
    partial: bool = False,
    bins: int = 15,
    ties: tally.Ties = "lowest",
    intervals: int | None = None,
    over: bootstrap.Over | None = None,
    level: float | None = None,
    ceiling: int | None = None,
    seed: int = 0,
) -> Scorecard:
    """Score predictions [N, C] against the votes on the same N items.

    probabilities  an array or tensor [N, C], or `Predictions` from a file, which are matched by item and class
    votes          `Votes` or `Distributions`; items that nobody voted on are skipped and counted
    truth          [N] true classes, as numbers or names, or from `read_truth`: adds the scores that end in _truth
    dialect        also gives a community's own scores: paper, chaosnli, lewidi2023, lewidi2025, kurniawan, baan
    only           names of the scores to compute, the dialect's variants of them included; all of them unless given
    kind           what the array holds: "probabilities", "log-probabilities", "logits", or "auto" to tell from its numbers
    partial        score the items that have a prediction and leave the others out, as for the predictions of a held-out part
    ties           who wins a tied majority: the lowest class, or one drawn by the seed ("random")
    intervals      number of bootstrap samples (1000 is usual) for intervals at `level` (0.95), over "items" or "items+votes"
    ceiling        number of random splits (5 is usual) to score one half of the votes of each item against the other

    >>> from votewise.votes import Votes
    >>> card = score([[0.7, 0.3], [0.2, 0.8]], Votes.from_counts([[4, 1], [1, 4]]))
    >>> round(card["soft_nll"], 4), round(card["soft_nll"] - card["kl"] - card.floor, 12)
    (0.5133, 0.0)
    """
    _check(bins=bins, intervals=intervals, over=over, level=level, ceiling=ceiling)
    ours, theirs = _chosen(only), _conventions(dialect, only)
    given = as_predictions(probabilities, kind)
    refuse_others(votes)
    true = None if truth is None else as_truth(truth, votes)
    true_class, every = None if true is None else true.classes, len(votes)
    if partial:
        place = predicted(given, votes)
        votes, true_class = votes.select(place), None if true_class is None else true_class[place]
    found = matched(given, votes)
    predictions, answers, true_class = with_votes(found.predictions, votes, true_class)
    columns = [*_ALWAYS, *(column for one in (*ours.values(), *theirs.values()) for column in one.columns)]
    options: dict[str, Any] = {"bins": bins, "ties": ties, "seed": seed, "keep_classes": intervals is not None}
    table = tabulate(predictions, answers, columns, truth=true_class, **options)

    raw = {name: one.of for name, one in ours.items()}
    fair = {name: one.corrected for name, one in ours.items() if one.corrected}
    scores, absent = values_of(raw, table)
    corrected, reasons = values_of({**fair, "entropy_floor": entropy_floor_corrected}, table)
    dialect_scores, dialect_absent = values_of({name: one.of for name, one in theirs.items()}, table)
    matching = (str(found), *found.notes, *(() if true is None else true.notes))
    if len(votes) < every:
        matching = (*matching, f"left out: {counted(every - len(votes), 'item')} without a prediction")
    notes = [*matching[1:], *calibration.notes(table, ours)]
    notes += [f"not corrected for few votes: {reason}" for reason in dict.fromkeys(reasons.values())]

    between: list[dict[str, bootstrap.Interval]] = [{}, {}]
    if intervals is not None:
        if over != "items+votes":
            tables = bootstrap.weighted_tables(table, intervals, seed)
        else:

            def again(sample: I64, drawn: Votes) -> Table:
                true = None if true_class is None else true_class[sample]
                return tabulate(predictions.take(sample), drawn, columns, truth=true, **options)

            tables = bootstrap.two_level_tables(again, answers, intervals, seed)
        bounds = {name: one.bounds for name, one in ours.items()}
        between = bootstrap.intervals(
            [(raw, scores, bounds), (fair, corrected, {})], tables, table.items, level or _LEVEL
        )
    top: Mapping[str, float] = {}
    if ceiling is not None:
        try:
            top = annotator_ceiling(votes, ceiling, seed)
        except UndefinedError as reason:
            notes.append(f"no half against half: {reason.what}")
    return Scorecard(
        scores=scores,
        corrected=corrected,
        absent=absent | {f"{dialect}: {name}": reason for name, reason in dialect_absent.items()},
        floor=entropy_floor(table),
        items=table.items,
        skipped=len(votes) - table.items,
        ties=round(table.sum(table["tied"])),
        uncorrected=0 if "correctable" in table.missing else table.items - round(table.sum(table["correctable"])),
        dialect=dialect_scores,
        ceiling=top,
        intervals=between[0],
        corrected_intervals=between[1],
        settings={
            "kind": predictions.kind,
            "kind_told_by": predictions.told,
            "matched_by": found.by,
            "partial": partial,
            "dialect": dialect,
            "bins": bins,
            "ties": ties,
            "seed": seed,
            "intervals": intervals,
            "over": over or "items" if intervals is not None else None,
            "level": level or _LEVEL if intervals is not None else None,
            "ceiling": ceiling,
        },
        matching=matching,
        notes=(*notes, *_infinite(scores, table, answers)),
    )


def _check(*, bins: int, intervals: int | None, over: str | None, level: float | None, ceiling: int | None) -> None:
    for name, value, least in (("bins", bins, 1), ("intervals", intervals, 2), ("ceiling", ceiling, 1)):
        if value is not None and value < least:
            raise VotewiseError(f"{name} is {value}", remedy=f"give {least} or more with {name}= (--{name})")
    if over not in (None, *get_args(bootstrap.Over)):
        raise VotewiseError(
            f"cannot resample over {over!r}",
            remedy=f"give one of {listing(get_args(bootstrap.Over))} with over= (--over)",
        )
    if level is not None and not 0 < level < 1:
        raise VotewiseError(
            f"level is {level}", remedy="give a share between 0 and 1, such as 0.95, with level= (--level)"
        )
    for name, given in (("over", over), ("level", level)):
        if given is not None and intervals is None:
            raise VotewiseError(
                f"{name} is {given!r}, but no intervals are asked for",
                remedy="say how many samples they take: intervals=1000 (--intervals 1000)",
            )


def _chosen(only: Sequence[str] | None) -> dict[str, Score]:
    if only is None:
        return dict(SCORES)
    if isinstance(only, str):
        raise VotewiseError(f"only is the text {only!r}", remedy=f"give a list: only=[{only!r}]")
    if unknown := [name for name in only if name not in SCORES]:
        raise VotewiseError(
            f"there is no score {listing(unknown)}", remedy=f"use some of {listing(SCORES, len(SCORES))}"
        )
    return {name: SCORES[name] for name in only}


def _conventions(dialect: str | None, only: Sequence[str] | None) -> Mapping[str, Score]:
    if dialect is None:
        return {}
    if dialect not in DIALECTS:
        raise VotewiseError(
            f"there is no dialect {dialect!r}",
            remedy=f"give one of {listing(DIALECTS, len(DIALECTS))} with dialect= (--dialect)",
        )
    return {name: one for name, one in DIALECTS[dialect].items() if only is None or one.variant_of in only}


def _infinite(scores: Mapping[str, float], table: Table, answers: Answers) -> list[str]:
    if np.isfinite(scores.get("soft_nll", scores.get("kl", 0.0))):
        return []
    place = np.flatnonzero(np.isinf(table["soft_nll"]))
    name = answers.name_of(int(place[0]))
    return [
        f"soft_nll and kl are infinite: {counted(len(place), 'item')}, {quoted(name)} first, with votes for a class of"
        " probability 0"
    ]
