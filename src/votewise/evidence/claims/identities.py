"""What must hold whatever is trained: Proposition 1 of Gheibi and Ghazizadeh 2026, equations 4 to 8, calculated anew.

In float64 by going through all labels (1e-12), and by sampling the labels that SLS delivers (4 standard errors).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.delivery import SLS
from votewise.evidence.claims.procedures import EPOCHS, ERRORS, for_tapes, procedures
from votewise.evidence.claims.verdict import Finding
from votewise.votes import Distributions, Votes, example_votes
from votewise.votes.answers import Answers
from votewise.votes.tally import entropy

F64 = NDArray[np.float64]

EXACT = 1e-12
CLASSES = (2, 3, 10, 100, 1000)


def identities(votes: Answers | None = None) -> dict[str, Finding]:
    """Every identity (M) and procedure (P) by its id; `votes` are those at hand, the example's unless given."""
    at_hand: Answers = example_votes() if votes is None else votes
    at_hand = at_hand.voted() if isinstance(at_hand, Votes) else at_hand
    tapes = for_tapes(at_hand)
    found = {"M1": m1(), "M2": m2(), "M3": m3(), "M4": m4(), "M5": m5(), "M6": m6(at_hand), "M7": m7(tapes)}
    return found | procedures(tapes)


# --- mathematics -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Pair:
    """A distribution p and logits z [C], as a model could have them; q is the softmax of z."""

    p: F64
    z: F64

    @property
    def log_q(self) -> F64:
        return _log_softmax(self.z)

    @property
    def q(self) -> F64:
        return np.exp(self.log_q)

    @property
    def gradients(self) -> F64:
        """The logit gradient [C, C] of the loss of each label: q - e_y (its derivation is what M2 checks)."""
        return self.q - np.eye(len(self.p))


