"""Objects by their import path, `package.module:object`, and the digest of their source."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.hashing import digest
from votewise.wording import quoted


def on_first_use(package: str, names: Collection[str], modules: Sequence[str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package that imports its `modules`, in this order, until one of them has the requested public name."""

    def look(name: str) -> Any:
        for module in modules if name in names else ():
            found = importlib.import_module(f"{package}.{module}")
            if name in getattr(found, "__all__", vars(found)):
                return getattr(found, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return look


def is_import_path(name: str) -> bool:
    """Whether a name is an import path, and not the name of an object in this library.

    >>> is_import_path("my_package.scores:margin"), is_import_path("soft_nll")
    (True, False)
    """
    return ":" in name


def import_object(path: str) -> object:
    """The object at an import path.

    Modules are found as by `import`; the current folder is searched last.

    Args:
        path: `package.module:object`; the object may be an attribute of another, for example `module:Class.method`.

    Raises:
        VotewiseError: If the path does not have this form, the module cannot be imported, or it lacks the object.

    Example:
        >>> import_object("math:sqrt")(9)
        3.0
    """
    module_name, _, attributes = path.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), *attributes.split("."))):
        raise VotewiseError(
            f"{quoted(path)} is not an import path", remedy="write package.module:object, for example my_scores:margin"
        )
    target: object = _module(module_name)
    for name in attributes.split("."):
        try:
            target = getattr(target, name)
        except AttributeError:
            raise VotewiseError(
                f"cannot import {quoted(path)}: {getattr(target, '__name__', type(target).__name__)} has no attribute {name!r}",
                remedy="check the name after the colon",
            ) from None
    return target


def _module(name: str) -> object:
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except Exception as error:  # the module may raise anything
        absent = isinstance(error, ModuleNotFoundError) and error.name and f"{name}.".startswith(f"{error.name}.")
        raise VotewiseError(
            f"cannot import module {name!r}" + ("" if absent else f" ({type(error).__name__}: {error})"),
            remedy="check its name, and that it is installed or in the current folder" if absent else "correct it",
        ) from error


def source_digest(obj: object) -> str:
    """SHA-256 of the source of an object: it changes if the code changes.

    For a function, method, class or module, this is the source text; for another object, for example an instance, the name of
    its class and the whole file that defines it.

    Raises:
        VotewiseError: If no source can be found, for example for a function defined at the Python prompt.

    Example:
        >>> source_digest(source_digest) == source_digest(import_object("votewise.importing:source_digest"))
        True
    """
    try:
        return digest([inspect.getsource(obj).encode()])  # type: ignore[arg-type]  # a TypeError if it has no source
    except (OSError, TypeError):
        pass
    kind = obj if inspect.isclass(obj) or inspect.isroutine(obj) else type(obj)
    try:
        package = (kind.__module__ or "builtins").partition(".")[0]
        if package in sys.stdlib_module_names:  # for example a partial, whose class does not show what it does
            raise TypeError
        content = Path(inspect.getfile(kind)).read_bytes()
    except (OSError, TypeError):
        raise VotewiseError(
            f"the source of {quoted(obj)} cannot be found", remedy="define it in a file that can be imported"
        ) from None
    return digest([kind.__module__.encode(), kind.__qualname__.encode(), content])
