"""Custom deliveries and models: named by their import path and identified by the digest of their source."""

from __future__ import annotations

from typing import Any

from votewise.errors import VotewiseError
from votewise.importing import import_object, source_digest
from votewise.wording import quoted

_GIVEN = dict[
    str, Any
]()  # objects that were passed in this process, by path; some cannot be imported, for example objects of a notebook


def path_of(given: Any) -> str:
    """The import path of a class or function, or the given path. Within this process, `find` returns the object even if it cannot be imported."""
    if isinstance(given, str):
        return given
    if not callable(given) or not hasattr(given, "__qualname__"):
        raise VotewiseError(
            f"{quoted(given)} is neither a class nor a function", remedy="pass a class, a function or an import path"
        )
    path = f"{given.__module__}:{given.__qualname__}"
    _GIVEN[path] = given
    return path


def find(path: str, digest: str | None = None) -> Any:
    """The object that a path "package.module:object" names.

    Raises:
        VotewiseError: If it cannot be imported, is not callable, or its source differs from the expected digest.
    """
    found = _GIVEN[path] if path in _GIVEN else import_object(path)
    if not callable(found):
        raise VotewiseError(
            f"{quoted(path)} must be a class or a function, got {type(found).__name__}",
            remedy="name a class or a function",
        )
    if digest is not None and source_digest(found) != digest:
        raise VotewiseError(
            f"the source of {quoted(path)} has changed since this run was trained",
            remedy="restore the source, or train again",
        )
    return found


def digest_of(path: str) -> str:
    """SHA-256 of the source of the object that a path names."""
    return source_digest(find(path))
