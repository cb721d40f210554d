"""Whether a run fits its targets, and what that means for the choice of delivery.

Every run records its training loss: the cross-entropy of its predictions against the vote shares of its training items, on inputs without augmentation, for
all methods alike. Its lower bound is the entropy of these shares. The difference is the excess, the mean KL from the shares to the predictions:
0 for a model that predicts the shares, log C - entropy for uniform predictions over C classes.

The rule: a run fits its targets if its excess at the last epoch is at most a fifth of that of uniform predictions. On the embedded digits (soft labels
against multipass with 3 and 10 votes per item, 3 to 40 epochs, 4 seeds) multipass had the lower soft NLL on every seed if the relative excess of soft labels was
below a fifth, and soft labels had it on every seed if it was above a third.

It only applies to `TO_SHARES`: other methods have other targets (majority, label smoothing, mixup, a label that is kept for several epochs), and their distance from
the vote shares does not show how well they fit their targets.
"""

from __future__ import annotations

import math

TO_SHARES = ("soft", "multipass", "sls", "deterministic")  # methods whose expected target is the vote share
FITS = 0.2  # of the excess of uniform predictions


def relative_excess(excess: float, entropy: float, classes: int) -> float:
    """The excess relative to that of uniform predictions; infinite if the targets are uniform but the predictions are not.

    >>> round(relative_excess(0.13, 1.0, 10), 3)
    0.1
    """
    uniform = math.log(classes) - entropy
    return excess / uniform if uniform > 0 else math.inf if excess > 0 else 0.0


def meaning(method: str, relative: float, entropy: float) -> str:
    """What the relative excess of a method at the last epoch means for the choice of delivery; `entropy` is that of its targets."""
    if method not in TO_SHARES:
        return "The targets of this method are not the vote shares, so this number does not show whether it fits them."
    if entropy == 0:
        return "All votes of an item agree, so every delivery gives the same targets."
    if relative <= FITS:
        return (
            "The model fits its targets, so the choice of delivery matters if there are few votes: the model memorises soft targets with their sampling noise, and hard"
            " delivery (multipass, SLS) acts as a regulariser. In experiments on CIFAR-10H and ChaosNLI without early stopping, hard delivery had a lower soft NLL."
            " With early stopping or weight decay, the methods were close; in a linear model, soft labels were better."
        )
    if method == "soft":
        return (
            "The model does not fit its targets, so do not expect hard delivery to help: it regularises models that memorise their targets. On ChaosNLI, the best epoch"
            " of a network came before it fitted its targets, and the differences between deliveries were then small and of either sign."
        )
    return (
        "The model does not fit its targets with hard delivery, which acts as a regulariser. Only a run with soft labels shows whether the model can fit them, and"
        " so whether the choice of delivery matters."
    )
