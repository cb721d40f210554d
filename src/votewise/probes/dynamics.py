"""How fast a run gets where it is going, out of its history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.probes.reading import Reading


def dynamics(
    history: Sequence[Mapping[str, float]], *, share: float = 0.95, of: Literal["best", "fall"] = "best"
) -> Reading:
    """When a run is nearly as good as it gets, and when it is best: in epochs, as the history counts them.

    `history` has a mapping per epoch with `epoch`, `soft_nll` (on held-out items) and `train_loss`, such as `run.history`.

    epoch_95      the first epoch at 95 % of the best soft NLL. A loss falls, so that is best / 0.95 or less; with of="fall", after 95 % of the
                  way from the first epoch to the best. Lower is quicker
    best_epoch    the epoch of the lowest soft NLL
    soft_nll_end  the soft NLL of the last epoch
    epochs        how many there are

    >>> losses = [1.0, 0.5, 0.4, 0.39, 0.6]
    >>> dynamics([{"epoch": n, "soft_nll": loss, "train_loss": loss} for n, loss in enumerate(losses)]).numbers
    {'epoch_95': 2.0, 'best_epoch': 3.0, 'soft_nll_end': 0.6, 'epochs': 5.0}
    """
    if not len(history):
        raise VotewiseError("the history has no epochs", remedy="give the history of a finished run")
    if isinstance(history, Mapping) or not all(isinstance(line, Mapping) for line in history):
        raise VotewiseError("the history is no list of epochs", remedy="give a dict for each epoch")
    missing = [name for name in ("epoch", "soft_nll", "train_loss") if any(name not in line for line in history)]
    if missing:
        raise VotewiseError(f"the history has no {missing[0]!r}", remedy="give one with epoch, soft_nll and train_loss")
    if of not in ("best", "fall") or not 0 < share <= 1:
        raise VotewiseError(f"{share:g} of the {of}", remedy="give a share above 0 and up to 1 of='best' or of='fall'")
    epoch, loss, train = (_column(history, name) for name in ("epoch", "soft_nll", "train_loss"))
    if not (np.isfinite(loss).all() and (loss >= 0).all()):
        raise VotewiseError("a soft NLL of the history is no number from 0 up", remedy="train the run again")
    best = loss.min()
    enough = best / share if of == "best" else loss[0] - share * (loss[0] - best)
    numbers = {
        "epoch_95": float(epoch[(loss <= max(enough, best)).argmax()]),
        "best_epoch": float(epoch[loss.argmin()]),
        "soft_nll_end": float(loss[-1]),
        "epochs": float(len(epoch)),
    }
    curve = {"epoch": epoch.tolist(), "soft_nll": loss.tolist(), "train_loss": train.tolist()}
    return Reading(numbers, {"history": curve})


def _column(history: Sequence[Mapping[str, float]], name: str) -> NDArray[Any]:
    values = np.array([line[name] for line in history])
    if values.dtype.kind not in "fiu" or values.ndim != 1:
        raise VotewiseError(f"the history has a {name!r} that is no number", remedy="give one for each epoch")
    return values
