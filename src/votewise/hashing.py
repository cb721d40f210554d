"""One digest of several pieces of data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def digest(parts: Iterable[bytes | memoryview]) -> str:
    """SHA-256 over length-prefixed parts, so that no two lists of parts run together.

    >>> digest([b"ab", b"c"]) == digest([b"a", b"bc"])
    False
    """
    sha = hashlib.sha256()
    for part in parts:
        view = memoryview(part).cast("B")
        sha.update(len(view).to_bytes(8, "little"))
        sha.update(view)
    return sha.hexdigest()
