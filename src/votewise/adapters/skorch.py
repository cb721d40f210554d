"""skorch: a net whose y are the positions of the examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from skorch import NeuralNet

from votewise.adapters.targets import Targets
from votewise.adapters.torch import cross_entropy, delivered_loss
from votewise.delivery import require_fit


class VotesNet(NeuralNet):
    """`VotesNet(module, delivery=delivery).fit(X)`; X has one row per item of the delivery's votes.

    The training loss is that of the epoch's targets, the validation loss the soft NLL against all votes of the items that skorch
    sets aside. `partial_fit` goes on with the next epoch.

    Args:
        module: Maps a batch to logits [n, C].
        delivery: Of the rows of X.
        criterion: Ignored but for `predict_proba`, which applies softmax for the default.
        **options: Of `NeuralNet`.
    """

    def __init__(
        self, module: Any, *args: Any, delivery: Any, criterion: Any = torch.nn.CrossEntropyLoss, **options: Any
    ) -> None:
        super().__init__(module, *args, criterion=criterion, **options)
        self.delivery = delivery

    def fit_loop(self, X: Any, y: Any = None, epochs: int | None = None, **options: Any) -> Any:
        """The loop of skorch; y must be None."""
        require_fit(self.delivery, dataset=X)
        self.targets_ = Targets(self.delivery)
        return super().fit_loop(X, np.arange(len(self.delivery)), epochs, **options)

    def on_epoch_begin(self, net: Any, **data: Any) -> None:
        super().on_epoch_begin(net, **data)
        self.targets_.start(len(self.history) - 1)

    def get_loss(self, y_pred: Any, y_true: Any, X: Any = None, training: bool = False) -> Any:
        """The cross-entropy; `y_true` are positions of examples."""
        if training:
            return delivered_loss(y_pred, self.targets_, y_true)
        return cross_entropy(y_pred, y_pred.new_tensor(self.delivery.votes.probabilities(y_true.cpu().numpy())))
