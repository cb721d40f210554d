"""Lanczos with full reorthogonalisation: the ends of a spectrum, each with an error bound (Parlett 1998, chapter 13).

All basis vectors [d] are kept, so k steps need memory for d k numbers, regardless of the number of examples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from votewise.limits import whole_number
from votewise.probes.hessian import Operator, rademacher
from votewise.probes.out_of_memory import enough_for_vectors
from votewise.probes.validation import F64

STEPS = 60
LARGEST = 0.01  # relative tolerance of the largest eigenvalue
SMALLEST = 0.25  # relative tolerance of the smallest, which converges slowly because other eigenvalues are close to it
ZERO = 1e-4  # eigenvalues below this share of the largest modulus cannot be distinguished from zero in single precision


@dataclass(frozen=True)
class Eigenvalue:
    """An estimate of the largest or the smallest eigenvalue. Some eigenvalue lies within `residual` of `value`, but there may be a more extreme one."""

    value: float
    residual: float


class Krylov:
    """An orthonormal basis of start, A start, A² start, ... in which the operator A is a tridiagonal matrix.

    A step multiplies `front` by A and passes the product to `extend`; several spaces can advance together and share the products of a block.
    """

    def __init__(self, start: Tensor, steps: int) -> None:
        self._steps = min(steps, len(start))
        self._basis = start.new_empty(self._steps + 1, len(start))
        self._basis[0] = start / start.norm()
        self._diagonal: list[float] = []
        self._beside: list[float] = []

    @property
    def size(self) -> int:
        """Number of steps."""
        return len(self._diagonal)

    @property
    def ended(self) -> bool:
        """Whether no steps are left: all requested steps are done, or A maps the space to itself."""
        return self.size == self._steps or (self.size > 0 and self.coupling == 0)

    @property
    def front(self) -> Tensor:
        """The vector [d] to multiply next."""
        return self._basis[self.size]

    @property
    def basis(self) -> Tensor:
        """The basis [k, d]."""
        return self._basis[: self.size]

    @property
    def tridiagonal(self) -> F64:
        """A in this basis [k, k]."""
        beside = self._beside[:-1]
        return np.diag(self._diagonal) + np.diag(beside, 1) + np.diag(beside, -1)

    @property
    def coupling(self) -> float:
        """The coefficient of A that connects the last basis vector with `front`, outside the space."""
        return self._beside[-1]

    def extend(self, product: Tensor) -> None:
        """Take a step with A @ front [d]."""
        self._diagonal.append(float(product @ self.front))
        rest = product
        for _ in range(2):  # twice is enough (Parlett 1998, section 6.9)
            rest = rest - self.basis.T @ (self.basis @ rest)
        norm, rounding = float(rest.norm()), 10 * torch.finfo(rest.dtype).eps * float(product.norm())
        invariant = self.size == len(rest) or norm <= rounding
        self._beside.append(0.0 if invariant else norm)
        self._basis[self.size] = 0 if invariant else rest / norm

    def eigenvalues(self) -> list[Eigenvalue]:
        """Ritz values in rising order, each with the norm of A y - value y for its vector y, at least the rounding error of a product."""
        values, vectors = np.linalg.eigh(self.tridiagonal)
        rounding = torch.finfo(self._basis.dtype).eps * np.abs(values).max()
        residuals = np.maximum(self.coupling * np.abs(vectors[-1]), rounding)
        return [Eigenvalue(float(value), float(residual)) for value, residual in zip(values, residuals, strict=True)]


def lanczos(
    operator: Operator,
    *,
    largest: float = LARGEST,
    smallest: float | None = SMALLEST,
    least: int = 2,
    steps: int = STEPS,
    seed: int = 0,
) -> Krylov:
    """Lanczos steps from a random start until both ends of the spectrum have converged.

    Args:
        operator: a symmetric operator or matrix [d, d].
        largest: relative residual at which the largest eigenvalue counts as converged.
        smallest: the same for the smallest, which also converges at zero; None ignores it.
        least: minimum number of steps.
        steps: maximum number of steps; the residuals give the accuracy.
        seed: seed of the random start.

    >>> ritz = lanczos(torch.diag(torch.tensor([-1.0, 0.0, 2.0, 3.0]))).eigenvalues()
    >>> round(ritz[0].value, 3), round(ritz[-1].value, 3)
    (-1.0, 3.0)
    """
    whole_number("steps", steps, 1)
    with enough_for_vectors(
        operator, min(steps, operator.shape[0]) + 1, "pass fewer steps, or free memory by using fewer workers"
    ):
        space = Krylov(rademacher(operator, "lanczos", seed, 0, 1)[:, 0], steps)
        while not space.ended:
            space.extend(operator @ space.front)
            if space.size >= max(least, 2) and converged(space, largest, smallest):
                break
    return space


def converged(space: Krylov, largest: float, smallest: float | None) -> bool:
    """Whether the residuals of the ends of the spectrum are within these relative tolerances, or negligible."""
    ritz = space.eigenvalues()
    low, high = ritz[0], ritz[-1]
    zero = min(ZERO, largest) * max(abs(low.value), abs(high.value))
    return high.residual <= max(largest * abs(high.value), zero) and (
        smallest is None or low.residual <= max(smallest * abs(low.value), zero)
    )
