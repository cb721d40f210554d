"""The trace by random probes, with its standard error: Hutchinson's estimate, and one that knows most of the spectrum already.

With signs v, the mean of v'Av is the trace of A (Hutchinson 1989), and its variance is twice the sum of the squared entries off the diagonal: a few large eigenvalues
make nearly all of it. Lanczos has found these. Inside its space Q the trace is known, and probes are needed for the rest alone: the
mean of w'Aw for w = v - QQ'v (deflation, as in Hutch++, Meyer et al. 2021). Since AQ = QT + b q e', w'Aw follows from v'Av and Q'v: both estimates
come out of the same products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.probes.hessian import Operator
from votewise.probes.lanczos import Krylov
from votewise.probes.memory import enough_for_vectors
from votewise.probes.rademacher import rademacher

F64 = NDArray[np.float64]
PROBES = 100
BLOCK = 8  # probes that share a forward pass; fewer say too little about their own spread to stop by it


@dataclass(frozen=True)
class Estimate:
    """A mean over random probes and its standard error."""

    value: float
    se: float
    probes: int


@dataclass(frozen=True)
class Trace:
    """Both estimates of one trace, from the same probes."""

    deflated: Estimate
    hutchinson: Estimate


def estimate_trace(
    operator: Operator, space: Krylov, *, probes: int = PROBES, error: float | None = None, seed: int = 0
) -> Trace:
    """The trace of an operator of which Lanczos has explored `space`.

    It takes `probes` probes; with `error`, only as many as bring the standard error of the deflated estimate to that share of its value, and
    never fewer than 8. A running mean that happens to stand still is no reason to stop.
    """
    if probes < 2:
        raise VotewiseError(f"a standard error from {probes} probe", remedy="give two probes or more")
    known = float(np.trace(space.tridiagonal))
    plain, rest = np.empty(0), np.empty(0)
    with enough_for_vectors(operator, 2 * min(BLOCK, probes), "give fewer steps= of Lanczos"):
        while len(plain) < probes:
            here = _forms(operator, space, seed, len(plain), min(BLOCK, probes - len(plain)))
            plain, rest = np.append(plain, here[0]), np.append(rest, here[1])
            deflated = _estimate(known + rest)
            if error is not None and len(plain) >= BLOCK and deflated.se <= error * abs(deflated.value):
                break
    return Trace(deflated, _estimate(plain))


def _forms(operator: Operator, space: Krylov, seed: int, first: int, count: int) -> tuple[F64, F64]:
    """For so many probes v: v'Av, and w'Aw with w the part of v outside the space."""
    v = rademacher(operator, "trace", seed, first, count)
    form = (v * (operator @ v)).double().sum(0).cpu().numpy()
    inside, next_one = (space.basis @ v).double().cpu().numpy(), (space.front @ v).double().cpu().numpy()
    known = np.einsum("ip,ij,jp->p", inside, space.tridiagonal, inside)
    return form, form - known - 2 * space.coupling * inside[-1] * next_one


def _estimate(values: F64) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))), len(values))
