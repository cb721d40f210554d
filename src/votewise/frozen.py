"""Arrays and mappings that are read-only, and stay so when they are pickled or copied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

K = TypeVar("K")
V = TypeVar("V")


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only array with these values. A writable array, or a view of one, is copied, so that fingerprints stay valid."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return fresh(array.copy())
        owner = owner.base
    return array


def fresh(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only in place. No other code may hold a reference to it."""
    array.flags.writeable = False
    return array


class FrozenMapping(Mapping[K, V]):
    """A read-only mapping that can be pickled and copied, unlike `types.MappingProxyType`. Arrays in it are read-only too."""

    def __init__(self, entries: Mapping[K, V]) -> None:
        self._entries = {key: _read_only(value) for key, value in entries.items()}

    def __getitem__(self, key: K) -> V:
        return self._entries[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"FrozenMapping({self._entries!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMapping, (self._entries,)


def restored(kind: type[V], fields: Mapping[str, Any]) -> V:
    """Restore a frozen object from a pickle or a copy, with read-only arrays. Its fields were checked before."""
    made = object.__new__(kind)
    for name, value in fields.items():
        object.__setattr__(made, name, _read_only(value))
    return made


def _read_only(value: V) -> V:
    if isinstance(value, np.ndarray):
        fresh(value)
    return value


def without_caches(instance: object) -> dict[str, Any]:
    """The attributes of an object without its cached properties, which are recomputed when needed."""
    return {
        name: value
        for name, value in vars(instance).items()
        if not isinstance(getattr(type(instance), name, None), cached_property)
    }
