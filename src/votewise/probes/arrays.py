"""What a person has, as what a probe needs: the one place where inputs, votes and predictions are read and refused.

x  what one would pass to `model(x)`, [n, ...]: a NumPy array or a tensor, or anything with `len(x)` and `x[slice]`, of which only a
   chunk is read at a time. Pictures are in the model's own layout (mostly [n, C, H, W]), scaled as it was trained; floats take the
   model's precision, whole numbers (tokens) stay as they are, and bytes are refused, because nobody can tell how they are to be scaled.
p  what people said of the same items, in the same order: `Votes`, `Distributions`, or shares [n, C] as an array or a tensor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.scoring.probabilities import as_array, as_kind, kind_of, normalised
from votewise.votes import Answers, Distributions
from votewise.votes.distributions import TOLERANCE
from votewise.wording import counted

if TYPE_CHECKING:
    from torch import Tensor

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]


class Inputs(Protocol):
    """A tensor or an array [n, ...], or what gives one chunk of it at a time."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> Any: ...


def as_floats(values: Any, what: str, axes: str) -> F64:
    """An array of finite numbers with so many axes, or an error that calls it `what`.

    >>> as_floats([[1, 2]], "features", "n D")
    array([[1., 2.]])
    """
    remedy = f"give an array [{axes.replace(' ', ', ')}] with something in it"
    found = _floats(values, what, remedy)
    if found.ndim != len(axes.split()) or not found.size:
        raise VotewiseError(f"{what} of shape {found.shape}", remedy=remedy)
    fine = np.isfinite(found).reshape(len(found), -1).all(axis=1)
    if not fine.all():
        raise VotewiseError(
            f"{what} that are not all finite numbers: item {int(fine.argmin())} has another", remedy="look at that item"
        )
    return found


def _floats(values: Any, what: str, remedy: str) -> F64:
    try:
        return np.asarray(values.detach().cpu().double() if hasattr(values, "detach") else values, dtype=np.float64)
    except (TypeError, ValueError):
        raise VotewiseError(f"{what} that are no numbers in equal rows", remedy=remedy) from None


def as_distributions(values: Any, count: int | None = None, what: str = "distributions") -> F64:
    """Annotator distributions [n, C], of two classes or more and of `count` items."""
    remedy = "give votes, or the share of each class [n, C]"
    p = values.probabilities() if isinstance(values, Answers) else _floats(values, what, remedy)
    if p.ndim == 1 and p.size:
        raise VotewiseError(f"{what} of shape {p.shape}, which seem to be one class for each item", remedy=remedy)
    p = as_floats(p, what, "n C")
    if count is not None and len(p) != count:
        raise VotewiseError(f"{what} of {len(p)} for {counted(count, 'item')}", remedy="give one row per item")
    if p.shape[1] < 2:
        raise VotewiseError(f"{what} over one class only", remedy="give items that can be two things or more")
    total = p.sum(axis=1)
    wrong = (p.min(axis=1) < 0) | (np.abs(total - 1) > TOLERANCE)
    if wrong.any():
        row = int(wrong.argmax())
        raise VotewiseError(
            f"{what} with a row that is negative or does not sum to one: row {row}, {np.array2string(p[row], threshold=6, precision=4)}",
            remedy="give shares of votes, not counts",
        )
    return p


def as_answers(values: Any) -> Answers:
    """Votes or distributions as they are; shares [n, C] as distributions."""
    return values if isinstance(values, Answers) else Distributions(as_distributions(values))


def as_log_probabilities(predictions: Any, votes: Any, kind: str) -> tuple[F64, F64]:
    """Logarithms of predictions [n, C] of a `kind` that `votewise.score` knows, and the distributions [n, C] of the votes.

    Log-probabilities stay as they are, to the bit.
    """
    if isinstance(predictions, Answers):
        raise VotewiseError(
            "these predictions are votes", remedy="give what the model predicted first, and then the votes"
        )
    array = as_array(predictions)
    chosen = kind_of(array) if kind == "auto" else as_kind(kind)
    log_q = normalised(array, chosen)[1].T
    p = as_distributions(votes, len(array))
    if p.shape != array.shape:
        raise VotewiseError(
            f"votes over {p.shape[1]} classes and predictions over {array.shape[1]}", remedy="give both for the same"
        )
    return array.astype(np.float64) if chosen == "log-probabilities" else log_q, p


def as_inputs(x: Any, what: str = "inputs") -> Inputs:
    """Inputs of a model, at least one, of which a slice can be taken; a list becomes an array."""
    found = _array(x, what) if isinstance(x, list | tuple) else x
    try:
        count = len(found)
        first = found[0:1] if count else None
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, NotImplementedError):
        count, first = -1, None
    if count < 0 or isinstance(first, str | bytes | tuple | dict):
        raise VotewiseError(
            f"{what} of type {type(x).__name__}, of which no slice can be given to a model",
            remedy="give an array or a tensor [n, ...], as you would pass it to model(x)",
        )
    if not count:
        raise VotewiseError(f"there are no {what}", remedy="give at least one item")
    tensor_of(found, slice(0, 1), what)
    return found


def tensor_of(x: Inputs, part: slice, what: str = "inputs") -> Tensor:
    """The inputs in `part` as a tensor of finite numbers."""
    import torch

    values = x[part]
    tensor = values if isinstance(values, torch.Tensor) else torch.from_numpy(_array(values, what))
    if tensor.dtype == torch.uint8:
        raise VotewiseError(
            f"{what} are bytes (uint8)", remedy="give floats, scaled as the model was trained, such as x / 255"
        )
    if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
        wrong = ~torch.isfinite(tensor).reshape(len(tensor), -1).all(dim=1)
        item = range(len(x))[part][int(wrong.int().argmax())]
        raise VotewiseError(
            f"{what} that are not all finite numbers: item {item} has another", remedy="look at that item"
        )
    return tensor


def _array(values: Any, what: str) -> NDArray[Any]:
    """A copy that torch can take over, of whatever NumPy reads as numbers."""
    try:
        found = np.array(values)
    except (TypeError, ValueError):
        found = np.empty(0, dtype=object)
    if found.dtype.kind not in "fiub" or found.dtype.itemsize > 8:
        raise VotewiseError(
            f"{what} of type {found.dtype} or of unequal shapes",
            remedy="give an array or a tensor of numbers, [n, ...], as you would pass it to model(x)",
        )
    return found.astype(found.dtype.newbyteorder("="), copy=False)
