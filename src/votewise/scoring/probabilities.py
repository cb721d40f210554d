"""Conversion of predictions (probabilities, log-probabilities or logits) to probabilities."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, plain
from votewise.errors import VotewiseError
from votewise.votes import TOLERANCE
from votewise.wording import listing

Kind = Literal["probabilities", "log-probabilities", "logits"]
AnyKind = Kind | Literal["auto"]  # "auto" detects the kind from the values

_ROUNDING = 1e-12
_NEGATIVE = 1e-6  # largest rounding error below 0 of a probability, for example in single precision
_PERCENT = 5  # tolerance for sums of rows of percentages, which are often rounded to whole numbers


def as_array(values: Any, where: object = None) -> NDArray[Any]:
    """Convert numbers [N, C] that NumPy can read, or a torch tensor on any device, to an array, without importing torch.

    Paths and data frames raise an error, because they may have names for items and classes, which are matched elsewhere.
    """
    if isinstance(values, str | os.PathLike):
        path = os.fspath(values)
        raise VotewiseError(f"{path!r} is a path, not predictions", remedy=f"read it first: read_predictions({path!r})")
    if hasattr(values, "columns"):
        kind = f"{type(values).__module__.partition('.')[0]} {type(values).__name__}"
        raise VotewiseError(
            f"predictions must be an array here, got a {kind}, whose rows and columns may be in any order",
            remedy="pass it to votewise.score, which matches items and classes by name; or pass an array in the order of the votes",
        )
    array = plain(values)
    if array.dtype.kind not in "fiub" or array.ndim != 2:
        what = f"shape {array.shape}" if array.dtype.kind in "fiub" else "no numeric [N, C] array"
        raise VotewiseError(
            f"predictions with {what}", where=where, remedy="give one row per item and one column per class"
        )
    return array


def as_kind(kind: str) -> Kind:
    """`kind` if it is valid; otherwise an error that lists the kinds."""
    for known in get_args(Kind):
        if kind == known:
            return known  # type: ignore[no-any-return]  # get_args gives Any
    raise VotewiseError(
        f"unknown kind of predictions {kind!r}",
        remedy=f"give one of {listing(('auto', *get_args(Kind)))} with kind= (--kind)",
    )


def kind_of(values: Any, where: object = None) -> Kind:
    """The kind of the numbers in an array [N, C], detected by their values.

    Numbers between 0 and 1 are probabilities, and so are numbers of which most rows sum to one; an error about a wrong row is
    raised later. Numbers of at most 0 whose exponentials sum to one are log-probabilities. Other numbers are logits, except for
    non-negative rows with equal sums or with sums of about 100. Those raise an error, because they may be counts or percentages.

    >>> kind_of([[0.5, 0.5]]), kind_of([[-0.7, -0.7]]), kind_of(np.log([[0.2, 0.8]])), kind_of([[3.0, -1.0]])
    ('probabilities', 'logits', 'log-probabilities', 'logits')
    """
    array = as_array(values, where)
    if not array.size:
        return "probabilities"
    low, high = float(np.fmin.reduce(array, axis=None)), float(np.fmax.reduce(array, axis=None))  # NaN is handled later
    with np.errstate(invalid="ignore"):  # a signalling NaN; NaN is handled later
        total = array.sum(axis=1, dtype=np.float64)
        most_sum_to_one = np.mean(np.abs(total - 1) <= TOLERANCE) > 0.5
    if most_sum_to_one or (low >= 0 and high <= 1 + TOLERANCE):
        return "probabilities"
    if low >= 0:
        if _percentages(total):
            raise VotewiseError(
                "rows are 0 or more and sum to about 100: these may be logits or percentages",
                where=where,
                remedy="divide percentages by 100, or give kind='logits' (--kind logits)",
            )
        if np.allclose(total, total[0], rtol=TOLERANCE):
            raise VotewiseError(
                f"each row is 0 or more and sums to {total[0]:.6g}: these may be logits or unnormalised shares",
                where=where,
                remedy="normalise the rows to sum to one, or give kind='logits' (--kind logits)",
            )
    if high <= TOLERANCE:
        with np.errstate(over="ignore"):
            total = np.exp(array.astype(np.float64)).sum(axis=1)
        if (np.abs(total - 1) <= TOLERANCE).all():
            return "log-probabilities"
    return "logits"


def _percentages(total: F64) -> bool:
    return bool((np.abs(total - 100) <= _PERCENT).all())


def by_number(row: int) -> str:
    """The name of a row of an array in errors."""
    return f"row {row}"


def normalised(
    values: NDArray[Any], kind: Kind, where: object = None, place: Callable[[int], str] = by_number
) -> tuple[F64, F64]:
    """Probabilities and their logarithms, both [C, n], of rows [n, C]; `place` names a row in errors.

    Classes come first so that a sum over them runs along whole rows of memory. Logarithms of logits are not computed from
    exponentials: a class at -10,000 keeps its logarithm although its probability is 0.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        columns = np.array(values.T, dtype=np.float64, order="C")
        if kind == "probabilities":
            columns[(columns < 0) & (columns >= -_NEGATIVE)] = 0
            total = columns.sum(axis=0)
            _refuse(values, ~((columns >= 0).all(axis=0) & (np.abs(total - 1) <= TOLERANCE)), kind, where, place)
            total[np.abs(total - 1) <= _ROUNDING] = 1  # such a row is not changed at all, so that equal rows stay equal
            columns /= total
            return columns, np.log(columns)
        top = columns.max(axis=0)
        columns -= top
        share = np.exp(columns)
        total = share.sum(axis=0)
        log_total = np.log(total)
        wrong = ~np.isfinite(top) | np.isnan(total)
        if kind == "log-probabilities":
            wrong |= np.abs(np.expm1(top + log_total)) > TOLERANCE
        _refuse(values, wrong, kind, where, place)
        columns -= log_total
        share /= total
        return share, columns


def _refuse(
    values: NDArray[Any], wrong: NDArray[np.bool_], kind: Kind, where: object, place: Callable[[int], str]
) -> None:
    if not wrong.any():
        return
    first = int(wrong.argmax())
    with np.errstate(invalid="ignore"):
        row = values[first].astype(np.float64)
    shown = np.array2string(row, threshold=6, precision=4)
    if np.isnan(row).any():
        what = f"has a value that is not a number: {shown}"
    elif kind == "probabilities" and (row < 0).any():
        what = f"has a negative probability: {shown}"
    elif kind == "logits":
        what = f"has no finite largest value: {shown}"
    else:
        total = row.sum() if kind == "probabilities" else np.exp(row).sum()
        what = f"sums to {total:.6g}, not to one: {shown}"
    others = [name for name in get_args(Kind) if name != kind]
    remedy = f"predictions were read as {kind}; correct the row, or give kind={others[0]!r} or {others[1]!r} (--kind)"
    if kind == "probabilities" and (row >= 0).all() and _percentages(row.sum(keepdims=True)):
        remedy = "divide percentages by 100"
    raise VotewiseError(f"{place(first)} {what}", where=where, remedy=remedy)
