"""Custom models for embeddings that are cheaper than the built-in `mlp`; plans name them by their import path."""

from __future__ import annotations

from torch import nn

from votewise.training import Net


def mlp32(shape: tuple[int, ...], classes: int, dropout: float = 0.0) -> Net:
    """Two hidden layers of 32: an eighth of the arithmetic of `mlp`, and it fits its targets as closely."""
    hidden = [
        nn.Linear(shape[0], 32),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(32, 32),
        nn.ReLU(),
        nn.Dropout(dropout),
    ]
    return Net(nn.Sequential(*hidden), 32, classes)


def mlp32_dropout(shape: tuple[int, ...], classes: int) -> Net:
    """The same with half of its hidden units dropped in each step."""
    return mlp32(shape, classes, dropout=0.5)
