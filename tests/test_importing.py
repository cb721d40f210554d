"""Objects by import path: found, or refused with the reason; and the digest of their source."""

from __future__ import annotations

import functools
import sys

import pytest

from votewise.errors import VotewiseError
from votewise.importing import import_object, source_digest


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module into the current folder and gives its name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(text: str) -> str:
        monkeypatch.delitem(sys.modules, "mine", raising=False)
        (tmp_path / "mine.py").write_text(text)
        return "mine"

    return write


def test_an_object_of_the_current_folder_is_found(module) -> None:
    module("class A:\n    class B:\n        value = 3\n")
    assert import_object("mine:A.B.value") == 3


@pytest.mark.parametrize("path", ["", "mine", "mine:", ":A", "mine:A:B", "mine.py:A", "../mine:A", "mine:A()"])
def test_what_is_not_an_import_path_is_refused(module, path) -> None:
    module("class A: pass\n")
    with pytest.raises(VotewiseError):
        import_object(path)


@pytest.mark.parametrize("text", ["import absent_package", "1 / 0", "def f(:", "raise SystemError('x')"])
def test_a_module_that_cannot_be_imported_is_refused_with_the_reason(module, text) -> None:
    with pytest.raises(VotewiseError) as error:
        import_object(f"{module(text)}:A")
    assert error.value.__cause__ is not None
    assert type(error.value.__cause__).__name__ in str(error.value)


def test_the_digest_changes_with_the_source_and_with_nothing_else(module) -> None:
    def digest_of(text: str, name: str) -> str:
        module(text)
        import linecache

        linecache.clearcache()
        return source_digest(import_object(f"mine:{name}"))

    first = digest_of("def f(x):\n    return x\n", "f")
    assert digest_of("import os\n\n\ndef f(x):\n    return x\n", "f") == first
    assert digest_of("def f(x):\n    return x + 1\n", "f") != first
    instance = "class A:\n    pass\na = A()\n"
    assert digest_of(instance, "a") == digest_of(instance, "a") != digest_of(instance + "# more\n", "a")


def test_an_object_without_source_has_no_digest() -> None:
    scope: dict[str, object] = {}
    exec("def f(): pass", scope)
    for thing in (scope["f"], functools.partial(print), 3):
        with pytest.raises(VotewiseError):
            source_digest(thing)
