"""The results of a run: checkpoints with their scores, and predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.wording import quoted

if TYPE_CHECKING:
    from torch import Tensor

    from votewise.training.run import Run

CheckpointName = Literal["best", "last"]
CHECKPOINTS: tuple[CheckpointName, ...] = ("best", "last")


def check_checkpoint(name: str) -> CheckpointName:
    """Return the name of a checkpoint, or raise if it is unknown."""
    for known in CHECKPOINTS:
        if name == known:
            return known
    raise VotewiseError(f"unknown checkpoint {quoted(name)}", remedy=f"choose {' or '.join(CHECKPOINTS)}")


@dataclass(frozen=True)
class Predictions:
    """Log-probabilities of the held-out items.

    Attributes:
        row: [n] identity of each item in its source, see `votes.row`.
        items: [n] ids of the items, or None if the votes have none.
        train_row: [m] identity of each training item.
        classes: [C] names, in the order of the columns; None in older runs.
        log_probabilities: [n, C] by checkpoint.
        train_soft_nll: [m] soft NLL of each training item against all its votes, by checkpoint.
    """

    row: NDArray[np.int64]
    items: NDArray[Any] | None
    train_row: NDArray[np.int64]
    classes: tuple[str, ...] | None
    log_probabilities: Mapping[str, NDArray[np.float32]]
    train_soft_nll: Mapping[str, NDArray[np.float32]]

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True)
class Interpolation:
    """How closely the model fits the training votes, in nats.

    Attributes:
        target_entropy: Mean entropy of the vote shares, a lower bound of the losses.
        train_loss_best: Mean cross-entropy against the vote shares at the best epoch.
        train_loss_last: The same at the last epoch.
    """

    target_entropy: float
    train_loss_best: float
    train_loss_last: float


@dataclass(frozen=True)
class Checkpoint:
    """The best or the last epoch of a run."""

    run: Run
    name: CheckpointName

    @property
    def epoch(self) -> int:
        """The epoch, counted from 0."""
        summary = self.run.summary
        return int(summary["best_epoch"] if self.name == "best" else summary["epochs"] - 1)

    @property
    def scores(self) -> dict[str, float]:
        """The scores against all votes of the held-out items, by name."""
        return dict(self.run.summary[self.name])

    @property
    def scores_against_truth(self) -> dict[str, float]:
        """The scores against the true distributions; empty if the dataset has none."""
        return dict(self.run.summary.get(f"{self.name}_against_truth", {}))

    @property
    def train_loss(self) -> float:
        """Mean cross-entropy of the training items against the vote shares, in nats."""
        return float(self.run.summary["interpolation"][f"train_loss_{self.name}"])

    @property
    def log_probabilities(self) -> NDArray[np.float32]:
        """Log-probabilities of the held-out items [n, C]."""
        return self.run.predictions.log_probabilities[self.name]

    @property
    def train_soft_nll(self) -> NDArray[np.float32]:
        """Soft NLL of each training item against all its votes [m]."""
        return self.run.predictions.train_soft_nll[self.name]

    @property
    def weights(self) -> dict[str, Tensor]:
        """The tensors by name."""
        from votewise.training.checkpoint import weights

        return weights(self.run.folder, self.name)

    @property
    def digest(self) -> str:
        """SHA-256 of the weights file."""
        return self.run.digests[f"{self.name}.safetensors"]
