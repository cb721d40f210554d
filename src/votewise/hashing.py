"""Digests of data, and seals: a seal is a key in a JSON file with the digest of the rest of the file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

DIGEST = "digest"  # the key of a seal


def digest(parts: Iterable[bytes | memoryview]) -> str:
    """SHA-256 over length-prefixed parts, so that different lists of parts have different digests.

    >>> digest([b"ab", b"c"]) == digest([b"a", b"bc"])
    False
    """
    sha = hashlib.sha256()
    for part in parts:
        view = memoryview(part).cast("B")
        sha.update(len(view).to_bytes(8, "little"))
        sha.update(view)
    return sha.hexdigest()


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a JSON file with a digest of that content.

    >>> seal_holds(sealed({"a": 1})), seal_holds(sealed({"a": 1}) | {"a": 2}), seal_holds({"a": 1})
    (True, False, None)
    """
    rest = {key: value for key, value in content.items() if key != DIGEST}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, DIGEST: hashlib.sha256(text.encode()).hexdigest()}


def seal_holds(content: Mapping[str, Any]) -> bool | None:
    """Whether the digest in a JSON file matches its other content; None if it has no digest, as in files of older versions."""
    return sealed(content)[DIGEST] == content[DIGEST] if DIGEST in content else None
