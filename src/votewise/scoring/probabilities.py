"""What a model said of each item, whatever form it came in: probabilities, their logarithms, or logits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError, listing

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Kind = Literal["probabilities", "log-probabilities", "logits"]

_TOLERANCE = 1e-3  # a row of half precision, or of a CSV with four decimals, sums to one within this
_ROUNDING = 1e-12
_CELLS = 1 << 18


def as_array(values: Any, where: object = None) -> NDArray[Any]:
    """Anything that NumPy reads as numbers [N, C]; a torch tensor of any device and type without importing torch."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = values.float() if str(values.dtype) == "torch.bfloat16" else values
    try:
        array = np.asarray(values)
    except ValueError:  # rows of unequal length
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "fiub" or array.ndim != 2:
        what = f"shape {array.shape}" if array.dtype.kind in "fiub" else "no numbers in equal rows"
        raise VotewiseError(
            f"predictions with {what}", where=where, remedy="give one row per item and one column per class"
        )
    return array


def as_kind(kind: str) -> Kind:
    """`kind` if it is one, or an error that lists them."""
    for known in get_args(Kind):
        if kind == known:
            return known  # type: ignore[no-any-return]
    raise VotewiseError(
        f"unknown kind of predictions {kind!r}", remedy=f"use one of {listing(('auto', *get_args(Kind)))}"
    )


def kind_of(values: Any, where: object = None) -> Kind:
    """What an array [N, C] holds, told from its numbers.

    Numbers between 0 and 1 are meant as probabilities, even where their rows do not sum to one (which is an error later,
    not another kind). Numbers of at most 0 whose exponentials sum to one are log-probabilities. Others are logits.

    >>> kind_of([[0.5, 0.5]]), kind_of([[-0.7, -0.7]]), kind_of(np.log([[0.2, 0.8]])), kind_of([[3.0, -1.0]])
    ('probabilities', 'logits', 'log-probabilities', 'logits')
    """
    array = as_array(values, where)
    if not array.size:
        return "probabilities"
    low, high = float(np.fmin.reduce(array, axis=None)), float(np.fmax.reduce(array, axis=None))  # NaN is for later
    if low >= 0 and high <= 1 + _TOLERANCE:
        return "probabilities"
    if low >= 0 and np.allclose(total := array.sum(axis=1, dtype=np.float64), total[0], rtol=_TOLERANCE):
        raise VotewiseError(
            f"each row is 0 or more and sums to {total[0]:.6g}: these may be logits or shares of another whole",
            where=where,
            remedy="divide them so that rows sum to one, or say kind='logits' (--kind logits)",
        )
    if high <= _TOLERANCE:
        with np.errstate(over="ignore"):
            total = np.exp(array.astype(np.float64)).sum(axis=1)
        if (np.abs(total - 1) <= _TOLERANCE).all():
            return "log-probabilities"
    return "logits"


def as_probabilities(values: Any, kind: str = "auto", *, where: object = None) -> F64:
    """Probabilities [N, C], rows summing to one, out of probabilities, log-probabilities or logits [N, C].

    With "auto" the numbers tell which (see `kind_of`). A row that is no distribution is an error that names it.

    >>> as_probabilities([[0.0, 0.0], [1.0, -1.0]]).round(3).tolist()
    [[0.5, 0.5], [0.881, 0.119]]
    """
    array = as_array(values, where)
    chosen = kind_of(array, where) if kind == "auto" else as_kind(kind)
    out = np.empty(array.shape)
    for part in _blocks(array):
        out[part] = normalised(array[part], chosen, where, range(part.start, len(array)))[0].T
    return out


def _blocks(array: NDArray[Any]) -> Iterator[slice]:
    step = max(1, _CELLS // max(1, array.shape[1]))
    return (slice(start, start + step) for start in range(0, len(array), step))


def normalised(values: NDArray[Any], kind: Kind, where: object, rows: Sequence[int] | I64) -> tuple[F64, F64]:
    """Probabilities and their logarithms, both [C, n], of rows [n, C]; `rows` has the number that errors call each row by.

    Classes come first so that a sum over them runs along whole rows of memory. Logarithms of logits never pass through
    their exponentials: a class at -10,000 keeps its logarithm where its probability is 0.
    """
    columns = np.array(values.T, dtype=np.float64, order="C")
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "probabilities":
            total = columns.sum(axis=0)
            _refuse(values, ~((columns >= 0).all(axis=0) & (np.abs(total - 1) <= _TOLERANCE)), kind, where, rows)
            total[np.abs(total - 1) <= _ROUNDING] = 1  # such a row stays as it is, to the bit: equal rows stay equal
            columns /= total
            return columns, np.log(columns)
        top = columns.max(axis=0)
        columns -= top
        share = np.exp(columns)
        total = share.sum(axis=0)
        log_total = np.log(total)
        wrong = ~np.isfinite(top) | np.isnan(total)
        if kind == "log-probabilities":
            wrong |= np.abs(np.expm1(top + log_total)) > _TOLERANCE
        _refuse(values, wrong, kind, where, rows)
        columns -= log_total
        share /= total
        return share, columns


def _refuse(values: NDArray[Any], wrong: NDArray[np.bool_], kind: Kind, where: object, rows: Any) -> None:
    if not wrong.any():
        return
    place = int(wrong.argmax())
    row = values[place].astype(np.float64)
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
    raise VotewiseError(
        f"row {rows[place]} {what}",
        where=where,
        remedy=f"predictions were read as {kind}; correct the row, or say kind={others[0]!r} or {others[1]!r} (--kind)",
    )
