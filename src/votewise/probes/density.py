"""The density of a spectrum by stochastic Lanczos quadrature (Ghorbani, Krishnan and Xiao 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from votewise.errors import VotewiseError
from votewise.probes.hessian import Operator, rademacher
from votewise.probes.lanczos import Krylov
from votewise.probes.out_of_memory import enough_for_vectors
from votewise.probes.validation import F64

TAIL = 5.0  # standard deviations of the kernel beyond the outermost eigenvalues


@dataclass(frozen=True, eq=False)
class Density:
    """The share of eigenvalues per unit at each x; the area under y is one."""

    x: F64
    y: F64


def spectral_density(
    operator: Operator, *, probes: int = 4, steps: int = 30, width: float = 0.01, points: int = 512, seed: int = 0
) -> Density:
    """The density of the spectrum of an operator.

    There is one Lanczos iteration for each random vector. The iterations advance together, so that their products share forward passes. The Ritz
    values of an iteration, weighted by the squared first entries of their Ritz vectors, are a quadrature of the spectrum for its random vector.

    Args:
        operator: for example `Hessian(model, x, p)`, or a symmetric matrix [d, d].
        probes: number of random vectors.
        steps: number of Lanczos steps per random vector.
        width: standard deviation of the Gaussian that broadens the spectrum, as a share of its range.
        points: number of points of the grid x.
        seed: seed of the random vectors.

    Returns:
        Grid x and density y, [points] each.

    >>> density = spectral_density(torch.diag(torch.tensor([0.0, 0.0, 0.0, 1.0])))
    >>> round(float(np.trapezoid(density.y, density.x)), 2), round(float(np.trapezoid(density.x * density.y, density.x)), 2)
    (1.0, 0.25)
    """
    if min(probes, steps) < 1 or not width * points > 1:
        raise VotewiseError(
            f"probes and steps must be at least 1 and points above 1 / width, got {probes}, {steps}, {points} and {width:g}"
        )
    with enough_for_vectors(
        operator,
        probes * (min(steps, operator.shape[0]) + 1),
        "pass fewer probes or steps, or free memory by using fewer workers",
    ):
        spaces = [Krylov(start, steps) for start in rademacher(operator, "density", seed, 0, probes).T]
        while active := [space for space in spaces if not space.ended]:
            products = operator @ torch.stack([space.front for space in active], dim=1)
            for space, product in zip(active, products.T, strict=True):
                space.extend(product)
    nodes, weights = zip(*(_quadrature(space) for space in spaces), strict=True)
    return _broadened(np.concatenate(nodes), np.concatenate(weights) / probes, width, points)


def _quadrature(space: Krylov) -> tuple[F64, F64]:
    """Nodes and weights [k]; the weights sum to one."""
    values, vectors = np.linalg.eigh(space.tridiagonal)
    return values, vectors[0] ** 2


def _broadened(nodes: F64, weights: F64, width: float, points: int) -> Density:
    span = float(np.ptp(nodes)) or max(abs(float(nodes[0])), 1.0)
    sigma = width * span
    x = np.linspace(nodes.min() - TAIL * sigma, nodes.max() + TAIL * sigma, points)
    kernel = np.exp(-0.5 * ((x[:, None] - nodes) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))
    return Density(x, kernel @ weights)
