"""The targets of all examples, epoch after epoch, for any object that fulfils the contract of a delivery."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.hashing import digest

if TYPE_CHECKING:
    from votewise.delivery.check import Contract


def table(delivery: Contract, epoch: int) -> NDArray[Any]:
    """The targets of all examples in one epoch, [N] or [N, C]."""
    whole = getattr(delivery, "table", None)
    return np.asarray(delivery.targets(np.arange(len(delivery)), epoch) if whole is None else whole(epoch))


def fingerprint(delivery: Contract, epochs: int) -> str:
    """SHA-256 of all targets of `epochs` epochs: two runs with the same digest were trained on the same targets."""
    kind = "<u4" if delivery.kind == "hard" else "<f4"
    header = f"votewise.tape/1 {delivery.kind} {len(delivery)} {delivery.num_classes} {epochs}".encode()
    tape = (np.ascontiguousarray(table(delivery, epoch), dtype=kind).tobytes() for epoch in range(epochs))
    return digest(chain([header], tape))
