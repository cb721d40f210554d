"""Targets for the current epoch of a framework, with a guard that raises for batches of another epoch."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from votewise.delivery import require_fit
from votewise.errors import StaleLabelsError, VotewiseError

_HOOK = "call targets.start(epoch) at the start of every epoch"


class Targets:
    """Call `targets.start(epoch)` at the start of an epoch, then `targets(index)` for each of its batches.

    Targets are looked up where the loss is computed, so that workers, samplers and ranks only pass on positions. An example occurs
    once in an epoch, so if the next epoch begins before `start` is called, its first batch raises `StaleLabelsError`.

    Args:
        delivery: Delivery for the N examples: any object with `kind`, `num_classes`, `__len__` and `targets(index, epoch)`.
        ids: Ids of the examples in the order of the dataset [N], compared with the ids of the votes.
        outputs: Number of outputs of the model, compared with the number of classes.
        repeats: Whether the sampler may draw an example more than once in an epoch; True disables the guard.
        processes: Number of processes that share an epoch. Default: those of `torch.distributed`, if it is in use.
        remedy: How to avoid stale labels in this framework, for the error.

    Example:
        >>> import numpy as np
        >>> from votewise.delivery import Majority
        >>> from votewise.votes import Votes
        >>> targets = Targets(Majority(Votes.from_counts([[3, 1], [0, 2]])))
        >>> targets.start(0)
        >>> targets(np.array([1, 0])).tolist()
        [1, 0]
        >>> targets(np.array([0]))
        Traceback (most recent call last):
        votewise.errors.StaleLabelsError: a batch of a later epoch would get the labels of epoch 0; call targets.start(epoch) at the start of every epoch
    """

    def __init__(
        self,
        delivery: Any,
        *,
        ids: Iterable[object] | None = None,
        outputs: int | None = None,
        repeats: bool = False,
        processes: int | None = None,
        remedy: str = _HOOK,
    ) -> None:
        require_fit(delivery, ids=ids, outputs=outputs)
        if not hasattr(delivery, "targets"):
            raise VotewiseError(
                f"expected a delivery, got {type(delivery).__name__}", remedy="give e.g. votewise.Soft(votes)"
            )
        self.delivery = delivery
        self.epoch: int | None = None
        self._repeats, self._processes, self._remedy = repeats, processes, remedy

    def start(self, epoch: int) -> None:
        """Start `epoch`: the next batches belong to it."""
        self.epoch = int(epoch)
        running = distributed()
        self._share = self._processes or (1 if running is None else int(running.get_world_size()))
        self._given, self._seen, self._last = 0, np.zeros(len(self.delivery), np.bool_), np.empty(0, np.int64)

    def __call__(self, index: Any) -> Any:
        """The targets of the examples at `index` [n]: classes [n] or distributions [n, C], on the same device.

        Raises:
            StaleLabelsError: If the batch is not of the epoch that was started.
            VotewiseError: If `index` does not contain positions.
        """
        if self.epoch is None:
            raise StaleLabelsError("no epoch was started, so there are no labels for this batch", remedy=self._remedy)
        target = self.delivery.targets(index, self.epoch)
        if not self._repeats and self._is_stale(index):
            raise StaleLabelsError(
                f"a batch of a later epoch would get the labels of epoch {self.epoch}", remedy=self._remedy
            )
        return target

    def _is_stale(self, index: Any) -> bool:
        """Whether a batch cannot belong to this epoch. Ranks pad their last batch with earlier examples, so they may repeat examples."""
        over = self._given * self._share >= len(self.delivery)
        if getattr(getattr(index, "device", None), "type", "cpu") not in (
            "cpu",
            None,
        ):  # only count examples, to avoid waiting for the device
            self._given += int(index.numel())
            return over
        here = np.asarray(index).reshape(-1)
        if np.array_equal(here, self._last):  # the same batch once more, e.g. for an optimiser with a closure
            return False
        if self._share == 1:
            over = over or bool(self._seen[here].any())
            if self._given == 0 and np.unique(here).size < here.size:  # e.g. class numbers in place of positions
                raise VotewiseError(
                    "a batch contains an example twice, so its index does not contain the positions of one epoch",
                    remedy="pass positions in the dataset, or set repeats=True for a sampler that draws with replacement",
                )
        self._seen[here] = True
        self._given, self._last = self._given + here.size, here
        return over


def distributed() -> Any:
    """`torch.distributed` if it is in use, else None; torch is not imported."""
    found = getattr(sys.modules.get("torch"), "distributed", None)
    return found if found is not None and found.is_available() and found.is_initialized() else None
