"""Power iteration: the eigenvalue of largest modulus, which may be a negative one."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from votewise.probes.hessian import Operator


@dataclass(frozen=True)
class Power:
    """The eigenvalue that power iteration ended at, and after how many products."""

    value: float
    iterations: int
    converged: bool


def power_iteration(operator: Operator, start: Tensor, *, iterations: int = 100, tolerance: float = 1e-3) -> Power:
    """Multiply and normalise from `start` [d] until the Rayleigh quotient changes by no more than `tolerance` of itself.

    >>> import torch
    >>> found = power_iteration(torch.diag(torch.tensor([1.0, -2.0])), torch.tensor([1.0, 1.0]))
    >>> round(found.value, 2), found.converged
    (-2.0, True)
    """
    vector, value = start / start.norm(), float("nan")
    for iteration in range(1, iterations + 1):
        product = operator @ vector
        before, value, norm = value, float(vector @ product), product.norm()
        if norm == 0 or abs(value - before) <= tolerance * abs(value):
            return Power(value, iteration, converged=True)
        vector = product / norm
    return Power(value, iterations, converged=False)
