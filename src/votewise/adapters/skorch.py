"""skorch: a network that receives the positions of the examples as y."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from skorch import NeuralNet
from skorch.dataset import get_len
from skorch.utils import is_dataset

from votewise.adapters.targets import Targets
from votewise.adapters.torch import cross_entropy, delivered_loss
from votewise.delivery import require_fit, with_index
from votewise.errors import VotewiseError


class VotesNet(NeuralNet):
    """`VotesNet(module, delivery=delivery).fit(X)`; X has one row per item of the delivery's votes.

    The training loss uses the targets of the epoch. The validation loss is the soft NLL against all votes on the items that skorch
    holds out. `partial_fit` continues with the next epoch.

    Args:
        module: Maps a batch to logits [n, C].
        delivery: Delivery for the rows of X.
        ids: Ids of the rows of X [N], compared with the ids of the votes.
        outputs: Number of outputs of the module, compared with the number of classes.
        criterion: Only used by `predict_proba`, which applies softmax for the default.
        **options: Options of `NeuralNet`.

    Raises:
        VotewiseError: If the order of ids or the number of classes does not fit.
    """

    def __init__(
        self,
        module: Any,
        *args: Any,
        delivery: Any,
        ids: Iterable[object] | None = None,
        outputs: int | None = None,
        criterion: Any = torch.nn.CrossEntropyLoss,
        **options: Any,
    ) -> None:
        Targets(delivery, ids=ids, outputs=outputs)
        super().__init__(module, *args, criterion=criterion, **options)
        self.delivery, self.ids, self.outputs = delivery, ids, outputs

    def fit_loop(self, X: Any, y: Any = None, epochs: int | None = None, **options: Any) -> Any:
        """The training loop of skorch on arrays, frames, dictionaries of them, or a torch dataset, whose labels are ignored.

        Raises:
            VotewiseError: If the number of rows of X is not the number of items of the votes, or y is given.
        """
        if y is not None:
            raise VotewiseError("y is given, but the labels come from the delivery", remedy="call fit(X)")
        inputs = _Positions(X, self.delivery) if is_dataset(X) else X
        require_fit(self.delivery, dataset=X if hasattr(X, "iloc") else range(get_len(inputs)), ids=self.ids)
        self.targets_ = Targets(self.delivery)
        return super().fit_loop(inputs, np.arange(len(self.delivery)), epochs, **options)

    def on_epoch_begin(self, net: Any, **data: Any) -> None:
        super().on_epoch_begin(net, **data)
        self.targets_.start(len(self.history) - 1)

    def get_loss(self, y_pred: Any, y_true: Any, X: Any = None, training: bool = False) -> Any:
        """The cross-entropy; `y_true` holds positions of examples."""
        if training:
            return delivered_loss(y_pred, self.targets_, y_true)
        return cross_entropy(y_pred, y_pred.new_tensor(self.delivery.votes.probabilities(y_true.cpu().numpy())))


class _Positions(torch.utils.data.Dataset[Any]):
    """A torch dataset of x, or of (x, label), as pairs (x, position)."""

    def __init__(self, dataset: Any, delivery: Any) -> None:
        self.indexed = with_index(dataset, delivery)

    def __len__(self) -> int:
        return len(self.indexed)

    def __getitem__(self, index: int) -> tuple[Any, int]:
        return self.indexed[index][::-1]
