"""How to spend a budget of votes: more votes on each item, or more items.

A total of T votes is spent as K votes on each of M = T / K items. Two errors depend on the choice.

- The error of a target: the distance of the shares of K votes from the full distribution of their item. It depends only on K.
- The error of a score measured on the M items, relative to unlimited items and votes: its bias with K votes,
  and its standard error. For a mean over items, the squared standard error is

      (variance between items + variance from the votes on an item, which decreases with K) / M.

Full distributions are drawn from the posterior given the pilot votes (`few_votes.plausible`), and K votes from each. If
an expectation over votes is known, it replaces the simulated one: soft NLL is linear in the target, so its
variance has two terms and one vote on each item is best; soft Brier is too large by the sum of p (1 - p) / K.

The errors depend on the model that is scored. For a model that knows the full distributions, all distances are zero, items do
not differ, and votes would always go to few items. The model here is therefore as wrong as a few votes: its predictions are the
shares of five other votes, smoothed by one. The predictions of the user's model cannot replace it: they contain more information
about an item than its few pilot votes, and against distributions drawn only from these votes they look worse than they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from votewise import counter
from votewise.arrays import F64
from votewise.cards import Chart, Rows, curves
from votewise.errors import UndefinedError, VotewiseError
from votewise.limits import whole_number
from votewise.profile import cells
from votewise.profile.few_votes import Plausible, plausible, simulate
from votewise.votes import Distributions, Votes, require_answers
from votewise.wording import counted, listing

KS = (1, 2, 3, 5, 10, 20, 50)
SCORES = (
    "soft_nll",
    "kl",
    "soft_brier",
    "accuracy",
    "js_distance",
    "total_variation",
    "wasserstein",
    "entropy_correlation",
)
_TARGETS = ("js_distance", "total_variation")
_SAMPLES = 200  # bootstrap samples, for a score that is not a mean
_MODEL = 5  # number of votes per item from which the simulated model predicts
_MOST = 1_000  # simulated numbers of votes per item


@dataclass(frozen=True, eq=False, repr=False)
class Budget:
    """The result of `budget`: how to spend `total` votes. Use `print(budget)` or `budget.chart()`.

    Attributes:
        total: number of votes.
        items: number of items of the pilot, and `votes_per_item`, the median of their votes.
        targets: per number of votes on an item: the number of items, and the expected distance of a target from the
            full distribution of its item.
        scores: per score and number of votes on an item: `bias`, `standard_error`, `error` (root of the sum of their
            squares), and `corrected_error`, that of the score corrected for few votes, if it has a correction.
        doubling: per score its error now, with twice the votes on the items of the pilot, and with as many votes on each of
            twice as many items.
        method: how the numbers were computed.
    """

    total: int
    items: int
    votes_per_item: float
    targets: Rows
    scores: Rows
    doubling: Rows
    method: str

    def __repr__(self) -> str:
        return f"Budget({counted(self.total, 'vote')}, by a pilot of {counted(self.items, 'item')})"

    def __str__(self) -> str:
        return "\n".join(self.answer)

    def _repr_html_(self) -> str:
        from votewise.cards import card
        from votewise.profile.html import budget_parts

        return card(*budget_parts(self))

    def best(self, score: str) -> tuple[int, float]:
        """The number of votes per item with the smallest error of a score, and this error; of the corrected score if that is smaller."""
        rows = [(error, k) for k, error in self._errors(score)]
        if not rows:
            known = listing(dict.fromkeys(self.scores["score"]), 20)
            raise VotewiseError(f"no score {score!r} in this budget", remedy=f"choose one of {known}")
        error, k = min(rows)
        return k, error

    def _errors(self, score: str) -> list[tuple[int, float]]:
        """Votes per item and error of a score, if defined."""
        rows = self.scores
        every = zip(rows["score"], rows["votes_per_item"], rows["error"], rows["corrected_error"], strict=True)
        pairs = [
            (int(k), float(error if np.isnan(corrected) else min(error, corrected)))
            for name, k, error, corrected in every
            if name == score
        ]
        return [(k, error) for k, error in pairs if np.isfinite(error)]

    @property
    def answer(self) -> tuple[str, ...]:
        """The recommendations as sentences."""
        best: dict[int, list[str]] = {}
        for name in dict.fromkeys(self.scores["score"]):
            best.setdefault(self.best(name)[0], []).append(name)
        lines = [
            f"To measure {_listed(scores)} with {self.total:,} votes: {counted(k, 'vote')} on each of {self.total // k:,} items gives the smallest error."
            for k, scores in sorted(best.items())
        ]
        return (self.next_votes, *lines, *filter(None, [self.for_targets]))

    @property
    def for_targets(self) -> str:
        """The effect of more votes per item on targets."""
        distance = dict(zip(self.targets["votes_per_item"], self.targets["js_distance"], strict=True))
        now, twice = round(self.votes_per_item), 2 * round(self.votes_per_item)
        if now not in distance or twice not in distance:
            return ""
        return (
            f"For training, the expected JS distance of a target from the full distribution is {distance[now]:.3f} with {counted(now, 'vote')} per item "
            f"and {distance[twice]:.3f} with {twice}. The effect of more items depends on the model; to estimate it, compare models that are trained on "
            "fewer items."
        )

    @property
    def next_votes(self) -> str:
        """The effect of twice the votes: on the same items, or on as many new items."""
        names, _, votes, items = (self.doubling[name] for name in self.doubling.columns)
        same = [name for name, one, other in zip(names, votes, items, strict=True) if one < other]
        new = [name for name in names if name not in same]
        said = []
        if new:
            said.append(f"label new items (with as many votes on each) to measure {_listed(new)}")
        if same:
            said.append(f"collect more votes on the same items to measure {_listed(same)}")
        return f"With twice the votes, {', and '.join(said)}."

    def chart(self) -> Chart:
        """Error of each score by votes per item, relative to its smallest: 1 is the best use of the votes."""
        lines: dict[str, list[tuple[float, float]]] = {}
        for name in dict.fromkeys(self.scores["score"]):
            points = self._errors(name)
            least = min(error for _, error in points)
            if least > 0 and len(lines) < 6:
                lines[name] = [(float(k), min(error / least, _TALL)) for k, error in points]
        return curves(
            f"Error of a score measured with {self.total:,} votes",
            lines,
            across="votes per item (fewer items to the right)",
            up="times the smallest error",
            log=True,
        )

    def target_chart(self) -> Chart:
        """Expected distance of a target from the full distribution by votes per item."""
        lines = {
            name: list(zip(map(float, self.targets["votes_per_item"]), map(float, self.targets[name]), strict=True))
            for name in _TARGETS
        }
        named = {name.replace("_", " "): points for name, points in lines.items()}
        at = (self.votes_per_item, "now")
        return curves("Distance of a target", named, across="votes per item", up="expected distance", log=True, at=at)


_TALL = 6.0  # multiple of the smallest error at which the chart is cut off


def budget(
    votes: Votes | Distributions,
    total: int | None = None,
    *,
    votes_per_item: Sequence[int] | None = None,
    scores: Sequence[str] = SCORES,
    seed: int = 0,
) -> Budget:
    """Plan a budget of votes from pilot votes: more votes per item, or more items.

    Args:
        votes: the pilot, with at least two votes on some items.
        total: number of votes to spend, on items like those of the pilot. Default: twice the votes of the pilot.
        votes_per_item: the numbers of votes per item to compare. Default: 1 to 50, the number of the pilot and twice that number.
        scores: the scores to measure: means over items, or entropy_correlation.
        seed: seed of the simulation.

    Raises:
        UndefinedError: no item has two votes, the number of votes is unknown, or no score is defined.

    Example:
        >>> pilot = Votes.from_counts([[4, 1], [5, 0], [3, 2], [0, 5], [1, 4], [5, 0]])
        >>> budget(pilot, 600).best("soft_nll")[0]
        1
    """
    require_answers(votes)
    answers = cells.cells(votes)
    cells.require_pairs(answers, "so they are not a pilot for a budget")
    total = 2 * int(answers.size.sum()) if total is None else total
    whole_number("total (--budget)", total, 2)
    usual = float(np.median(answers.size))
    asked = sorted({*KS, round(usual), 2 * round(usual)} if votes_per_item is None else set(votes_per_item))
    ks = [k for k in asked if 1 <= k <= min(total // 2, _MOST)]
    if not ks:
        raise VotewiseError(f"{total} votes are too few for {asked} votes per item", remedy="give smaller numbers")
    likely = plausible(answers, votes.num_classes, votes.row[answers.position], seed)
    wanted = [name for name in scores if name != "wasserstein" or votes.scale.position is not None]
    rows, targets = [], []
    measure = _Measure(likely, _model(likely, seed), votes, wanted, seed)
    now, twice = max(round(usual), 1), 2 * max(round(usual), 1)
    by_votes = {k: measure(k) for k in sorted({*ks, now, twice})}
    for k in ks:
        measured, distance = by_votes[k]
        targets.append((k, total // k, *distance))
        for name, (bias, variance, fair_bias, fair_variance) in measured.items():
            spread, fair = np.sqrt(variance * k / total), np.sqrt(fair_variance * k / total)
            error = float(np.hypot(bias, spread))
            rows.append((name, k, total // k, bias, float(spread), error, float(np.hypot(fair_bias, fair))))
    if not rows:
        raise UndefinedError(
            f"{listing(scores)} cannot be measured with {listing(ks)} votes per item",
            remedy="give larger numbers with votes_per_item=, or other scores",
        )
    heads = ("score", "votes_per_item", "items", "bias", "standard_error", "error", "corrected_error")
    rows.sort(key=lambda row: wanted.index(row[0]))
    return Budget(
        total,
        len(answers),
        usual,
        _rows(("votes_per_item", "items", *_TARGETS), targets),
        _rows(heads, rows),
        _rows(
            ("score", "now", "twice_the_votes_per_item", "twice_the_items"),
            [
                (
                    name,
                    *(
                        _error(by_votes[k][0][name], items * len(answers))
                        for k, items in ((now, 1), (twice, 1), (now, 2))
                    ),
                )
                for name in wanted
                if name in by_votes[now][0] and name in by_votes[twice][0]
            ],
        ),
        f"{likely.method}. Scores are for a model that predicts about as well as the shares of {_MODEL} votes.",
    )


def _error(measured: tuple[float, float, float, float], items: int) -> float:
    """The error of a score on `items` items; of the corrected score if that is smaller."""
    bias, variance, fair_bias, fair_variance = measured
    return float(
        np.fmin(np.hypot(bias, np.sqrt(variance / items)), np.hypot(fair_bias, np.sqrt(fair_variance / items)))
    )


def _rows(heads: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Rows:
    return Rows({head: [row[at] for row in rows] for at, head in enumerate(heads)})


def _model(likely: Plausible, seed: int) -> F64:
    """Predictions [n, C] that are as wrong as a few votes."""
    full = likely.full
    few = simulate(full, np.full(len(full), _MODEL), counter.key("budget-model", seed), likely.row, likely.turn)
    return np.asarray((few + full.mean(axis=0)) / (_MODEL + 1))


class _Measure:
    """Mean and variance over items of the scores of a model [n, C] against K votes per item."""

    def __init__(
        self, likely: Plausible, model: F64, votes: Votes | Distributions, wanted: Sequence[str], seed: int
    ) -> None:
        from votewise.scoring import score

        self.likely, self.model, self.votes, self.wanted, self.seed = likely, model, votes, wanted, seed
        truth = Distributions(likely.full, classes=votes.classes, scale=votes.scale)
        self.exact = score(model, truth, scores=wanted, dialect=None)

    def __call__(self, k: int) -> tuple[dict[str, tuple[float, float, float, float]], tuple[float, ...]]:
        """By score: bias and variance of an item's value, and both after the correction (NaN if there is none); and the distances of targets."""
        from votewise.scoring import (
            Intervals,
            align,
            brier_bias,
            cross_entropy,
            jackknife_entropy,
            score,
            squared_error,
        )

        # the differences of these columns are the values of items, corrected for few votes
        correctable = {"soft_brier": (squared_error, brier_bias), "kl": (cross_entropy, jackknife_entropy)}

        full, likely = self.likely.full, self.likely
        key = counter.key("budget", self.seed)
        count = simulate(full, np.full(len(full), k), key, likely.row, likely.turn)
        drawn = Votes.from_counts(count, self.votes.classes, scale=self.votes.scale)
        card = score(self.model, drawn, scores=self.wanted, dialect=None)
        table = align(self.model, drawn).table([column for pair in correctable.values() for column in pair])
        found = {}
        for name in self.wanted:
            if name not in card.scores or name not in self.exact.scores:
                continue
            bias, fair = card[name] - self.exact[name], (np.nan, np.nan)
            if name in card.items.columns:
                values = np.asarray(card.items[name])
                variance = float(values.var())
                if name in correctable and k > 1:
                    value, excess = (table[column] for column in correctable[name])
                    corrected = value - excess
                    fair = (float(corrected.mean()) - self.exact[name], float(corrected.var()))
            else:
                ends = score(
                    self.model, drawn, scores=[name], dialect=None, intervals=Intervals(_SAMPLES, level=_ONE_SD)
                )
                low, high = ends.intervals.get(name, (np.nan, np.nan))
                variance = ((high - low) / 2) ** 2 * len(full)
            if name == "soft_nll":
                bias, variance = 0.0, _nll_variance(full, self.model, k)
            elif name == "soft_brier":
                bias, fair = float((1 - (full**2).sum(axis=1)).mean() / k), (0.0, fair[1])
            found[name] = (float(bias), variance, *fair)
        itself = score(full, drawn, scores=_TARGETS, dialect=None)
        return found, tuple(itself[name] for name in _TARGETS)


def _nll_variance(full: F64, model: F64, k: int) -> float:
    """Variance from item to item of the soft NLL against k votes: the variance of its expectation plus its mean variance from the votes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.where(full > 0, -np.log(model), 0.0)
        mean = (full * loss).sum(axis=1)
        return float(mean.var() + ((full * loss**2).sum(axis=1) - mean**2).mean() / k)


_ONE_SD = 0.6826894921370859  # level of an interval from one standard error below to one above the mean


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
