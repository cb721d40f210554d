"""The trace by random probe vectors, with its standard error: Hutchinson's estimate, and an estimate that deflates the known part of the spectrum.

With signs v, the mean of v'Av is the trace of A (Hutchinson 1989), and its variance is twice the sum of the squared entries off the diagonal: a few large eigenvalues
cause nearly all of it. Lanczos has found these eigenvalues. Inside the Lanczos space Q the trace is known, and random vectors are needed only for the
rest, which is the mean of w'Aw for w = v - QQ'v (deflation, as in Hutch++, Meyer et al. 2021). Because AQ = QT + b q e', w'Aw can be computed from v'Av
and Q'v, so that both estimates use the same products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from votewise.errors import VotewiseError
from votewise.probes.hessian import Operator, rademacher
from votewise.probes.lanczos import Krylov
from votewise.probes.out_of_memory import enough_for_vectors
from votewise.probes.validation import F64

VECTORS = 100
BLOCK = 8  # number of vectors that share a forward pass, and the minimum for a usable standard error


@dataclass(frozen=True)
class Estimate:
    """A mean over random vectors and its standard error."""

    value: float
    se: float
    probes: int


@dataclass(frozen=True)
class Trace:
    """Both estimates of one trace, from the same random vectors."""

    deflated: Estimate
    hutchinson: Estimate


def estimate_trace(
    operator: Operator, space: Krylov, *, probes: int = VECTORS, error: float | None = None, seed: int = 0
) -> Trace:
    """The trace of an operator.

    Args:
        operator: a symmetric operator [d, d].
        space: the space that Lanczos has explored.
        probes: maximum number of random vectors.
        error: stop after at least 8 vectors when the relative standard error of the deflated estimate reaches this value; None uses all vectors.
        seed: seed of the random vectors.
    """
    if probes < 2:
        raise VotewiseError(f"probes must be at least 2 for a standard error, got {probes}")
    known = float(np.trace(space.tridiagonal))
    plain, rest = np.empty(0), np.empty(0)
    with enough_for_vectors(operator, 2 * min(BLOCK, probes), "pass fewer steps"):
        while len(plain) < probes:
            forms = _forms(operator, space, seed, len(plain), min(BLOCK, probes - len(plain)))
            plain, rest = np.append(plain, forms[0]), np.append(rest, forms[1])
            deflated = _estimate(known + rest)
            if error is not None and len(plain) >= BLOCK and deflated.se <= error * abs(deflated.value):
                break
    return Trace(deflated, _estimate(plain))


def _forms(operator: Operator, space: Krylov, seed: int, first: int, count: int) -> tuple[F64, F64]:
    """For `count` random vectors v: v'Av, and w'Aw with w the part of v outside the space."""
    v = rademacher(operator, "trace", seed, first, count)
    form = (v * (operator @ v)).double().sum(0).cpu().numpy()
    inside, front = (space.basis @ v).double().cpu().numpy(), (space.front @ v).double().cpu().numpy()
    known = np.einsum("ip,ij,jp->p", inside, space.tridiagonal, inside)
    return form, form - known - 2 * space.coupling * inside[-1] * front


def _estimate(values: F64) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))), len(values))
