"""A check of the contract of a delivery, for custom deliveries."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.errors import VotewiseError
from votewise.wording import listing


class Contract(Protocol):
    """The interface that `check_delivery` and a training loop need; `votewise.Delivery` is one implementation."""

    @property
    def kind(self) -> str: ...

    @property
    def num_classes(self) -> int: ...

    def __len__(self) -> int: ...

    def targets(self, index: Any, epoch: Any) -> Any: ...


def check_delivery(delivery: Contract, epochs: int = 12) -> None:
    """Check that `delivery.targets` is a pure function of index and epoch with values in range.

    `targets` is called with shuffled examples, with different batches, for single examples, with an array of epochs, with epochs out of
    order, and with a torch tensor if torch is installed. `table` and `over` must agree with it, if the delivery has them. If the delivery
    is a dataclass over votes with `per_item`, it is also built from a selection of the items. The labels of a hard delivery with
    `unbiased` must match the vote shares in every epoch, up to chance.

    Args:
        delivery: Any object with `kind` ("hard" or "soft"), `num_classes`, `len()` and `targets(index, epoch)`.
        epochs: Number of epochs to check, at least 3.

    Raises:
        VotewiseError: For the first violation of the contract.

    Example:
        >>> from votewise.delivery import SLS
        >>> from votewise.votes import example_votes
        >>> check_delivery(SLS(example_votes()))
    """
    absent = [name for name in ("kind", "num_classes", "__len__", "targets") if not hasattr(delivery, name)]
    if absent or isinstance(delivery, type):
        what = f"{listing(absent)} missing" if absent else "a class, not an instance"
        raise VotewiseError(
            f"not a delivery: {what}", remedy="it needs kind, num_classes, __len__ and targets(index, epoch)"
        )
    n = len(delivery)
    if n < 1 or epochs < 3:
        raise VotewiseError(
            f"{n} examples over {epochs} epochs are too few to check", remedy="give at least 1 example and 3 epochs"
        )
    everyone = np.arange(n)
    tape = np.stack([_targets(delivery, everyone, epoch) for epoch in range(epochs)])
    _check_values(delivery, tape, epochs, n)
    _check_purity(delivery, tape, epochs, everyone)
    if delivery.kind == "hard" and getattr(delivery, "unbiased", False):
        _check_shares(delivery, tape)
    whole: Any = delivery  # `table` and `over` are optional, but must agree with `targets`
    if hasattr(whole, "table"):
        _same(tape[2], np.asarray(whole.table(2)), "differs from table(epoch)", "compute both with the same function")
    if hasattr(whole, "over"):
        ((_, found),) = whole.over([(everyone, None)], 2)
        _same(tape[2], np.asarray(found), "differs from over(loader, epoch)", "let both come from one function")
    if find_spec("torch") is not None:
        torch = import_module("torch")  # the index of a training loop is a torch tensor
        target = delivery.targets(torch.from_numpy(everyone), 1)
        if not isinstance(target, torch.Tensor):
            raise _broken(
                "does not return a torch tensor for a torch index",
                "for a torch index, return torch.from_numpy(...).to(index.device)",
            )
        _same(tape[1], target.numpy(), "differs for a torch index")
    if dataclasses.is_dataclass(delivery) and getattr(delivery, "per_item", False):
        kept = everyone[: max(1, n // 2)]
        part = dataclasses.replace(delivery, votes=delivery.votes.select(kept))
        what = "changes when other items are removed"
        _same(
            tape[1][kept],
            _targets(part, np.arange(len(kept)), 1),
            what,
            "use votes.row, not positions, or set per_item = False",
        )


def _check_purity(delivery: Contract, tape: NDArray[Any], epochs: int, everyone: NDArray[Any]) -> None:
    order = counter.order(counter.key("check", 0), 0, everyone)
    for epoch in reversed(range(epochs)):
        _same(
            tape[epoch][order],
            _targets(delivery, order, epoch),
            "depends on the order of the examples, or on earlier calls",
        )
    at = [_targets(delivery, everyone[start : start + 3], 1) for start in range(0, len(everyone), 3)]
    _same(tape[1], np.concatenate(at), "depends on the batch that contains an example")
    _same(tape[1][:1], _targets(delivery, everyone[:1], 1), "depends on the size of the batch")
    epoch_of = order % epochs
    own = tape[epoch_of, everyone]
    _same(
        own,
        _targets(delivery, everyone, epoch_of),
        "differs if `epoch` is an array with one epoch per example",
        "accept an array of epochs",
    )
    _same(tape[2][order[:0]], _targets(delivery, order[:0], 2), "is wrong for an empty batch")


def _check_values(delivery: Contract, tape: NDArray[Any], epochs: int, n: int) -> None:
    c = delivery.num_classes
    if delivery.kind == "hard":
        if tape.shape != (epochs, n) or tape.dtype.kind not in "iu":
            raise _broken(
                f"returns shape {tape.shape[1:]} and type {tape.dtype} for {n} examples", f"return integers [{n}]"
            )
        if tape.size and (tape.min() < 0 or tape.max() >= c):
            raise _broken(f"returns classes outside 0 to {c - 1}", "return class indices, or correct num_classes")
    elif delivery.kind == "soft":
        if tape.shape != (epochs, n, c) or tape.dtype != np.float32:
            raise _broken(f"returns shape {tape.shape[1:]} and type {tape.dtype}", f"return float32 [{n}, {c}]")
        if not ((tape >= 0).all() and np.allclose(tape.sum(axis=-1, dtype=np.float64), 1, atol=1e-5)):
            raise _broken("returns rows that are not distributions", "return shares of 0 or more that sum to one")
    else:
        raise _broken(f"has the unknown kind {delivery.kind!r}", "set kind = 'hard' or 'soft'")


def _check_shares(delivery: Any, tape: NDArray[Any]) -> None:
    """Compare the class counts of the labels of an epoch with the sum of the vote shares.

    A count is a sum of independent indicators with mean p and variance p (1 - p). The probability of a deviation of more than six
    standard deviations plus twelve labels is below 1e-7 (Bernstein's inequality), so that a failure is not chance.
    """
    share = delivery.votes.probabilities()
    allowed = 6 * np.sqrt((share * (1 - share)).sum(axis=0)) + 12
    for epoch, labels in enumerate(tape):
        counts, expected = np.bincount(labels, minlength=delivery.num_classes), share.sum(axis=0)
        excess = np.abs(counts - expected) - allowed
        if (excess > 0).any():
            worst = int(np.argmax(excess))
            raise _broken(
                f"returns class {worst} for {counts[worst]} examples in epoch {epoch}, but the vote shares imply about {expected[worst]:.0f}",
                "draw labels independently of the draws that chose the votes, or set unbiased = False",
            )


def _targets(delivery: Contract, index: NDArray[Any], epoch: Any) -> NDArray[Any]:
    return np.asarray(delivery.targets(index, epoch))


_PURE = "make it a pure function of index and epoch"


def _same(expected: NDArray[Any], actual: NDArray[Any], what: str, remedy: str = _PURE) -> None:
    if expected.shape != actual.shape or not np.array_equal(expected, actual):
        raise _broken(what, remedy)


def _broken(what: str, remedy: str) -> VotewiseError:
    return VotewiseError(f"this delivery breaks its contract: targets(index, epoch) {what}", remedy=remedy)
