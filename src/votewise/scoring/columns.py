"""Columns: functions that compute one number per item, and from which every score is computed. A column is a pure function
of a block of n items that returns [n].

Arrays of a block have shape [C, n], classes first, because a sum over ten classes is ten times faster along long rows of memory
than along rows of ten numbers. Values that several columns need are computed once per block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, I64
from votewise.errors import UndefinedError
from votewise.votes import tally

_TABLE = 1 << 20  # up to this number of votes per item, logarithms are looked up in a table, which is faster
_ALMOST = 2.0**-53 - 1  # slightly above -1, so that log1p is finite, and 0 times it is 0
_TINY = 2.3e-308  # lower limit of x in log x, so that x log x is 0 at 0 without a special case


@dataclass(frozen=True)
class Block:
    """n items, classes first.

    Attributes:
        mass: [C, n] counts, weights or probabilities of the annotators; `share` is the normalised mass.
        model: [C, n] probabilities of the model.
        log_model: [C, n] logarithms of `model`.
        votes: [n] number of votes behind each item, None if unknown or if votes have weights.
        truth: [n] true class, -1 if it is not known; None if not given.
        row: [n] identity of the items, for ties drawn at random.
        position: [C] of ordinal classes, None for nominal ones.
        ties: how to break a tied majority.
        seed: the seed of random ties.
    """

    mass: NDArray[Any]
    model: F64
    log_model: F64
    votes: I64 | None
    truth: I64 | None
    row: I64
    position: F64 | None
    ties: tally.Ties = "lowest"
    seed: int = 0

    @cached_property
    def share(self) -> F64:
        """Share of the votes [C, n]."""
        return np.asarray(self.mass / self.mass.sum(axis=0))

    @cached_property
    def difference(self) -> F64:
        return np.asarray(self.share - self.model)

    @cached_property
    def share_log_share(self) -> F64:
        return x_log_x(self.share)

    @cached_property
    def model_log_model(self) -> F64:
        """Sum of q log q over classes [n]."""
        if np.isneginf(self.log_model.min()):
            return x_log_x(self.model)
        return over_classes(self.model, self.log_model)

    @cached_property
    def js_divergence(self) -> F64:
        """Jensen-Shannon divergence of votes and model in nats [n]."""
        divergence = (self.share_log_share + self.model_log_model) / 2 - x_log_x((self.share + self.model) / 2)
        close = np.flatnonzero(
            divergence < 1e-10
        )  # the difference of entropies has no correct digits there because of cancellation
        divergence[close] = _js_of_close(self.share[:, close], self.model[:, close])
        return divergence

    @cached_property
    def predicted(self) -> I64:
        """The class of largest probability [n]; ties go to the lowest."""
        return np.asarray(self.model.argmax(axis=0))

    @cached_property
    def top(self) -> NDArray[np.bool_]:
        """Which classes hold the most votes [C, n]; masses that differ only by rounding are equal, as in `tally.at_top`."""
        return np.asarray(self.share >= self.share.max(axis=0) * (1 - 1e-12))

    def majority(self, ties: tally.Ties) -> I64:
        if ties == "lowest":
            return np.asarray(self.top.argmax(axis=0))
        return tally.majority(self.mass.T, ties, self.seed, self.row)


Column = Callable[[Block], F64]


@dataclass(frozen=True)
class ByClass:
    """A column with a value for each class [C, n], for which a table keeps the sums over items [C]."""

    of: Column

    def __call__(self, block: Block) -> F64:
        return self.of(block)


def soft_nll_per_item(p: NDArray[np.floating[Any]], log_q: NDArray[np.floating[Any]]) -> F64:
    """Cross-entropy -sum p log q of each item, in nats. All soft NLLs of this library are computed here.

    Args:
        p: [n, C] distributions of the votes.
        log_q: [n, C] logarithms of the model's probabilities.

    Returns:
        [n]. A class with p = 0 adds nothing, even if q = 0; a class with p > 0 and q = 0 makes it infinite.

    Example:
        >>> soft_nll_per_item(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([[-1.0, -2.0], [0.0, -np.inf]]))
        array([1.5, 0. ])
    """
    with np.errstate(invalid="ignore"):
        product = p * log_q
    if log_q.min(initial=0.0) == -np.inf:
        product[p == 0] = 0.0
    return np.asarray(0.0 - product.sum(axis=1))


def total_variation_per_item(p: F64, q: F64) -> F64:
    """Total variation distance [n] of distributions p and q, each [n, C]."""
    return total_variation(_rows(p, q))


def js_divergence_per_item(p: F64, q: F64) -> F64:
    """Jensen-Shannon divergence [n] of distributions p and q, each [n, C], in nats."""
    return _rows(p, q).js_divergence


def _rows(p: F64, q: F64) -> Block:
    with np.errstate(divide="ignore"):
        return Block(p.T, q.T, np.log(q.T), votes=None, truth=None, row=np.arange(len(p)), position=None)


def over_classes(x: F64, y: F64) -> F64:
    """Sum of x y over classes, each [C, n] -> [n]."""
    return np.asarray(np.einsum("cn,cn->n", x, y))


def x_log_x(x: F64) -> F64:
    """Sum of x log x over classes [C, n] -> [n]."""
    logarithm = np.maximum(x, _TINY)
    np.log(logarithm, out=logarithm)
    return over_classes(x, logarithm)


# --- distances between votes and model --------------------------------------------------------------------------------


def cross_entropy(b: Block) -> F64:
    return soft_nll_per_item(b.share.T, b.log_model.T)


def vote_entropy(b: Block) -> F64:
    return -b.share_log_share + 0.0  # + 0.0: never minus zero


def model_entropy(b: Block) -> F64:
    return -b.model_log_model + 0.0


def entropy_error(b: Block) -> F64:
    """Entropy of the model minus that of the votes: positive where the model is less certain than the annotators."""
    return model_entropy(b) - vote_entropy(b)


def entropy_distance(b: Block) -> F64:
    return np.abs(entropy_error(b))


def squared_error(b: Block) -> F64:
    return over_classes(b.difference, b.difference)


def total_variation(b: Block) -> F64:
    return np.asarray(np.abs(b.difference).sum(axis=0) / 2)


def js_divergence(b: Block) -> F64:
    return b.js_divergence


def js_distance(b: Block) -> F64:
    return np.sqrt(b.js_divergence)


def _js_of_close(p: F64, q: F64) -> F64:
    """JS divergence of nearly equal columns [C, n] by d = (p - q) / (p + q), small where entropies cancel."""
    both = p + q
    d = (p - q) / np.maximum(both, _TINY)
    more, less = (1 + d) * np.log1p(np.maximum(d, _ALMOST)), (1 - d) * np.log1p(np.maximum(-d, _ALMOST))
    return np.asarray(np.maximum((both * (more + less)).sum(axis=0) / 4, 0.0))


def wasserstein(b: Block) -> F64:
    return np.asarray(np.diff(_positions(b)) @ np.abs(np.cumsum(b.difference, axis=0)[:-1]))


def wasserstein_steps(b: Block) -> F64:
    """The Wasserstein distance with neighbouring classes one apart, regardless of their positions (LeWiDi 2025)."""
    return wasserstein(replace(b, position=np.arange(len(_positions(b)), dtype=np.float64)))


def _positions(b: Block) -> F64:
    if b.position is None:
        raise UndefinedError("the classes have no order", remedy="read the votes with ordinal=True (--ordinal)")
    return b.position


def same_ranking(b: Block) -> F64:
    """1 where votes and model rank the classes equally, with ties broken by class; neighbours are compared first."""
    votes, model = b.share, b.model
    same = ((votes[:-1] <= votes[1:]) == (model[:-1] <= model[1:])).all(axis=0)
    left = np.flatnonzero(same)
    order = [np.argsort(side[:, left].T, axis=1, kind="stable") for side in (votes, model)]
    same[left] = (order[0] == order[1]).all(axis=1)
    return np.asarray(same, dtype=np.float64)


def ranking_not_contradicted(b: Block) -> F64:
    """1 where the model ranks the classes like the votes; classes with equal votes may be in any order."""
    order = np.lexsort((b.share.T, b.model.T))
    votes = np.take_along_axis(b.share.T, order, axis=1)
    return np.asarray((np.diff(votes, axis=1) >= 0).all(axis=1), dtype=np.float64)


# --- the predicted class and whether it is right ----------------------------------------------------------------------


def confidence(b: Block) -> F64:
    return np.asarray(b.model.max(axis=0))


def predicted_class(b: Block) -> F64:
    """The number of the predicted class."""
    return np.asarray(b.predicted, dtype=np.float64)


def majority_class(b: Block) -> F64:
    """The number of the majority class; ties are resolved by the tie policy."""
    return np.asarray(b.majority(b.ties), dtype=np.float64)


def vote_share(b: Block) -> F64:
    """Share of the votes that the predicted class has."""
    return b.share[b.predicted, np.arange(b.share.shape[1])]


def hit(b: Block) -> F64:
    """1 where the predicted class is the majority of the votes; ties are resolved by the tie policy."""
    return np.asarray(b.predicted == b.majority(b.ties), dtype=np.float64)


def hit_random(b: Block) -> F64:
    """1 where the predicted class is the majority of the votes; ties are resolved at random, by the seed."""
    return np.asarray(b.predicted == b.majority("random"), dtype=np.float64)


def hit_truth(b: Block) -> F64:
    """1 where the predicted class is the true class, NaN where that is not known."""
    if b.truth is None:
        raise UndefinedError("no true classes were given", remedy="give truth= (--truth)")
    return np.where(b.truth < 0, np.nan, b.predicted == b.truth)


def tied(b: Block) -> F64:
    return np.asarray(b.top.sum(axis=0) > 1, dtype=np.float64)


# --- corrections for few votes -------------------------------------------------------------------------------------


def correctable(b: Block) -> F64:
    """1 where an item has at least two votes, as a correction requires."""
    return np.asarray(_votes(b) > 1, dtype=np.float64)


def brier_bias(b: Block) -> F64:
    """How much larger the squared error against K votes is, on average, than against the true distribution: sum p(1 - p) / (K - 1)."""
    variance = 1 - over_classes(b.share, b.share)
    return variance / np.maximum(_votes(b) - 1, 1)


def jackknife_entropy(b: Block) -> F64:
    """Entropy of the votes with its bias removed by the jackknife: sum of p (g(K) - g(n)), g(n) = n log n - (n-1) log(n-1).

    It is the closed form of K H - (K - 1) H', where H' is the mean entropy with one vote left out.
    """
    votes = _votes(b)
    count = b.mass
    if count.dtype.kind not in "iu":
        exact = b.share * votes
        count = np.rint(exact).astype(np.int64)
        if (np.abs(exact - count) > 1e-6 * votes).any():
            raise UndefinedError("the shares are not fractions of that many votes", remedy="give the votes themselves")
    most = int(votes.max())
    g = _g(np.arange(most + 1))[count] if most < _TABLE else _g(count)
    return np.maximum(_g(votes) - over_classes(b.share, g), 0.0)


def _g(n: NDArray[Any]) -> F64:
    below = np.maximum(n - 1.0, 0.0)
    return np.asarray(n * np.log(np.maximum(n, 1.0)) - below * np.log(np.maximum(below, 1.0)))


def _votes(b: Block) -> I64:
    if b.votes is None:
        raise UndefinedError("the number of votes of each item is not known", remedy="give the votes, without weights")
    return b.votes


# --- conventions of other papers --------------------------------------------------------------------------------------------


def nll_floored(b: Block) -> F64:
    """Cross-entropy with probabilities raised to at least 1e-15 and renormalised (ChaosNLI)."""
    floored = np.maximum(b.model, 1e-15)
    total = floored.sum(axis=0)
    return np.asarray(np.log(total) - over_classes(b.share, np.log(floored)))


def nll_clipped(b: Block) -> F64:
    """Cross-entropy with probabilities clipped to 1e-12 from 0 and 1, plus 1e-9 (LeWiDi 2023)."""
    clipped = np.clip(b.model, 1e-12, 1 - 1e-12)
    clipped += 1e-9
    return -over_classes(b.share, np.log(clipped))


# --- by class ---------------------------------------------------------------------------------------------------------


@ByClass
def overlap(b: Block) -> F64:
    """Smaller of share and probability [C, n]."""
    return np.minimum(b.share, b.model)


@ByClass
def combined(b: Block) -> F64:
    """Share plus probability [C, n]."""
    return b.share + b.model
