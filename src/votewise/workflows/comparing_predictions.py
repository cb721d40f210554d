"""Predictions of models that were trained elsewhere, side by side: paired by seed or, with one set of predictions per model, by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from votewise.arrays import F64
from votewise.cards import Rows, element
from votewise.comparison import holm, interval, smallest_p, t_tail, wilcoxon
from votewise.errors import VotewiseError
from votewise.scoring import SCORES, Score, Scorecard, score
from votewise.votes import Answers
from votewise.wording import counted, quoted

LEVEL = 0.05
SHOWN = ("soft_nll", "accuracy", "smooth_ece_votes")


@dataclass(frozen=True, eq=False)
class ComparedPredictions:
    """The result of `compare_predictions`. `print(found)` shows the table and what its numbers are.

    Attributes:
        rows: one row per model: its name; the mean of each score; the difference of the first score from the reference, its 95 % interval and
            its p-value after Holm's correction.
        caption: what is paired, and which interval and test are used.
        cards: by name, the scorecard of each set of predictions.
    """

    rows: Rows
    caption: str
    cards: Mapping[str, tuple[Scorecard, ...]]

    def __str__(self) -> str:
        return f"{self.rows}\n{self.caption}"

    def _repr_html_(self) -> str:
        return f"{self.rows._repr_html_()}{element('p', self.caption)}"


def compare_predictions(
    predictions: Mapping[str, Any],
    votes: Answers | Sequence[Answers],
    *,
    scores: Iterable[str | Score] = SHOWN,
    **options: Any,
) -> ComparedPredictions:
    """Compare predictions of several models with the same votes, for example of models that another framework has trained.

    Args:
        predictions: by name, the predictions of a model [N, C] in any form that `score` accepts; or a list of them, one per seed. The other
            models are compared with the first.
        votes: the votes on the N items; or a list, with the held-out votes of each seed.
        scores: keys of `SCORES`, `Score` objects or import paths. Models are compared on the first; for single sets of predictions, it must
            be a mean over items.
        **options: further options of `score`, for example `kind="logits"`.

    Returns:
        The comparison: `.rows`, and the scorecards in `.cards`. Several seeds are paired by their place in the list (t interval, exact
        Wilcoxon test); they account for the randomness of training. Single sets of predictions are paired by item (t interval, t
        test); they account for the choice of items, but not for the randomness of training.

    Raises:
        VotewiseError: if there are fewer than two models, or their numbers of seeds or their items differ.

    Example:
        >>> import votewise as vw
        >>> votes, truth = vw.example_votes(), vw.example_truth().probability
        >>> found = vw.compare_predictions({"even": 0 * truth + 1 / truth.shape[1], "truth": truth}, votes)
        >>> found.rows["difference"][1] < 0, found.rows["p"][1] < 0.01
        (True, True)
    """
    if not isinstance(predictions, Mapping) or len(predictions) < 2:
        raise VotewiseError(
            "predictions must have at least two models by name", remedy='give for example {"soft": p, "sls": q}'
        )
    sets = {name: _several(given) for name, given in predictions.items()}
    seeds = {name: len(each) for name, each in sets.items()}
    if len(set(seeds.values())) > 1:
        raise VotewiseError(
            f"each model needs the same number of sets of predictions, got {', '.join(f'{n} ({name})' for name, n in seeds.items())}",
            remedy="give one set per seed, in the same order",
        )
    n = next(iter(seeds.values()))
    held_out = [votes] * n if isinstance(votes, Answers) else list(votes)
    if len(held_out) != n:
        raise VotewiseError(
            f"there are {counted(len(held_out), 'set')} of votes for {counted(n, 'set')} of predictions",
            remedy="give votes of the same items once, or one set per seed",
        )
    chosen = list(scores)
    cards = {
        name: tuple(score(p, v, scores=chosen, dialect=None, **options) for p, v in zip(each, held_out, strict=True))
        for name, each in sets.items()
    }
    first, *others = cards
    compared = next(iter(cards[first][0].scores))
    d = [_difference(cards[name], cards[first], compared) for name in others]
    ends = [interval(one) for one in d]
    rows = Rows(
        {
            "model": [*cards],
            **{key: [float(np.mean([card[key] for card in each])) for each in cards.values()] for key in cards[first][0].scores},
            "difference": [None, *(float(one.mean()) for one in d)],
            "low": [None, *(low for low, _ in ends)],
            "high": [None, *(high for _, high in ends)],
            "p": [None, *holm([wilcoxon(one) if n > 1 else _t_test(one) for one in d]).tolist()],
        }
    )  # fmt: skip
    return ComparedPredictions(rows, _caption(compared, first, n, len(cards[first][0].items), len(others)), cards)


def _several(given: Any) -> list[Any]:
    """The sets of predictions of a model: those of a list, unless it is one array as a list of rows."""
    one = not isinstance(given, list | tuple) or all(np.ndim(row) == 1 for row in given)
    return [given] if one else list(given)


def _difference(cards: Sequence[Scorecard], reference: Sequence[Scorecard], key: str) -> F64:
    """A score of a model minus that of the reference: for each seed or, with one set of predictions, for each item."""
    if len(cards) > 1:
        return np.array([one[key] - other[key] for one, other in zip(cards, reference, strict=True)])
    one, other = cards[0].items, reference[0].items
    if key not in one.columns:
        raise VotewiseError(
            f"{quoted(key)} has no value for single items", remedy="name a mean over items first, for example soft_nll"
        )
    if list(one["item"]) != list(other["item"]):
        raise VotewiseError("the models have predictions for different items", remedy="predict the same items")
    return np.asarray(one[key], np.float64) - np.asarray(other[key], np.float64)


def _t_test(d: F64) -> float:
    """The two-sided p-value of the paired t test."""
    return min(1.0, 2 * float(t_tail(d, abs(d.mean()))))


def _caption(key: str, first: str, seeds: int, items: int, comparisons: int) -> str:
    """What the numbers are."""
    over = f" after Holm's correction over {counted(comparisons, 'comparison')}" if comparisons > 1 else ""
    about = f"{SCORES[key].label if key in SCORES else key} minus that of {quoted(first)}, with its 95 % t interval"
    if seeds == 1:
        return (
            f"{counted(items, 'item')}. Difference: {about} over items; p: two-sided paired t test over items{over}."
            " They account for the choice of items, but not for the randomness of training."
        )
    smallest = min(1.0, comparisons * smallest_p(seeds, sides=2))
    few = f" With {counted(seeds, 'seed')}, p cannot be below {smallest:.2g}." if smallest > LEVEL else ""
    return (
        f"Means over {counted(seeds, 'seed')}. Difference: {about} over seeds; p: two-sided exact Wilcoxon test over seeds{over}."
        f" They account for the randomness of training, but not for the choice of items.{few}"
    )
