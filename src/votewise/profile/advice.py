"""Which delivery fits the votes at hand, why, and whether the choice will matter at all.

The rules rest on one study of one data set (Gheibi and Ghazizadeh 2026, Same Target, Different Basins: CIFAR-10H), and the
sentences say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from votewise.wording import counted

Delivery = Literal["multipass", "sls"]
Matters = Literal["yes", "little", "no"]

# With all of about 51 votes the study found no difference; in its sweep K = 50 still favoured hard deliveries.
FULL = 50
NEARLY_ALL = 0.95  # share of unanimous items from which deliveries hardly differ


@dataclass(frozen=True, slots=True)
class Advice:
    """The delivery that fits and why; whether the choice matters and why; what else is worth knowing."""

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
    """Advice from the few facts it depends on.

    Args:
        votes_per_item: median over the items that have votes; None if not known.
        most_votes: the largest number of votes on an item; None if not known.
        unanimous: share of these items on which all votes agree.
        single_votes: whether there are votes, and not probabilities alone.
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
    return Advice(delivery, reason, matters, because, tuple(_notes(unvoted, distance)))


def _delivery(single_votes: bool, weighted: bool) -> tuple[Delivery, str]:
    if not single_votes:
        return (
            "sls",
            "There are only probabilities: SLS draws a label from them in each epoch; multipass needs the votes.",
        )
    if weighted:
        return "sls", "The votes have weights, which multipass cannot keep: use SLS on votes.distributions()."
    return "multipass", (
        "There are individual votes: multipass delivers each vote of an item once before any is repeated, so that counts are "
        "kept and no label is left to chance."
    )


def _matters(votes_per_item: float | None, most_votes: int | None, unanimous: float) -> tuple[Matters, str]:
    if most_votes == 1:
        return "no", "Each item has one vote: soft, multipass, SLS and majority are all that one label."
    if unanimous == 1:
        return "no", "All items are unanimous: soft, multipass, SLS and majority are all the same label."
    if unanimous >= NEARLY_ALL:
        return "little", (
            f"{min(100 * unanimous, 99.9):.1f} % of the items are unanimous, and on those soft, multipass, SLS and majority are all the "
            "same label."
        )
    if votes_per_item is None:
        return "little", (
            "With full distributions soft, multipass and SLS ended level on CIFAR-10H, the one data set studied. If few "
            "votes are behind these probabilities, give their number (votes_per_item=) for a better answer."
        )
    if votes_per_item >= FULL:
        return "little", (
            f"With {votes_per_item:g} votes per item the targets are near the full distribution. There soft, multipass and "
            "SLS ended level on CIFAR-10H, the one data set studied; majority did worse."
        )
    return "yes", (
        f"With {votes_per_item:g} votes per item the targets are sparse. On CIFAR-10H, the one data set studied, hard "
        "delivery (multipass, SLS) then ended with lower soft NLL than soft labels, more so on items whose target was far "
        "from the full distribution. Expect it only of a model that can fit its targets."
    )


def _notes(unvoted: int, distance: tuple[float, float] | None) -> list[str]:
    notes = []
    if distance is not None:
        now, twice = distance
        notes.append(
            f"More votes: the expected JS distance of a target from the full distribution is {now:.3f} now and would be "
            f"{twice:.3f} with twice the votes."
        )
    if unvoted:
        items = f"{counted(unvoted, 'item')} {'has' if unvoted == 1 else 'have'}"
        notes.append(f"{items} no votes, which no delivery accepts: leave such items out with votes.voted().")
    return notes
