"""How fast a run approaches its best epoch, from its history."""

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
    """The epoch at which a run comes close to its best epoch, and the best epoch.

    Args:
        history: a mapping per epoch with `epoch`, `soft_nll` (on held-out items) and `train_loss`, for example `run.history`.
        share: threshold: 0.95 means a soft NLL of at most best / 0.95.
        of: what `share` is relative to: "best" is the best soft NLL; "fall" is the decrease of the soft NLL from the first to the best epoch.

    Returns:
        A reading with `epoch_95`, `best_epoch`, `soft_nll_end`, `epochs`, with epochs counted as in the history, and the curve `history`.

    >>> losses = [1.0, 0.5, 0.4, 0.39, 0.6]
    >>> dynamics([{"epoch": n, "soft_nll": loss, "train_loss": loss} for n, loss in enumerate(losses)]).numbers
    {'epoch_95': 2.0, 'best_epoch': 3.0, 'soft_nll_end': 0.6, 'epochs': 5.0}
    """
    if not len(history):
        raise VotewiseError("history must have at least one epoch, got none")
    if isinstance(history, Mapping) or not all(isinstance(line, Mapping) for line in history):
        raise VotewiseError("history must be a list with a mapping per epoch", remedy="pass e.g. run.history")
    missing = [name for name in ("epoch", "soft_nll", "train_loss") if any(name not in line for line in history)]
    if missing:
        raise VotewiseError(
            f"history must have epoch, soft_nll and train_loss in every epoch, but {missing[0]!r} is missing"
        )
    if of not in ("best", "fall") or not 0 < share <= 1:
        raise VotewiseError(f"share must be above 0 and at most 1, and of 'best' or 'fall', got {share:g} and {of!r}")
    epoch, loss, train = (_column(history, name) for name in ("epoch", "soft_nll", "train_loss"))
    if not (np.isfinite(loss).all() and (loss >= 0).all()):
        raise VotewiseError("soft_nll in history must be finite and at least 0", remedy="train the run again")
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
        raise VotewiseError(f"{name} in history must be one number per epoch, got type {values.dtype}")
    return values
