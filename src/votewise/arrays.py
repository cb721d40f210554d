"""Array types, for example F64 for a float64 array of any shape (docstrings state shapes), and conversion to NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
Bool = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]
Ids = NDArray[Any]  # numpy StringDType


def plain(values: Any) -> NDArray[Any]:
    """Convert numbers to a NumPy array: a list, an array, a tensor of any device, layout and type, or a list of tensors.

    Values that are not a numeric array become an array of objects, so that a check of type and shape rejects them.

    Raises:
        VotewiseError: The values are masked, because an array would not have the mask.

    >>> plain([[1, 2], [3]]).dtype, plain("x").dtype.kind
    (dtype('O'), 'U')
    """
    if np.ma.is_masked(values):
        raise VotewiseError(
            "the array has masked values, which would be used like the others",
            remedy="replace them, for example with array.filled(0), or leave their rows out",
        )
    try:
        if hasattr(values, "detach"):  # torch, which is not imported
            values = values.detach()
            values = values.dequantize() if values.is_quantized else values
            values = values.to_dense() if str(values.layout) != "torch.strided" else values
            values = values.float() if values.is_floating_point() and values.element_size() < 4 else values
            return np.asarray(values.cpu())
        if isinstance(values, list | tuple) and any(hasattr(value, "detach") for value in values):
            values = [plain(value) for value in values]
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError, OverflowError):  # for example ragged or empty
        return np.empty(0, dtype=object)
