"""Lightning: a callback that provides the labels of the current epoch."""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback, Trainer

from votewise.adapters.targets import Targets
from votewise.adapters.torch import delivered_loss
from votewise.delivery import require_same_items


class VotesCallback(Callback):
    """`Trainer(callbacks=[votes])`, and in `training_step`: `votes.loss(self(x), index)`.

    Use a loader over `with_index(dataset, votes)`, so that a batch is (index, x). `votes(index)` returns only the targets, for a
    custom loss.

    Args:
        delivery: Delivery for the training examples.
        **options: Options of `Targets`, for example `outputs=10`.
    """

    def __init__(self, delivery: Any, **options: Any) -> None:
        self.targets = Targets(delivery, remedy="give the VotesCallback to Trainer(callbacks=[...])", **options)

    def __call__(self, index: Any) -> Any:
        """The targets of the examples at `index` in the epoch of the trainer."""
        return self.targets(index)

    def loss(self, logits: Any, index: Any) -> Any:
        """The cross-entropy of logits [n, C]; raises before the first step if the model has a wrong number of outputs."""
        return delivered_loss(logits, self.targets, index)

    def on_train_start(self, trainer: Trainer, module: Any) -> None:
        require_same_items(self.targets.delivery, trainer.train_dataloader)

    def on_train_batch_start(self, trainer: Trainer, module: Any, batch: Any, batch_idx: int) -> None:
        # on_train_epoch_start is not called after resuming inside an epoch
        if batch_idx == 0 or trainer.current_epoch != self.targets.epoch:
            self.targets.start(trainer.current_epoch)

    def on_train_end(self, trainer: Trainer, module: Any) -> None:
        self.targets.epoch = None
