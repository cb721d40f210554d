"""Keras 3, on torch or JAX: batches of a delivery for `model.fit`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import keras
import numpy as np

from votewise import counter
from votewise.adapters.targets import Targets
from votewise.delivery import require_fit
from votewise.errors import StaleLabelsError, VotewiseError

_REMEDY = "pass callbacks=[data.callback] to fit, and arrays to evaluate and predict"


class VotesDataset(keras.utils.PyDataset):
    """`model.fit(data, epochs=..., callbacks=[data.callback])` with `data = VotesDataset(x, delivery)`.

    Targets are distributions [n, C]; classes of a hard delivery are one-hot rows. So
    `keras.losses.CategoricalCrossentropy(from_logits=True)` is the right loss for every delivery, and `val_loss` is the soft NLL with
    `validation_data=(x_val, val_votes.probabilities())`.

    The callback is necessary because Keras requests a batch before the first epoch to build the model, so that a dataset cannot
    count epochs by itself.

    Args:
        x: Inputs [N, ...], in the order of the delivery's votes; a list or dictionary of them for a model with several inputs.
        delivery: Delivery for these inputs.
        batch_size: Number of examples in a batch.
        shuffle: Whether to shuffle in every epoch; the order depends only on seed and epoch.
        seed: Seed of the order.
        outputs: Number of outputs of the model, `model.output_shape[-1]`, compared with the number of classes.
        ids: Ids of the rows of x [N], compared with the ids of the votes.
        workers: Number of threads that prepare batches.
    """

    def __init__(
        self,
        x: Any,
        delivery: Any,
        batch_size: int = 32,
        *,
        shuffle: bool = True,
        seed: int = 0,
        outputs: int | None = None,
        ids: Iterable[object] | None = None,
        workers: int = 1,
    ) -> None:
        for part in keras.tree.flatten(x):
            require_fit(delivery, dataset=part)
        super().__init__(workers=workers)
        self.x, self.delivery, self.batch = x, delivery, batch_size
        self.key = counter.key("adapters.keras", seed) if shuffle else None
        self.targets = Targets(delivery, ids=ids, outputs=outputs, remedy=_REMEDY)
        self.callback = _Epochs(self)
        self._announced, self._passes = False, 0
        self._asked: set[int] = set()  # batches that were requested in the epoch started by the callback
        self._arrange(0)

    def begin(self, epoch: int) -> None:
        """Start `epoch`."""
        self._announced, self._passes, self._asked = True, 0, set()
        self._arrange(epoch)
        self.targets.start(epoch)

    def _arrange(self, epoch: int) -> None:
        everyone = np.arange(len(self.delivery))
        self._order = everyone if self.key is None else counter.order(self.key, epoch, everyone)

    def __len__(self) -> int:
        return -(-len(self.delivery) // self.batch)

    def __getitem__(self, number: int) -> tuple[Any, Any]:
        index = self._order[number * self.batch : (number + 1) * self.batch]
        if (
            number in self._asked
        ):  # requested twice: the epoch was interrupted, and another call of fit builds the model
            self._announced = False
        if self._announced:
            self._asked.add(number)
            target = self.targets(index)
        elif self._passes:  # Keras ends only one pass before the first epoch
            raise StaleLabelsError(
                "Keras has started an epoch without the callback of the VotesDataset", remedy=_REMEDY
            )
        else:
            target = self.delivery.targets(index, 0)
        hard = self.delivery.kind == "hard"
        target = np.eye(self.delivery.num_classes, dtype=np.float32)[target] if hard else target
        return keras.tree.map_structure(lambda part: part[index], self.x), target

    def on_epoch_end(self) -> None:
        if not self._announced or len(self._asked) < len(self):
            self._passes += 1
        self._announced = False


class _Epochs(keras.callbacks.Callback):
    def __init__(self, data: VotesDataset) -> None:
        super().__init__()
        self.data = data

    def on_train_begin(self, logs: Any = None) -> None:
        if (steps := self.params["steps"]) != len(
            self.data
        ):  # otherwise Keras would continue an epoch of the data in its next epoch
            raise VotewiseError(
                f"steps_per_epoch is {steps}, but an epoch of the data has {len(self.data)} batches",
                remedy="leave steps_per_epoch out",
            )

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.data.begin(epoch)
