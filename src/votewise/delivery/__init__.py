"""Which target example i gets in epoch t."""

from __future__ import annotations

from typing import Any

from votewise.delivery.check import check_delivery
from votewise.delivery.delivery import Delivery, SoftDelivery
from votewise.delivery.hard import SLS, Deterministic, Majority, Multipass, ShuffledSLS
from votewise.delivery.indexing import Indexed, with_index
from votewise.delivery.soft import LabelSmoothing, Soft
from votewise.errors import VotewiseError
from votewise.votes import Answers
from votewise.wording import listing

DELIVERIES: dict[str, type[Delivery]] = {
    delivery.name: delivery for delivery in (Soft, Multipass, SLS, Deterministic, ShuffledSLS, Majority, LabelSmoothing)
}

__all__ = [
    "DELIVERIES", "SLS", "Delivery", "Deterministic", "Indexed", "LabelSmoothing", "Majority", "Multipass", "ShuffledSLS",
    "Soft", "SoftDelivery", "check_delivery", "deliver", "with_index",
]  # fmt: skip


def deliver(name: str, votes: Answers, *, seed: int = 0, **options: Any) -> Delivery:
    """The delivery called `name`, as in "sls" or "multipass", with its options.

    >>> from votewise.votes import Votes
    >>> deliver("majority", Votes.from_counts([[3, 1], [0, 2]])).targets([0, 1], epoch=0).tolist()
    [0, 1]
    """
    if name not in DELIVERIES:
        raise VotewiseError(f"there is no delivery {name!r}", remedy=f"choose one of {listing(DELIVERIES, limit=9)}")
    try:
        return DELIVERIES[name](votes, seed=seed, **options)
    except TypeError as error:
        raise VotewiseError(
            f"{name} does not take these options ({error})", remedy="see help(votewise.delivery)"
        ) from None
