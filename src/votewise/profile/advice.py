"""Which delivery fits some votes, why, and whether the choice matters.

The rules are based on the replications on CIFAR-10H and ChaosNLI (docs/replication.md and docs/replication-text.md), which the sentences cite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from votewise.wording import counted

Delivery = Literal["multipass", "sls"]
Matters = Literal["yes", "little", "no"]

# With early stopping, deliveries were equal from 3 votes on; without it they still differed with 100 votes, but less with more votes.
FULL = 50
NEARLY_ALL = 0.95  # share of unanimous items above which deliveries hardly differ


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommended delivery, whether the choice matters, the reasons for both, and notes."""

    delivery: Delivery
    reason: str
    matters: Matters
    because: str
    notes: tuple[str, ...] = ()


def advise(
    *,
    votes_per_item: float | None,
    most_votes: int | None,
    unanimous: float,
    single_votes: bool,
    weighted: bool,
    unvoted: int = 0,
    distance: tuple[float, float] | None = None,
) -> Advice:
    """Advice from a few facts about the votes.

    Args:
        votes_per_item: median over the items that have votes; None if unknown.
        most_votes: the largest number of votes on an item; None if unknown.
        unanimous: share of these items on which all votes agree.
        single_votes: whether there are individual votes, and not only probabilities.
        weighted: whether votes have different weights.
        unvoted: number of items without votes.
        distance: expected JS distance of the targets from the full distribution, now and with twice the votes.

    Example:
        >>> facts = dict(votes_per_item=5, most_votes=5, unanimous=0.6)
        >>> advise(**facts, single_votes=True, weighted=False).delivery
        'multipass'
        >>> advise(**facts, single_votes=False, weighted=False).delivery
        'sls'
    """
    delivery, reason = _delivery(single_votes, weighted)
    matters, because = _matters(votes_per_item, most_votes, unanimous)
    return Advice(
        delivery,
        reason,
        matters,
        because,
        tuple(_notes(unvoted, distance, unknown=not single_votes and votes_per_item is None)),
    )


def _delivery(single_votes: bool, weighted: bool) -> tuple[Delivery, str]:
    if not single_votes:
        return (
            "sls",
            "Only probabilities are available. SLS draws a label from them in each epoch; multipass needs individual votes.",
        )
    if weighted:
        return "sls", "The votes have weights, which multipass does not support: use SLS on votes.distributions()."
    return "multipass", (
        "There are individual votes. Multipass delivers each vote of an item once before it repeats any, so that the counts are "
        "exact and no label is random."
    )


def _matters(votes_per_item: float | None, most_votes: int | None, unanimous: float) -> tuple[Matters, str]:
    if most_votes == 1:
        return "no", "Each item has one vote: soft, multipass, SLS and majority all deliver this label."
    if unanimous == 1:
        return "no", "All items are unanimous: soft, multipass, SLS and majority all deliver the same label."
    if unanimous >= NEARLY_ALL:
        return "little", (
            f"{min(100 * unanimous, 99.9):.1f} % of the items are unanimous. On these items, soft, multipass, SLS and majority all deliver the "
            "same label."
        )
    if votes_per_item is None:
        return "little", (
            "With full distributions and early stopping, the soft NLL of soft, multipass and SLS differed by less than 0.04 nats on CIFAR-10H and "
            "ChaosNLI. If these probabilities were computed from few votes, give their number (votes_per_item=) for better advice."
        )
    if votes_per_item >= FULL:
        return "little", (
            f"With {votes_per_item:g} votes per item, the targets are near the full distribution. With as many votes and early stopping, the soft NLL of "
            "soft, multipass and SLS differed by less than 0.04 nats on CIFAR-10H and ChaosNLI; majority was worse."
        )
    return "yes", (
        f"With {votes_per_item:g} votes per item, the vote shares are noisy estimates, and a network that fits them memorises the noise. In experiments "
        "on CIFAR-10H and ChaosNLI with 3 to 10 votes and without early stopping, hard delivery (multipass, SLS) had a soft NLL that was about 0.1 to "
        "0.3 nats lower than that of soft labels. With early stopping, the difference was below 0.05 nats, and weight decay also made it small. In a linear model, "
        "hard delivery only added noise: use soft labels there."
    )


def _notes(unvoted: int, distance: tuple[float, float] | None, *, unknown: bool) -> list[str]:
    notes = []
    if unknown:
        notes.append(
            "These are probabilities without votes: agreement, confusions, annotators and items that need more votes are unknown. "
            "If a model predicted them, score them against the votes instead (votewise score, vw.score)."
        )
    if distance is not None:
        now, twice = distance
        notes.append(
            f"More votes: the expected JS distance of a target from the full distribution is {now:.3f} now and would be "
            f"{twice:.3f} with twice the votes."
        )
    if unvoted:
        items = f"{counted(unvoted, 'item')} {'has' if unvoted == 1 else 'have'}"
        notes.append(
            f"{items} no votes, but deliveries need votes on every item: leave these items out with votes.voted()."
        )
    return notes
