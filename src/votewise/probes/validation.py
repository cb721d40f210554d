"""Input validation for probes: convert arrays, tensors, votes and predictions, or raise.

Inputs x are what you would pass to `model(x)`, [n, ...]: a NumPy array, a tensor, or any object with `len(x)` and `x[slice]`, which is read in
chunks. Floats are converted to the model's precision, integers (tokens) are unchanged, and bytes are rejected because their scale is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.scoring import as_array, as_kind, kind_of, normalised
from votewise.votes import TOLERANCE, Answers, Distributions
from votewise.wording import counted

if TYPE_CHECKING:
    from torch import Tensor

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]

_AS_FOR_MODEL = "pass an array or a tensor [n, ...], as you would to model(x)"
_SHARES = "pass votes, or the share of each class [n, C]"


class Inputs(Protocol):
    """A tensor or an array [n, ...], or an object that is read in chunks."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> Any: ...


def as_floats(values: Any, name: str, axes: str) -> F64:
    """Convert to an array of finite numbers with the given axes; errors refer to it as `name`.

    >>> as_floats([[1, 2]], "features", "n D")
    array([[1., 2.]])
    """
    shape = f"[{axes.replace(' ', ', ')}]"
    array = _floats(values, name, f"pass an array {shape}")
    if array.ndim != len(axes.split()) or not array.size:
        raise VotewiseError(f"{name} must be a non-empty array {shape}, got shape {array.shape}")
    _check_finite(np.isfinite(array).reshape(len(array), -1).all(axis=1), name)
    return array


def _floats(values: Any, name: str, remedy: str) -> F64:
    try:
        return np.asarray(values.detach().cpu().double() if hasattr(values, "detach") else values, dtype=np.float64)
    except (TypeError, ValueError):
        raise VotewiseError(f"{name} must be numbers in rows of equal length", remedy=remedy) from None


def _check_finite(finite: Any, name: str, first: int = 0, step: int = 1) -> None:
    """Raise if an item is not finite, naming its position counted from `first`."""
    if not bool(finite.all()):
        raise VotewiseError(f"{name} must be finite, but item {first + step * int((~finite).argmax())} is not")


def as_distributions(values: Any, count: int | None = None, name: str = "distributions") -> F64:
    """Annotator distributions [n, C] over two or more classes, for `count` items if given."""
    p = values.probabilities() if isinstance(values, Answers) else _floats(values, name, _SHARES)
    if p.ndim == 1 and p.size:
        raise VotewiseError(f"{name} must be [n, C], got one value per item", remedy=_SHARES)
    p = as_floats(p, name, "n C")
    if count is not None and len(p) != count:
        raise VotewiseError(f"{name} must have one row per item, got {len(p)} for {counted(count, 'item')}")
    if p.shape[1] < 2:
        raise VotewiseError(f"{name} must have two or more classes, got one")
    wrong = (p.min(axis=1) < 0) | (np.abs(p.sum(axis=1) - 1) > TOLERANCE)
    if wrong.any():
        row = int(wrong.argmax())
        raise VotewiseError(
            f"{name} must be non-negative and sum to one, but row {row} is {np.array2string(p[row], threshold=6, precision=4)}",
            remedy="pass shares of votes, not counts",
        )
    return p


def as_answers(values: Any) -> Answers:
    """Return votes and distributions unchanged, and shares [n, C] as distributions."""
    return values if isinstance(values, Answers) else Distributions(as_distributions(values))


def as_log_probabilities(predictions: Any, votes: Any, kind: str) -> tuple[F64, F64]:
    """Logarithms of predictions [n, C] of a `kind` that `votewise.score` accepts, and the distributions [n, C] of the votes.

    Log-probabilities are returned bit for bit.
    """
    if isinstance(predictions, Answers):
        raise VotewiseError("predictions must be an array, got votes", remedy="pass predictions first, then the votes")
    array = as_array(predictions)
    kind = kind_of(array) if kind == "auto" else as_kind(kind)
    log_q = normalised(array, kind)[1].T
    p = as_distributions(votes, len(array))
    if p.shape != array.shape:
        raise VotewiseError(f"predictions have {array.shape[1]} classes, but the votes have {p.shape[1]}")
    return array.astype(np.float64) if kind == "log-probabilities" else log_q, p


def as_inputs(x: Any, name: str = "inputs") -> Inputs:
    """Inputs of a model that can be sliced, at least one; a list becomes an array."""
    inputs = _array(x, name) if isinstance(x, list | tuple) else x
    try:
        count = len(inputs)
        first = inputs[0:1] if count else None
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, NotImplementedError):
        count, first = -1, None
    if count < 0 or isinstance(first, str | bytes | tuple | dict):
        raise VotewiseError(f"{name} cannot be sliced, got {type(x).__name__}", remedy=_AS_FOR_MODEL)
    if not count:
        raise VotewiseError(f"{name} must have at least one item, got none")
    tensor_of(inputs, slice(0, 1), name)
    return inputs


def tensor_of(x: Inputs, part: slice, name: str = "inputs") -> Tensor:
    """The inputs in `part` as a tensor of finite numbers."""
    import torch

    values = x[part]
    tensor = values if isinstance(values, torch.Tensor) else torch.from_numpy(_array(values, name))
    if tensor.dtype == torch.uint8:
        raise VotewiseError(
            f"{name} are bytes (uint8)", remedy="pass floats, scaled as the model was trained, e.g. x / 255"
        )
    if tensor.is_floating_point():
        finite = torch.isfinite(tensor)
        if not bool(finite.all()):
            items = range(len(x))[part]
            _check_finite(finite.reshape(len(tensor), -1).all(dim=1).cpu().numpy(), name, items.start, items.step)
    return tensor


def _array(values: Any, name: str) -> NDArray[Any]:
    """A copy for torch of any numbers that NumPy can read."""
    try:
        array = np.array(values)
    except (TypeError, ValueError):
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8:
        raise VotewiseError(
            f"{name} must be numbers of one shape per item, got type {array.dtype}", remedy=_AS_FOR_MODEL
        )
    return array.astype(array.dtype.newbyteorder("="), copy=False)
