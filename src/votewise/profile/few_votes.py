"""The distance of targets from few votes to the full distribution, and the resulting bias of each score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from votewise import counter
from votewise.arrays import F64, I64
from votewise.profile import prior
from votewise.profile.cells import Cells
from votewise.votes import Distributions, Scale, Votes, drawing

if TYPE_CHECKING:
    from votewise.scoring import Scorecard

KS = (3, 5, 10, 25, 50, 100)
_ITEMS = 2_000
_WORK = 1 << 22  # limits on simulated cells and votes: with many classes or votes, fewer items are simulated
_ROUGH = 5  # votes per item below which the prior dominates the votes
_MOST = 10_000  # votes per item above which a simulated target hardly changes


@dataclass(frozen=True, slots=True)
class Expected:
    """Scores of a model that knows every full distribution, against targets from `votes` votes per item.

    `bias` is, for each score by its name, the score against the targets minus the score against the full distributions. The latter
    is zero for `js_distance`, `total_variation` and `manhattan` (L1), so their bias is the expected distance of a target from
    the full distribution. The bias of `soft_nll`, `kl` and `soft_brier` is the same for every model. Scores are those of
    `votewise.score`; scores that are not defined here are left out.
    """

    votes: float
    bias: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FewVotes:
    """Expected distances and biases with the current votes, with twice as many, and for each K in `KS`."""

    method: str
    now: Expected | None
    twice: Expected | None
    at: tuple[Expected, ...]

    def __repr__(self) -> str:
        return f"FewVotes(now, twice, at {', '.join(f'{case.votes:g}' for case in self.at)} votes per item)"


def few_votes(answers: Cells, num_classes: int, scale: Scale, row: I64, seed: int = 0) -> FewVotes | None:
    """Simulate targets of few votes for `answers`, whose items are identified by `row` [n].

    None if no item has two votes: disagreement between annotators and differences between items then cannot be separated.

    Accuracy: for the distance of K votes from all 51 of CIFAR-10H or 100 of ChaosNLI (three parts), the estimate from the K
    votes alone was off by 2 to 19 % at K = 5, by 1 to 7 % at 10 and 25, and up to 28 % too low at 2 and 3. If half of
    the items are unanimous without a single slip, it can be twice the true value. "Full" means unlimited votes, not all available votes.
    """
    from votewise.scoring import score

    if answers.counted and answers.size.max() < 2:
        return None
    likely = plausible(answers, num_classes, row, seed)
    full, sample, row, turn = likely.full, likely.sample, likely.row, likely.turn
    truth = Distributions(full, classes=tuple(map(str, range(num_classes))), scale=scale)
    itself, key = score(full, truth, dialect=None), counter.key("profile-votes", seed)

    def expected(votes: float, k: I64) -> Expected:
        return Expected(votes, _bias(truth, itself, simulate(full, np.minimum(k, _MOST), key, row, turn)))

    now = twice = None
    if answers.counted:
        usual = float(np.median(answers.size))
        now, twice = expected(usual, sample.size), expected(2 * usual, 2 * sample.size)
    return FewVotes(f"{likely.method}.", now, twice, tuple(expected(k, np.full(len(full), k)) for k in KS))


@dataclass(frozen=True, eq=False, slots=True)
class Plausible:
    """n plausible full distributions, given the votes.

    sample   the answers to their items; the items of a small set are repeated
    full     [n, C]
    row      [n] identity of the items
    turn     [n] number of earlier occurrences of the item
    method   description of how they were drawn
    """

    sample: Cells
    full: F64
    row: I64
    turn: I64
    method: str


def plausible(answers: Cells, num_classes: int, row: I64, seed: int = 0) -> Plausible:
    """Draw a full distribution for up to 2,000 of the items, which are identified by `row` [n]."""
    most = max(KS[-1], min(2 * int(answers.size.max()), _MOST))
    draws = min(_ITEMS, max(1, _WORK // max(8 * num_classes, most)))
    items = min(len(answers), draws)
    chosen = np.tile(evenly(len(answers), items), draws // items)  # [n] the items of a small set are repeated
    turn = np.arange(len(chosen)) // items
    sample, row = answers.take(chosen), row[chosen]

    if not answers.counted:
        full = np.zeros((len(chosen), num_classes))
        full[sample.item, sample.label] = sample.mass
        method = "The given probabilities are used as the full distributions, and K votes are drawn from each"
    else:
        base = class_balance(answers, num_classes)
        weight = prior.fit(answers.take(evenly(len(answers), min(len(answers), 5 * draws))), base)
        column = turn[:, None] * (2 + num_classes) + np.arange(2 + num_classes)
        uniform = counter.uniform(counter.key("profile", seed), column, row[:, None])
        full = prior.draw(sample, base, weight, uniform)
        method = (
            "The full distribution of an item is unknown: it is drawn from the posterior given its votes, under a "
            "mixture of Dirichlet priors fitted to these votes, and K votes are drawn from it"
        )
    if items < len(answers):
        method += f" ({items:,} of the items, chosen evenly)"
    if answers.counted and np.median(answers.size) < _ROUGH:
        method += f". With fewer than {_ROUGH} votes per item this is a rough guide"
    return Plausible(sample, full, row, turn, method)


def class_balance(answers: Cells, num_classes: int) -> F64:
    """Share of each class [C] in all votes, plus one vote spread over all classes, so that no class has probability 0."""
    votes = np.bincount(answers.label, answers.count, minlength=num_classes)
    return np.asarray((votes + 1 / num_classes) / (votes.sum() + 1), dtype=np.float64)


def evenly(count: int, size: int) -> I64:
    """`size` positions from 0 to count - 1, evenly spaced."""
    return np.arange(size) * count // size


def simulate(full: F64, k: I64, key: int, row: I64, turn: I64) -> I64:
    """Counts [n, C] of k[i] votes drawn from each row of `full` [n, C]; the votes for a small k are the first of those for a larger k."""
    item = np.repeat(np.arange(len(k)), k)
    vote = np.arange(len(item)) - np.repeat(np.cumsum(k) - k, k)
    bits = counter.draw(key, vote + _MOST * turn[item], row[item])
    label = drawing.from_distribution(counter.on_numpy, drawing.thresholds(full), item, bits)
    return np.bincount(item * full.shape[1] + label, minlength=full.size).reshape(full.shape)


def _bias(full: Distributions, itself: Scorecard, count: I64) -> dict[str, float]:
    """Scores of `full` against the targets count / K [n, C], minus its scores against `itself`.

    If the expectation over votes is known, it replaces the simulated one: soft NLL is linear in the target,
    KL is soft NLL minus the entropy of the target, soft Brier is too large by the sum of p (1 - p) / K.
    """
    from votewise.scoring import score

    target = score(full.probability, Votes.from_counts(count, full.classes, scale=full.scale), dialect=None)
    variance = 1 - (full.probability**2).sum(axis=1)
    return {name: target[name] - value for name, value in itself.scores.items() if name in target.scores} | {
        "soft_nll": 0.0,
        "kl": itself.floor - target.floor,
        "soft_brier": float((variance / count.sum(axis=1)).mean()),
    }
