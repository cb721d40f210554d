"""Objects by their import path: how a user's own model, delivery or score is named."""

from __future__ import annotations

import hashlib
import inspect
import sys
from importlib import import_module
from pathlib import Path

from votewise.errors import VotewiseError
from votewise.wording import quoted


def import_object(path: str) -> object:
    """The object that an import path names.

    Args:
        path: "package.module:object".

    Raises:
        VotewiseError: If the path is malformed, the module cannot be imported or has no such object.

    Example:
        >>> import_object("collections:OrderedDict")
        <class 'collections.OrderedDict'>
    """
    module_name, _, name = path.partition(":")
    if not (module_name and name):
        raise VotewiseError(f"{quoted(path)} is not an import path", remedy="write 'package.module:object'")
    try:
        found: object = import_module(module_name)
    except ImportError as error:
        raise VotewiseError(
            f"cannot import {quoted(path)} ({error})", remedy="install the package, or add its folder to PYTHONPATH"
        ) from None
    try:
        for part in name.split("."):
            found = getattr(found, part)
    except AttributeError:
        raise VotewiseError(
            f"module {quoted(module_name)} has no {quoted(name)}",
            remedy="define it at the top level of a module that can be imported",
        ) from None
    return found


def source_digest(obj: object) -> str:
    """SHA-256 of the source of a class or function, or of the file that defines it.

    Raises:
        VotewiseError: If neither is available, for example for a function typed into an interactive session.
    """
    name = getattr(obj, "__qualname__", None)
    if name is None:
        raise VotewiseError(f"{quoted(obj)} has no source of its own", remedy="give a class or a function")
    try:
        source = inspect.getsource(obj).encode()  # type: ignore[arg-type]  # refused below if it is of another kind
    except (OSError, TypeError):
        file = getattr(sys.modules.get(getattr(obj, "__module__", "")), "__file__", None)
        if file is None or not Path(file).is_file():
            raise VotewiseError(
                f"the source of {quoted(name)} is not available", remedy="define it in a file and import it"
            ) from None
        source = Path(file).read_bytes()
    return hashlib.sha256(source).hexdigest()
