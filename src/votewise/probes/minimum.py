"""How curved the loss is where a model stands: the ends and the trace of the Hessian on one set of examples, two ways.

The paper's way is power iteration and Hutchinson's estimate of the trace. The other says how sure it is: Lanczos with residuals, and a
trace that uses what Lanczos found. The first comes out of the second at no further cost. The k-th vector of power iteration lies in the space
of k steps of Lanczos from the same start, so its Rayleigh quotients can be read from the tridiagonal matrix: exactly for as many iterations
as there were steps, and after that with ends of the spectrum that are known to the tolerance. Both traces use the same products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from votewise.probes.arrays import Inputs
from votewise.probes.density import Density, spectral_density
from votewise.probes.hessian import CHUNK, Hessian, Scaled
from votewise.probes.lanczos import LARGEST, SMALLEST, STEPS, Eigenvalue, Krylov, known, lanczos
from votewise.probes.power import Power, power_iteration
from votewise.probes.reading import Reading
from votewise.probes.trace import PROBES, Trace, estimate_trace

FOR_TRACE = 15  # steps that catch the outlying eigenvalues, about as many as classes; a probe costs as much as a step


@dataclass(frozen=True)
class Curvature:
    """What the Hessian of the mean soft cross-entropy looks like; None for what was not asked for. Larger is sharper, for all of it.

    largest      largest eigenvalue: how fast the slope changes in the steepest direction; its `residual` bounds its error
    smallest     smallest eigenvalue; well below 0, the model stands on a saddle and not in a minimum
    power        what power iteration finds: the eigenvalue of largest modulus
    trace        sum of all eigenvalues, with its standard error `se`: `deflated` (the surer one) and by Hutchinson's estimate
    sharpness    largest eigenvalue of |W| H |W|, W the diagonal matrix of the weights: rescaling two layers against each other changes
                 the largest eigenvalue of H, but not this one
    weight_norm  Euclidean norm of all trainable weights
    density      of the spectrum: the share of eigenvalues per unit
    steps        of Lanczos that were taken
    notes        what had not settled
    """

    largest: Eigenvalue
    smallest: Eigenvalue | None
    power: Power
    trace: Trace | None
    sharpness: Eigenvalue | None
    weight_norm: float
    density: Density | None
    steps: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.reading())

    def reading(self, part: str = "full") -> Reading:
        """The numbers under the names that they are stored by, for the slice of the examples called `part`: full, high."""
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
        curves = {}
        if self.density:
            curves[f"density_{part}"] = {"x": self.density.x.tolist(), "y": self.density.y.tolist()}
        return Reading(numbers, curves, tuple(f"{part}: {note}" for note in self.notes))


def curvature(
    model: nn.Module,
    x: Inputs,
    p: Any,
    *,
    chunk: int = CHUNK,
    trace: bool = True,
    sharpness: bool = True,
    density: bool = False,
    largest: float = LARGEST,
    smallest: float | None = SMALLEST,
    steps: int = STEPS,
    probes: int = PROBES,
    trace_error: float | None = None,
    seed: int = 0,
) -> Curvature:
    """The curvature of the mean soft cross-entropy of `model` on inputs x [n, ...] and votes p (or shares [n, C]) of the same items.

    Lanczos goes on until the ends of the spectrum are known to the shares `largest` and `smallest` of themselves (None: no smallest), or for `steps` steps.
    The trace takes `probes` probes, as the paper has them; with `trace_error`, only as many as bring its standard error to that
    share of it. Memory grows with `chunk`, and by one vector of weights for each step. `print` shows all numbers with what they mean.

    >>> found = curvature(nn.Linear(1, 2, bias=False).eval(), [[1.0], [1.0]], [[0.5, 0.5], [1.0, 0.0]])
    >>> abs(round(found.smallest.value, 4))  # one logit more for both classes changes no answer
    0.0
    """
    hessian = Hessian(model, x, p, chunk=chunk)
    sharp = None
    if sharpness:  # first, because the space of the others stays in memory
        scaled = Scaled(hessian, hessian.weights.abs())
        sharp = lanczos(scaled, largest=largest, smallest=None, steps=steps, seed=seed).eigenvalues()[-1]
    spectrum = spectral_density(hessian, seed=seed) if density else None
    space = lanczos(
        hessian, largest=largest, smallest=smallest, least=FOR_TRACE if trace else 2, steps=steps, seed=seed
    )
    ritz, power = space.eigenvalues(), _power(space)
    notes = []
    if space.coupling and not known(space, largest, smallest):
        notes.append(f"the ends of the spectrum had not settled after {steps} steps of Lanczos")
    if not power.converged:
        notes.append(f"power iteration had not settled after {power.iterations} iterations")
    if power.value < 0:
        notes.append("power iteration found the negative end of the spectrum")
    return Curvature(
        largest=ritz[-1],
        smallest=None if smallest is None else ritz[0],
        power=power,
        trace=estimate_trace(hessian, space, probes=probes, error=trace_error, seed=seed) if trace else None,
        sharpness=sharp,
        weight_norm=float(hessian.weights.norm()),
        density=spectrum,
        steps=space.size,
        notes=tuple(notes),
    )


def _power(space: Krylov) -> Power:
    """Power iteration from the start of a Lanczos run, without a product more."""
    matrix = torch.from_numpy(space.tridiagonal)
    return power_iteration(matrix, torch.eye(len(matrix), dtype=matrix.dtype)[0])
