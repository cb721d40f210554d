"""A user's own delivery or model: named by its import path, identified by the digest of its source."""

from __future__ import annotations

from typing import Any

from votewise.errors import VotewiseError
from votewise.importing import import_object, source_digest
from votewise.wording import quoted

_GIVEN = dict[str, Any]()  # objects given in this process, which may be defined where they cannot be imported from


def path_of(given: Any) -> str:
    """The import path of a class or function; it is found under that path in this process even if it cannot be imported."""
    if not callable(given) or not hasattr(given, "__qualname__"):
        raise VotewiseError(f"{quoted(given)} is neither a class nor a function", remedy="give one, or its import path")
    path = f"{given.__module__}:{given.__qualname__}"
    _GIVEN[path] = given
    return path


def find(path: str, digest: str | None = None) -> Any:
    """The object that a path names.

    Args:
        path: "package.module:object".
        digest: Of its source, if it has to be the same as before.

    Raises:
        VotewiseError: If it cannot be imported, is not callable, or its source has changed.
    """
    found = _GIVEN[path] if path in _GIVEN else import_object(path)
    if not callable(found):
        raise VotewiseError(f"{quoted(path)} is a {type(found).__name__}", remedy="name a class or a function")
    if digest is not None and source_digest(found) != digest:
        raise VotewiseError(
            f"the source of {quoted(path)} is not the one that this run was trained with",
            remedy="restore it, or train again",
        )
    return found


def digest_of(path: str) -> str:
    """SHA-256 of the source of the object that a path names."""
    return source_digest(find(path))
