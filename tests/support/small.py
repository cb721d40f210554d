"""One small problem for every framework: 24 items, 3 classes, a linear model in float64, 20 steps of gradient descent."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from votewise import SLS, Multipass, Soft, Votes

N, D, C, BATCH, EPOCHS, RATE = 24, 4, 3, 6, 5, 0.5

_rng = np.random.default_rng(0)
X = _rng.normal(size=(N, D))
VOTES = Votes.from_counts(_rng.multinomial(5, [0.5, 0.3, 0.2], size=N), items=[f"item-{i}" for i in range(N)])
WEIGHT, BIAS = _rng.normal(size=(C, D)), _rng.normal(size=C)
DELIVERIES = {"sls": SLS(VOTES, seed=3), "multipass": Multipass(VOTES, seed=3), "soft": Soft(VOTES)}


def linear() -> torch.nn.Linear:
    """The initial model of every loop."""
    model = torch.nn.Linear(D, C, dtype=torch.float64)
    with torch.no_grad():
        model.weight.copy_(torch.from_numpy(WEIGHT))
        model.bias.copy_(torch.from_numpy(BIAS))
    return model


def in_order(epoch: int) -> np.ndarray:
    return np.arange(N)


def plain_loop(delivery, order: Callable[[int], np.ndarray] = in_order) -> tuple[np.ndarray, np.ndarray]:
    """Weight [C, D] and bias [C] after 20 steps in NumPy, with an explicit gradient, (softmax - target) x. A float32 target sums to 1 only up to rounding."""
    weight, bias = WEIGHT.copy(), BIAS.copy()
    for epoch in range(EPOCHS):
        for index in order(epoch).reshape(-1, BATCH):
            target = delivery.targets(index, epoch)
            target = np.eye(C)[target] if delivery.kind == "hard" else target.astype(np.float64)
            logits = X[index] @ weight.T + bias
            p = np.exp(logits - logits.max(axis=1, keepdims=True))
            error = (p / p.sum(axis=1, keepdims=True) * target.sum(axis=1, keepdims=True) - target) / len(index)
            weight -= RATE * error.T @ X[index]
            bias -= RATE * error.sum(axis=0)
    return weight, bias


def assert_same_model(model: torch.nn.Linear, delivery, order=in_order) -> None:
    weight, bias = plain_loop(delivery, order)
    np.testing.assert_allclose(model.weight.detach().numpy(), weight, rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.bias.detach().numpy(), bias, rtol=0, atol=1e-12)
