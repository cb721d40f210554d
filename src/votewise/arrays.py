"""Types of arrays: F64 is a float64 array of any shape, which the docstring at hand gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]
Bool = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]
Ids = NDArray[Any]  # numpy StringDType
