"""A check of the contract of an adapter, for custom adapters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from votewise.arrays import plain
from votewise.delivery import SLS, Multipass, Soft, table
from votewise.errors import VotewiseError
from votewise.limits import whole_number
from votewise.votes import example_votes

Triple = tuple[int, Any, Any]  # epoch, index [n], targets [n] or [n, C]

_WAYS: dict[str, int | bool] = {"workers": 2, "resume": True, "processes": 2}


def check_adapter(
    adapter: Callable[..., Iterable[Triple]], delivery: Any = None, *, epochs: int = 3
) -> tuple[str, ...]:
    """Check that a framework delivers the labels of the delivery, for every epoch and example.

    An adapter is a function that runs the framework and yields the targets that the loss received:

        def adapter(delivery, epochs, workers=0, resume=False, processes=1):
            ...
            yield epoch, index, target        # of each batch

    It is run once with its defaults, and once more for each of the following parameters in its signature: `workers=2` (worker
    processes of the loader), `resume=True` (stop inside an epoch after the first, load the checkpoint and resume; yield the batches
    before and after the stop) and `processes=2` (yield the batches of all ranks).

    Args:
        adapter: The function.
        delivery: The delivery. Default: SLS, multipass and soft labels on 60 example items.
        epochs: Number of epochs to run, at least 2.

    Returns:
        The checks that ran: "epochs" and the names of the parameters.

    Raises:
        VotewiseError: If a label differs from that of the delivery, or an example is left out.

    Example:
        >>> import numpy as np
        >>> def plain(delivery, epochs):
        ...     for epoch in range(epochs):
        ...         index = np.arange(len(delivery))
        ...         yield epoch, index, delivery.targets(index, epoch)
        >>> check_adapter(plain)
        ('epochs',)
    """
    whole_number("epochs", epochs, 2)
    votes = example_votes()[:60]
    deliveries = [SLS(votes, seed=1), Multipass(votes, seed=1), Soft(votes)] if delivery is None else [delivery]
    taken = inspect.signature(adapter).parameters
    ways: list[dict[str, Any]] = [{}] + [{name: value} for name, value in _WAYS.items() if name in taken]
    for one in deliveries:
        for way in ways:
            _check(adapter(one, epochs, **way), one, epochs, _named(way))
    return ("epochs", *(name for way in ways for name in way))


def _named(way: dict[str, Any]) -> str:
    return "".join(f" with {name}={value}" for name, value in way.items())


def _check(triples: Iterable[Triple], delivery: Any, epochs: int, way: str) -> None:
    tape = [table(delivery, epoch) for epoch in range(epochs)]
    given = np.zeros((epochs, len(delivery)), np.bool_)
    for epoch, index, target in ((int(epoch), plain(index), plain(target)) for epoch, index, target in triples):
        if not 0 <= epoch < epochs:
            raise VotewiseError(f"the adapter yields epoch {epoch}{way}, expected 0 to {epochs - 1}")
        expected = tape[epoch][index]
        if target.shape != expected.shape:
            raise VotewiseError(f"the adapter yields targets of shape {target.shape}{way}, expected {expected.shape}")
        wrong = (target != expected).reshape(len(index), -1).any(axis=1)
        if wrong.any():
            at = int(np.argmax(wrong))
            raise VotewiseError(
                f"the adapter yields the target {target[at]} for example {index[at]} in epoch {epoch}{way}, expected {expected[at]}",
                remedy="look up targets where the loss is computed, with the epoch number of the framework",
            )
        given[epoch, index] = True
    if not given.all():
        epoch, example = np.argwhere(~given)[0]
        raise VotewiseError(
            f"the adapter leaves out {int((~given).sum())} targets{way}, the first for example {example} in epoch {epoch}"
        )