def _pairs(most: int = 1000) -> Iterator[_Pair]:
    """Spread out, one-hot and uniform p with 2 to `most` classes."""
    for classes in (c for c in CLASSES if c <= most):
        spread = np.exp(_normal("p", classes, classes))
        for shape in (spread / spread.sum(), np.eye(classes)[classes // 2], np.full(classes, 1 / classes)):
            yield _Pair(shape, 3 * _normal("z", classes, classes))


def _sampled(pair: _Pair, epochs: int = 20_000) -> NDArray[np.intp]:
    """Labels [epochs] that SLS delivers for p."""
    return np.asarray(SLS(Distributions(pair.p[None])).targets(np.zeros(1, np.int64), np.arange(epochs)[:, None])[:, 0])


def m1() -> Finding:
    """The expected hard-label loss is the soft cross-entropy."""
    exact, sampled = 0.0, 0.0
    for pair in _pairs():
        expected = float(pair.p @ -pair.log_q)
        divergence = float(np.sum(pair.p * (np.log(np.where(pair.p > 0, pair.p, 1)) - pair.log_q)))
        exact = max(exact, abs(expected - float(entropy(pair.p)) - divergence))
    for pair in _pairs(10):
        sampled = max(sampled, _errors(-pair.log_q[_sampled(pair)], pair.p @ -pair.log_q))
    return _identity(exact, sampled, "for 2 to 1,000 classes the mean loss and the soft cross-entropy H(p) + KL(p, q)")


def m2() -> Finding:
    """The expected logit gradient is q - p, by automatic differentiation."""
    if (torch := _torch()) is None:
        return _no_torch()
    exact, sampled = 0.0, 0.0
    for pair in _pairs():
        z = torch.from_numpy(pair.z)
        gradient = torch.func.jacrev(lambda logits: -logits.log_softmax(0))(z).numpy()  # a row for each label
        exact = max(exact, _gap(pair.p @ gradient, pair.q - pair.p))
        if len(pair.p) <= 10:
            sampled = max(sampled, _errors(gradient[_sampled(pair)], pair.q - pair.p))
    return _identity(exact, sampled, "for 2 to 1,000 classes the mean logit gradient and q - p")


def m3() -> Finding:
    """The covariance of the logit gradient is Diag(p) - p p', whatever q is."""
    exact, sampled, between = 0.0, 0.0, 0.0
    for pair in _pairs(100):
        predicted = np.diag(pair.p) - np.outer(pair.p, pair.p)
        found = _covariance(pair.gradients, pair.p)
        other = _covariance(_Pair(pair.p, -0.5 * pair.z[::-1]).gradients, pair.p)
        exact, between = max(exact, _gap(found, predicted)), max(between, _gap(found, other))
        if len(pair.p) <= 3:
            centred = pair.gradients[_sampled(pair)] - (pair.q - pair.p)
            sampled = max(sampled, _errors(centred[:, :, None] * centred[:, None, :], predicted))
    return _identity(
        max(exact, between),
        sampled,
        "for 2 to 100 classes and two q each the covariance of the logit gradient and Diag(p) - pp'",
    )


def m4() -> Finding:
    """In parameter space the covariance is J' (Diag(p) - p p') J, on a small net."""
    if (torch := _torch()) is None:
        return _no_torch()
    inside, hidden, classes = 5, 4, 3
    sizes = {"w1": (hidden, inside), "b1": (hidden,), "w2": (classes, hidden), "b2": (classes,)}
    weights = {
        name: torch.from_numpy(_normal(f"net/{name}", 0, math.prod(size)).reshape(size)) for name, size in sizes.items()
    }
    x, p = torch.from_numpy(_normal("net/x", 0, inside)), np.array([0.6, 0.3, 0.1])

    def logits(w: dict[str, Any]) -> Any:
        return w["w2"] @ torch.tanh(w["w1"] @ x + w["b1"]) + w["b2"]

    def flat(tree: dict[str, Any]) -> F64:
        return torch.cat([leaf.flatten(1) for leaf in tree.values()], dim=1).numpy()  # type: ignore[no-any-return]

    jacobian = flat(torch.func.jacrev(logits)(weights))  # [C, P]
    gradient = flat(torch.func.jacrev(lambda w: -logits(w).log_softmax(0))(weights))  # [C, P]: one row for each label
    predicted = jacobian.T @ (np.diag(p) - np.outer(p, p)) @ jacobian
    sample = gradient[_sampled(_Pair(p, np.zeros(classes)), 4000)] - p @ gradient
    return _identity(
        _gap(_covariance(gradient, p), predicted),
        _errors(sample**2, np.diag(predicted)),
        f"the covariance of the gradient of {gradient.shape[1]} weights and J'(Diag(p) - pp')J",
    )


def m5() -> Finding:
    """The expected squared norm of q - e_y is ||q - p||^2 + 1 - ||p||^2."""
    exact, sampled = 0.0, 0.0
    for pair in _pairs():
        norms = (pair.gradients**2).sum(axis=1)
        predicted = float(((pair.q - pair.p) ** 2).sum() + 1 - pair.p @ pair.p)
        exact = max(exact, abs(float(pair.p @ norms) - predicted))
        if len(pair.p) <= 10:
            sampled = max(sampled, _errors(norms[_sampled(pair)], predicted))
    return _identity(exact, sampled, "for 2 to 1,000 classes the mean of ||q - e_y||^2 and ||q - p||^2 + 1 - ||p||^2")


def m6(votes: Answers) -> Finding:
    """1 - ||p||^2 is zero for one-hot p alone, and never smaller after averaging p with a permutation of itself."""
    from votewise.errors import UndefinedError
    from votewise.scoring.ranks import correlation, mid_ranks, rising

    zero_alone, change = True, math.inf
    for place, pair in enumerate(_pairs()):
        extra = 1 - float(pair.p @ pair.p)
        zero_alone &= (extra < EXACT) == (pair.p.max() > 1 - EXACT)
        for turn in range(5):
            share = float(counter.uniform(counter.key("identities/share", place), turn, 0))
            shuffled = pair.p[counter.order(counter.key("identities/order", place), turn, np.arange(len(pair.p)))]
            mixed = (1 - share) * pair.p + share * shuffled
            change = min(change, 1 - float(mixed @ mixed) - extra)
    p = votes.probabilities()
    extra_rank, entropy_rank = (mid_ranks(rising(values, EXACT)) for values in (1 - (p**2).sum(axis=1), entropy(p)))
    try:
        beside = f"Spearman correlation with entropy over {len(p):,} items {correlation(extra_rank, entropy_rank):.3f}"
    except UndefinedError:
        beside = "all items at hand have the same entropy, so it has no correlation with it here"
    return Finding(
        "holds" if zero_alone and change >= -EXACT else "does not hold",
        f"1 - ||p||^2 is {'zero for one-hot targets alone' if zero_alone else 'zero elsewhere than for one-hot targets'};"
        f" averaging p with a permutation of itself changes it by {change:.1g} or more; {beside}",
    )


def m7(votes: Votes) -> Finding:
    """At fixed weights the SLS objective has the soft-label objective as its expectation."""
    p, noise = votes.probabilities(), _normal("m7", 0, len(votes) * votes.num_classes)
    log_q = _log_softmax(3 * p + noise.reshape(p.shape))  # a model that has learnt something
    soft = -float((p * log_q).sum(axis=1).mean())
    everyone = np.arange(len(votes))
    losses = np.array([-log_q[everyone, labels].mean() for labels in SLS(votes).tape(EPOCHS)])
    off = _errors(losses, soft)
    return Finding(
        "holds" if off <= ERRORS else "does not hold",
        f"over {EPOCHS:,} epochs of {len(votes)} items the SLS loss is {losses.mean():.5f} on average and the soft-label loss"
        f" {soft:.5f}: {off:.1f} standard errors apart",
    )


# --- what they share -------------------------------------------------------------------------------------------------


def _normal(stream: str, epoch: int, count: int) -> F64:
    from scipy.special import ndtri

    return np.asarray(ndtri(counter.uniform(counter.key(f"identities/{stream}", 0), epoch, np.arange(count))))


def _log_softmax(z: F64) -> F64:
    """Over the last axis of logits [..., C]."""
    z = z - z.max(axis=-1, keepdims=True)
    return np.asarray(z - np.log(np.exp(z).sum(axis=-1, keepdims=True)))


def _covariance(rows: F64, p: F64) -> F64:
    """Of rows [C, P] that come with chances p [C]."""
    centred = rows - p @ rows
    return np.asarray(centred.T @ (p[:, None] * centred))


def _gap(found: F64, predicted: F64) -> float:
    return float(np.abs(found - predicted).max())


def _errors(samples: F64, expected: F64 | float) -> float:
    """How many standard errors the mean of samples [T, ...] is off, at most; a rounding is none."""
    off = np.abs(samples.mean(axis=0) - expected)
    error = samples.std(axis=0, ddof=1) / math.sqrt(len(samples))
    return float(np.max(np.where(off <= EXACT, 0.0, off / np.maximum(error, 1e-300))))


def _identity(exact: float, sampled: float, what: str) -> Finding:
    return Finding(
        "holds" if exact <= EXACT and sampled <= ERRORS else "does not hold",
        f"{what} differ by {exact:.1g} at most over all labels, and by {sampled:.1f} standard errors over sampled ones",
    )


def _torch() -> Any:
    """Where it is installed."""
    try:
        import torch
    except ImportError:
        return None
    return torch


def _no_torch() -> Finding:
    return Finding("undecided", "not calculated: automatic differentiation needs torch, which is not installed")
