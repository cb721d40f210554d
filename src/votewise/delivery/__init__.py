"""Which target example i gets in epoch t."""

from __future__ import annotations

from typing import Any

from votewise.delivery.check import Contract, check_delivery
from votewise.delivery.delivery import Delivery, SoftDelivery
from votewise.delivery.fitting import require_fit
from votewise.delivery.hard import SLS, Deterministic, Majority, Multipass, ShuffledSLS
from votewise.delivery.indexing import Indexed, require_same_items, with_index
from votewise.delivery.options import checked_options, option_defaults, option_names
from votewise.delivery.soft import LabelSmoothing, Soft
from votewise.delivery.tape import fingerprint, table
from votewise.errors import VotewiseError
from votewise.votes import Answers
from votewise.wording import listing, quoted

DELIVERIES: dict[str, type[Delivery]] = {
    delivery.name: delivery for delivery in (Soft, Multipass, SLS, Deterministic, ShuffledSLS, Majority, LabelSmoothing)
}

__all__ = [
    "DELIVERIES", "SLS", "Contract", "Delivery", "Deterministic", "Indexed", "LabelSmoothing", "Majority", "Multipass", "ShuffledSLS",
    "Soft", "SoftDelivery", "check_delivery", "checked_options", "deliver", "fingerprint", "option_defaults", "option_names", "require_fit",
    "require_same_items", "table", "with_index",
]  # fmt: skip


def deliver(name: str, votes: Answers, *, seed: int = 0, **options: Any) -> Delivery:
    """The delivery called `name`, with its options.

    Args:
        name: A key of `DELIVERIES`, for example "sls" or "multipass".
        votes: Of N items.
        seed: Of the labels it draws, or of the order of the votes.
        **options: Of the delivery, for example `resample_every=5` of "sls".

    Raises:
        VotewiseError: If the name or an option is unknown, or the delivery cannot use these votes.

    Example:
        >>> from votewise.votes import Votes
        >>> deliver("majority", Votes.from_counts([[3, 1], [0, 2]])).targets([0, 1], epoch=0).tolist()
        [0, 1]
    """
    if name not in DELIVERIES:
        raise VotewiseError(f"unknown delivery {quoted(name)}", remedy=f"choose one of {listing(DELIVERIES, limit=9)}")
    return DELIVERIES[name](votes, seed=seed, **checked_options(DELIVERIES[name], options, where=name))
