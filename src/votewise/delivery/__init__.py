"""Deliveries: the target of example i in epoch t."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from votewise.delivery.check import Contract, check_delivery
from votewise.delivery.compatibility import require_fit
from votewise.delivery.delivery import Delivery, SoftDelivery
from votewise.delivery.hard import SLS, Deterministic, Majority, Multipass, ShuffledSLS
from votewise.delivery.indexing import Indexed, require_same_items, with_index
from votewise.delivery.signature import checked_options, option_defaults, option_names
from votewise.delivery.soft import LabelSmoothing, Soft
from votewise.delivery.tape import fingerprint, table
from votewise.errors import VotewiseError
from votewise.importing import import_object, is_import_path
from votewise.votes import Answers
from votewise.wording import listing, quoted

D = TypeVar("D", bound=Contract)
DELIVERIES: dict[str, type[Delivery]] = {
    delivery.name: delivery for delivery in (Soft, Multipass, SLS, Deterministic, ShuffledSLS, Majority, LabelSmoothing)
}

__all__ = [
    "DELIVERIES", "SLS", "Contract", "Delivery", "Deterministic", "Indexed", "LabelSmoothing", "Majority", "Multipass", "ShuffledSLS",
    "Soft", "SoftDelivery", "check_delivery", "checked_options", "deliver", "fingerprint", "option_defaults", "option_names", "require_fit",
    "require_same_items", "table", "with_index",
]  # fmt: skip


@overload
def deliver(name: str, votes: Answers, *, seed: int = 0, **options: Any) -> Delivery: ...
@overload
def deliver(name: Callable[..., D], votes: Answers, *, seed: int = 0, **options: Any) -> D: ...
def deliver(name: str | Callable[..., D], votes: Answers, *, seed: int = 0, **options: Any) -> Any:
    """The delivery called `name`, with its options.

    Args:
        name: A key of `DELIVERIES`, for example "sls" or "multipass"; or a custom delivery: its import path "package.module:object", or
            the class or function (votes, seed) -> delivery itself.
        votes: Votes on N items.
        seed: Seed of the drawn labels or of the order of the votes.
        **options: Options of the delivery, for example `resample_every=5` for "sls".

    Returns:
        A `Delivery`, or the object that a custom class or function returns.

    Raises:
        VotewiseError: If the name or an option is unknown, or the delivery cannot use these votes.

    Example:
        >>> from votewise.votes import Votes
        >>> deliver("majority", Votes.from_counts([[3, 1], [0, 2]])).targets([0, 1], epoch=0).tolist()
        [0, 1]
    """
    factory: Any
    if isinstance(name, Answers):
        remedy = "give the name of the delivery first and the votes second"
        raise VotewiseError("the arguments are swapped: the first one is votes", remedy=remedy)
    if not isinstance(name, str):
        factory, shown = name, getattr(name, "__name__", type(name).__name__)
    elif name in DELIVERIES or is_import_path(name):
        factory, shown = DELIVERIES.get(name) or import_object(name), name
    else:
        remedy = f"choose one of {listing(DELIVERIES, limit=9)}, or give 'package.module:object'"
        raise VotewiseError(f"unknown delivery {quoted(name)}", remedy=remedy)
    if not callable(factory):
        raise VotewiseError(
            f"the delivery {quoted(name)} cannot be called, it is of type {type(factory).__name__}",
            remedy="name a class or a function",
        )
    return factory(votes, seed=seed, **checked_options(factory, options, where=shown))
