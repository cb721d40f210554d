"""The losses for plain torch, and for frameworks that use torch.

A plain training loop also needs `votewise.with_index(dataset, votes)` and `delivery.over(loader, epoch)`. If the framework owns
the loop and a training step receives batches with their index, use `votewise.Targets`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.nn import functional

from votewise.delivery import require_fit

if TYPE_CHECKING:
    from torch import Tensor

    from votewise.adapters.targets import Targets


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    """Mean cross-entropy of logits [n, C] against classes [n] or distributions [n, C], in the precision of the logits.

    Half precision is computed in float32. `torch.nn.functional.cross_entropy` rejects float32 distributions for logits of another type.
    """
    logits = logits.float() if logits.element_size() < 4 else logits
    return functional.cross_entropy(logits, target.to(logits.dtype) if target.is_floating_point() else target)


def delivered_loss(logits: Tensor, targets: Targets, index: Tensor) -> Tensor:
    """Mean cross-entropy of logits [n, C] against the targets of the examples at `index` [n] in the current epoch.

    Raises:
        VotewiseError: On the first batch, if the number of outputs of the model is not the number of classes.
        StaleLabelsError: If the batch does not belong to that epoch.
    """
    require_fit(targets.delivery, outputs=logits.shape[1])
    return cross_entropy(logits, targets(index).to(logits.device))
