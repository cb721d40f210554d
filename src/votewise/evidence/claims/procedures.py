"""What each delivery hands out, and what sub-sampling leaves, held against what the paper says of them.

Gheibi and Ghazizadeh 2026, sections 3, 4 and A.1: checked on label tapes and counts of the votes at hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from votewise.delivery import SLS, Deterministic, Multipass, ShuffledSLS
from votewise.evidence.claims.verdict import Finding
from votewise.evidence.published import published
from votewise.votes import Votes, example_votes
from votewise.votes.answers import Answers

ERRORS = 4  # standard errors that a mean over draws may be off
ITEMS, EPOCHS, MOST_VOTES = 400, 1000, 100  # of the votes at hand: what their tapes are checked on
TELLING = 20  # items with disagreement whose sub-samples are not nested by chance


def procedures(votes: Votes) -> dict[str, Finding]:
    """Every procedure by its id, on `votes` as `for_tapes` gives them."""
    return {name: check(votes) for name, check in PROCEDURES.items()}


def for_tapes(votes: Answers) -> Votes:
    """At most 400 items with at most 100 votes each; example votes where there are no single votes of equal weight to hand out."""
    if isinstance(votes, Votes) and not votes.weighted:
        size = votes.votes_per_item
        fitting = np.flatnonzero((size > 0) & (size <= MOST_VOTES))[:ITEMS]
        if len(fitting) > 1:
            return votes.select(fitting)
    return example_votes()


def p1(votes: Votes) -> Finding:
    """Multipass delivers every vote once in each cycle, at place t mod m_i of one order; an epoch has N items."""
    size, start = votes.votes_per_item, votes.indptr[:-1]
    tape = np.stack(list(Multipass(votes, seed=1).tape(2 * int(size.max()))))  # [epochs, N]
    epoch = np.arange(len(tape))[:, None]
    order = tape[epoch % size, np.arange(len(votes))]  # what a fixed sequence would say
    every = all(
        np.array_equal(np.sort(column[:m]), votes.label[first : first + m])
        for column, first, m in zip(tape.T, start.tolist(), size.tolist(), strict=True)
    )
    holds = every and np.array_equal(tape, order) and tape.shape[1] == len(votes)
    return _procedure(
        holds,
        f"every one of {int(size.sum()):,} votes on {len(votes)} items once in each cycle, and in the same order in the next",
    )


def p2(votes: Votes) -> Finding:
    """Deterministic control is multipass with the seed moved, and has no randomness of its own."""
    offset = published().protocol["deterministic_seed_offset"]
    epochs = int(votes.votes_per_item.max())
    control = [Deterministic(votes, seed=seed).fingerprint(epochs) for seed in (0, 0, 1)]
    moved = [Multipass(votes, seed=seed + offset).fingerprint(epochs) for seed in (0, 0, 1)]
    return _procedure(
        control == moved and control[0] == control[1],
        f"tapes over {epochs} epochs equal those of multipass at the seed plus {offset}, and made twice they are the same",
    )


def p3(votes: Votes) -> Finding:
    """Shuffled SLS permutes the distributions of the training items once; others are untouched."""
    half = len(votes) // 2
    training, before = votes.select(np.arange(half)), votes.probabilities()
    donors = np.stack([ShuffledSLS(training, seed=seed).donors() for seed in range(40)])
    permuted = bool((np.sort(donors, axis=1) == np.arange(half)).all())
    own = (donors == np.arange(half)).sum(axis=1)  # about Poisson with mean 1
    tape = np.stack(list(ShuffledSLS(training, seed=0).tape(50)))
    possible = before[donors[0]][np.arange(half), tape] > 0
    untouched = np.array_equal(votes.probabilities(), before)
    off = abs(float(own.mean()) - 1) * math.sqrt(len(own))
    return _procedure(
        permuted and bool(possible.all()) and untouched and off <= ERRORS,
        f"a permutation of the {half} training items for each of {len(own)} seeds, labels from the votes of the donor alone, evaluation"
        f" targets as they were; {own.mean():.2f} items keep their own on average (1 expected)",
    )


def p4(votes: Votes) -> Finding:
    """SLS draws from the vote shares at each epoch, and every R epochs where that is asked."""
    from scipy.special import chdtrc

    p, everyone = votes.probabilities(), np.arange(len(votes))
    seen = np.zeros_like(p)
    for labels in SLS(votes, seed=3).tape(EPOCHS):
        seen[everyone, labels] += 1
    chi_squared = float(((seen - EPOCHS * p)[p > 0] ** 2 / (EPOCHS * p[p > 0])).sum())
    df = int((p > 0).sum()) - len(p)
    chance = float(chdtrc(df, chi_squared)) if df else 1.0
    fresh = SLS(votes, seed=3)
    kept = all(
        np.array_equal(SLS(votes, seed=3, resample_every=r).table(t), fresh.table(t // r))
        for r in (5, 10, 50)
        for t in (0, r - 1, r, 3 * r + 1)
    )
    return _procedure(
        kept and not seen[p == 0].any() and chance > 1e-4,
        f"labels of {EPOCHS:,} epochs follow the vote shares (chi-squared {chi_squared:.0f} with {df} degrees of freedom, p = {chance:.2g}), and"
        " with an interval R the label of epoch t is that of block t div R",
    )


def p5(votes: Votes) -> Finding:
    """Sub-sampled counts are independent multinomial draws that sum to K, by the seed."""
    p, sweep = votes.probabilities(), published().protocol["votes_per_item_sweep"]
    inside, drawn = p > 0, {k: votes.resample(k, seed=0).counts() for k in sweep}
    kinds = inside.sum(axis=1)
    off = []
    for k, counts in drawn.items():
        chi_squared = float(((counts - k * p)[inside] ** 2 / (k * p[inside])).sum())
        inverse = np.where(inside, 1 / np.where(inside, p, 1), 0).sum(axis=1)
        variance = float((2 * (kinds - 1) + (inverse - kinds**2 - 2 * kinds + 2) / k).sum())  # exact, Haldane 1937
        off.append(abs(chi_squared - float((kinds - 1).sum())) / math.sqrt(variance) if (kinds > 1).any() else 0.0)
    sums = all((counts.sum(axis=1) == k).all() and not counts[~inside].any() for k, counts in drawn.items())
    few, more = (drawn[k] for k in sweep[:2])
    nested = bool((few <= more).all()) and int((kinds > 1).sum()) >= TELLING
    again = np.array_equal(votes.resample(sweep[0], seed=0).counts(), few)
    return _procedure(
        sums and again and not nested and max(off) <= ERRORS,
        f"counts sum to K = {', '.join(map(str, sweep))} exactly, are not nested, are the same for the same seed, and are as far from K p as multinomial"
        f" draws are ({max(off):.1f} standard errors at most)",
    )


def _procedure(holds: bool, why: str) -> Finding:
    return Finding("holds" if holds else "does not hold", why if holds else f"not so: {why}")


PROCEDURES: dict[str, Callable[[Votes], Finding]] = {"P1": p1, "P2": p2, "P3": p3, "P4": p4, "P5": p5}
