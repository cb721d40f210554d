"""How fast a run gets where it is going, out of its history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from votewise.errors import VotewiseError
from votewise.probes.reading import Reading


def dynamics(
    history: Sequence[Mapping[str, float]], *, share: float = 0.95, of: Literal["best", "fall"] = "best"
) -> Reading:
    """The epoch at which a run has reached 95 % of its best evaluation soft NLL, and its best epoch.

    `history` has a line per epoch with `epoch`, `soft_nll` and `train_loss`. A loss falls, so 95 % of the best is best / 0.95: the
    first epoch at or below that. With of="fall" it is the first after 95 % of the way from the first epoch to the best.
    """
    if not history:
        raise VotewiseError("the history has no epochs", remedy="give the history of a finished run")
    missing = [name for name in ("epoch", "soft_nll", "train_loss") if any(name not in line for line in history)]
    if missing:
        raise VotewiseError(f"the history has no {missing[0]!r}", remedy="give one with epoch, soft_nll and train_loss")
    if of not in ("best", "fall") or not 0 < share <= 1:
        raise VotewiseError(f"{share:g} of the {of}", remedy="give a share above 0 and up to 1 of='best' or of='fall'")
    epoch, loss, train = (np.array([line[name] for line in history]) for name in ("epoch", "soft_nll", "train_loss"))
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
