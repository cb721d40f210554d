"""Reads CIFAR's pickles with a reader that can only build arrays, strings, numbers and lists of them.

The archives of CIFAR contain pickles of Python 2, and a pickle may call any function by name. This reader accepts five names, and
replaces the functions of NumPy and Python that they name with safe ones.
"""

from __future__ import annotations

import io
import pickle
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.wording import quoted, reason


class _Kind:
    """Replaces dtype. Only numbers and bytes are accepted, because an array of objects would follow any pointer in the data."""

    def __init__(self, code: str | bytes, *_: object) -> None:
        self._code = code.decode("ascii") if isinstance(code, bytes) else code
        self._order = "|"
        if not re.fullmatch(r"[biufS]\d{1,4}", self._code):
            raise pickle.UnpicklingError(f"it asks for an array of type {quoted(self._code)}")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._order = state[1].decode("ascii") if isinstance(state[1], bytes) else state[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self._order + self._code)


class _Array:
    """Replaces an array: its bytes are read as numbers, without NumPy's function for restoring it."""

    def __init__(self, *_: object) -> None:
        self.values: NDArray[Any] = np.empty(0)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, kind, by_columns, data = state
        values = np.frombuffer(data, kind.dtype)
        self.values = values.reshape(shape, order="F" if by_columns else "C")


def _encode(text: str, encoding: str) -> bytes:
    """Replaces the function that decodes bytes which Python 3 wrote in an old protocol."""
    if encoding not in ("latin1", b"latin1"):
        raise pickle.UnpicklingError(f"it asks for the encoding {quoted(encoding)}")
    return text.encode("latin1")


_KNOWN: dict[tuple[str, str], Any] = {
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("numpy._core.multiarray", "_reconstruct"): _Array,
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Kind,
    ("_codecs", "encode"): _encode,
}


class _ArraysAndStrings(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which could run any code")
        return _KNOWN[module, name]


def read_pickle(data: bytes, where: object) -> dict[str, Any]:
    """A pickled dictionary with text keys; anything except arrays and strings is rejected."""
    try:
        value = _ArraysAndStrings(io.BytesIO(data), encoding="bytes").load()
        return {
            key.decode() if isinstance(key, bytes) else str(key): entry.values if isinstance(entry, _Array) else entry
            for key, entry in value.items()
        }
    except Exception as error:  # a damaged pickle may raise anything
        raise VotewiseError(
            f"this pickle is rejected ({reason(error)})",
            where=where,
            remedy="fetch the archive again from the official source",
        ) from None
