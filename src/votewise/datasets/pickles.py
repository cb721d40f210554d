"""CIFAR's pickles, read by a reader that can build nothing but arrays, strings, numbers and lists of them.

The archives of CIFAR hold pickles of Python 2, and a pickle may call whatever it names. This reader knows five names.
"""

from __future__ import annotations

import codecs
import io
import pickle
from typing import Any

import numpy as np

from votewise.errors import VotewiseError

_RECONSTRUCT = np.empty(0).__reduce__()[0]  # the function that NumPy's own pickles name
_KNOWN: dict[tuple[str, str], Any] = {
    ("numpy.core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy._core.multiarray", "_reconstruct"): _RECONSTRUCT,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("_codecs", "encode"): codecs.encode,  # how Python 3 writes bytes in the old protocols
}


class _ArraysAndStrings(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which could run any code")
        return _KNOWN[module, name]


def read_pickle(data: bytes, where: object) -> dict[str, Any]:
    """A pickled dictionary, its keys as text; whatever it asks for beyond arrays and strings is refused."""
    try:
        value = _ArraysAndStrings(io.BytesIO(data), encoding="bytes").load()
        return {key.decode() if isinstance(key, bytes) else str(key): entry for key, entry in value.items()}
    except Exception as error:  # a damaged pickle ends in any kind of error
        raise VotewiseError(
            f"this pickle is refused ({error})", where=where, remedy="fetch the archive again from its official place"
        ) from None
