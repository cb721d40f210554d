"""The public API of the probes: every name is there, and nothing heavy is imported before it is needed."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

from votewise import probes


def test_every_name_is_there_in_whatever_order_modules_were_imported() -> None:
    for module in pkgutil.iter_modules(probes.__path__):
        import_module(f"votewise.probes.{module.name}")
    for name in probes.__all__:
        assert getattr(probes, name) is not None
    assert dir(probes) == sorted(probes.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'luck'"):
        _ = probes.luck  # type: ignore[attr-defined]


def test_no_module_has_the_name_of_something_public() -> None:
    modules = {module.name for module in pkgutil.iter_modules(probes.__path__)}
    assert modules.isdisjoint(probes.__all__)


def test_the_docstring_names_every_function() -> None:
    assert probes.__doc__ is not None
    assert [name for name in probes.__all__ if name.islower() and name not in probes.__doc__] == []


def loaded_after(program: str) -> str:
    program += "\nimport sys; print('|', *[name for name in ('numpy', 'pydantic', 'torch') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.rpartition("|")[2].strip()


def test_functions_of_arrays_load_no_torch() -> None:
    program = """
from votewise.probes import auroc, diagnosis, dynamics, linear_cka, noise, reliability, same_winner, soft_nll, spread
p = [[0.5, 0.5], [0.8, 0.2], [1.0, 0.0]]
print(reliability(p, p)), print(spread(p, p)), print(noise([[1.0], [2.0], [3.0]], p)), print(diagnosis(p, p[::-1], [1, 2, 3], [3, 2, 1]))
"""
    assert "torch" not in loaded_after(program)


def test_names_and_quantities_load_nothing() -> None:
    assert loaded_after("from votewise.probes import CHUNK, QUANTITIES, SUMMARIES") == ""
