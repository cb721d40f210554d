"""Conversion of arrays of any framework to NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def on_host(array: Any) -> NDArray[Any]:
    """A NumPy array, JAX array, list, or tensor on any device, as NumPy."""
    return np.asarray(array.detach().cpu() if hasattr(array, "detach") else array)
