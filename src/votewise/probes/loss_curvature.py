"""The curvature of the loss at the weights of a model: extreme eigenvalues and trace of the Hessian, by two methods.

The paper uses power iteration, and Hutchinson's estimate of the trace. The other method has error bounds: Lanczos with residuals, and a
trace that uses the Lanczos space. The numbers of the paper's method follow from it at no extra cost. The k-th vector of power iteration lies in
the space of k Lanczos steps from the same start, so the Rayleigh quotients of power iteration can be computed from the tridiagonal matrix: exactly
for as many iterations as there were Lanczos steps, and up to the tolerance of the extreme eigenvalues for more. Both traces use the same products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from votewise.probes.hessian import Hessian, Operator, Scaled
from votewise.probes.lanczos import LARGEST, SMALLEST, STEPS, Eigenvalue, Krylov, converged, lanczos
from votewise.probes.names import CHUNK
from votewise.probes.quantities import curvature_quantities
from votewise.probes.reading import Reading
from votewise.probes.trace import VECTORS, Trace, estimate_trace
from votewise.probes.validation import Inputs

FOR_TRACE = (
    15  # enough steps for the outlying eigenvalues, about one per class; a random vector costs as much as a step
)


@dataclass(frozen=True)
class Power:
    """The eigenvalue found by power iteration, and the number of products."""

    value: float
    iterations: int
    converged: bool


@dataclass(frozen=True)
class Curvature:
    """The curvature of the mean soft cross-entropy; None for numbers that were not requested. For all numbers, larger is sharper.

    Attributes:
        largest: largest eigenvalue, the curvature in the sharpest direction; `residual` bounds its error.
        smallest: smallest eigenvalue; if it is well below 0, the model is at a saddle and not in a minimum.
        power: result of power iteration: the eigenvalue of largest modulus.
        trace: sum of all eigenvalues with its standard error `se`: `deflated` (more precise) and by Hutchinson's estimate.
        sharpness: largest eigenvalue of |W| H |W|, W the diagonal matrix of the weights: rescaling two layers relative to each other changes
            the largest eigenvalue of H, but not this one.
        weight_norm: Euclidean norm of all trainable weights.
        steps: number of Lanczos steps.
        notes: estimates that did not converge.
    """

    largest: Eigenvalue
    smallest: Eigenvalue | None
    power: Power
    trace: Trace | None
    sharpness: Eigenvalue | None
    weight_norm: float
    steps: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.reading())

    def reading(self, part: str = "full") -> Reading:
        """The numbers under the keys used in storage, for the slice of the examples called `part`: full or high."""
        numbers: dict[str, float | None] = {
            f"lambda_max_{part}": self.largest.value,
            f"lambda_max_{part}_residual": self.largest.residual,
            f"lambda_power_{part}": self.power.value,
            "weight_norm": self.weight_norm,
        }
        if self.smallest:
            numbers[f"lambda_min_{part}"] = self.smallest.value
            numbers[f"lambda_min_{part}_residual"] = self.smallest.residual
        if self.trace:
            for name, estimate in (("trace", self.trace.deflated), ("trace_hutchinson", self.trace.hutchinson)):
                numbers[f"{name}_{part}"] = estimate.value
                numbers[f"{name}_{part}_se"] = estimate.se
        if self.sharpness:
            numbers[f"sharpness_{part}"] = self.sharpness.value
        quantities = {quantity.key: quantity for quantity in curvature_quantities(part)}
        return Reading(numbers, notes=tuple(f"{part}: {note}" for note in self.notes), quantities=quantities)


def curvature(
    model: nn.Module,
    x: Inputs,
    p: Any,
    *,
    chunk: int = CHUNK,
    trace: bool = True,
    sharpness: bool = True,
    largest: float = LARGEST,
    smallest: float | None = SMALLEST,
    steps: int = STEPS,
    probes: int = VECTORS,
    trace_error: float | None = None,
    seed: int = 0,
) -> Curvature:
    """The curvature of the mean soft cross-entropy of a model.

    Args:
        model: a model in evaluation mode that returns logits [n, C].
        x: inputs [n, ...].
        p: votes of the same items, or shares [n, C].
        chunk: number of examples at a time. Memory grows with it, and by one vector of weights per Lanczos step.
        trace: whether to estimate the trace.
        sharpness: whether to compute the scale-invariant sharpness.
        largest: relative accuracy of the largest eigenvalue.
        smallest: relative accuracy of the smallest eigenvalue; None skips it.
        steps: maximum number of Lanczos steps.
        probes: maximum number of random vectors for the trace.
        trace_error: stop when the relative standard error of the trace reaches this value.
        seed: seed of the random vectors.

    Returns:
        A `Curvature`; `print` shows all numbers and what they mean.

    >>> found = curvature(nn.Linear(1, 2, bias=False).eval(), [[1.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]])
    >>> abs(round(found.smallest.value, 4))  # adding the same to both logits does not change the loss
    0.0
    """
    hessian = Hessian(model, x, p, chunk=chunk)
    sharp = None
    if sharpness:  # sharpness first, because the Lanczos space of the other numbers stays in memory
        scaled = Scaled(hessian, hessian.weights.abs())
        sharp = lanczos(scaled, largest=largest, smallest=None, steps=steps, seed=seed).eigenvalues()[-1]
    space = lanczos(
        hessian, largest=largest, smallest=smallest, least=FOR_TRACE if trace else 2, steps=steps, seed=seed
    )
    ritz, power = space.eigenvalues(), _power_of(space)
    notes = []
    if space.coupling and not converged(space, largest, smallest):
        notes.append(f"the ends of the spectrum did not converge after {steps} Lanczos steps")
    if not power.converged:
        notes.append(f"power iteration did not converge after {power.iterations} iterations")
    if power.value < 0:
        notes.append("power iteration found the negative end of the spectrum")
    return Curvature(
        largest=ritz[-1],
        smallest=None if smallest is None else ritz[0],
        power=power,
        trace=estimate_trace(hessian, space, probes=probes, error=trace_error, seed=seed) if trace else None,
        sharpness=sharp,
        weight_norm=float(hessian.weights.norm()),
        steps=space.size,
        notes=tuple(notes),
    )


def power_iteration(operator: Operator, start: Tensor, *, iterations: int = 100, tolerance: float = 1e-3) -> Power:
    """Multiply and normalise from `start` [d] until the relative change of the Rayleigh quotient is at most `tolerance`.

    It finds the eigenvalue of largest modulus, which may be a negative one.

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


def _power_of(space: Krylov) -> Power:
    """Power iteration from the start of a Lanczos run, without further products."""
    matrix = torch.from_numpy(space.tridiagonal)
    return power_iteration(matrix, torch.eye(len(matrix), dtype=matrix.dtype)[0])
