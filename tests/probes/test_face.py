"""The face of the probes: every name is there, and torch is not loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from votewise import probes


def test_every_name_is_there_in_whatever_order_modules_were_imported() -> None:
    import votewise.probes.steps  # noqa: F401  # which imports every module

    for name in probes.__all__:
        found = getattr(probes, name)
        assert callable(found) or name == "PROBES"
        assert found.__doc__
    assert dir(probes) == sorted(probes.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'luck'"):
        _ = probes.luck  # type: ignore[attr-defined]


def test_the_page_names_every_function() -> None:
    assert probes.__doc__ is not None
    assert [name for name in probes.__all__ if name.islower() and name not in probes.__doc__] == []


def test_what_needs_no_model_loads_no_torch() -> None:
    program = """
import sys
from votewise.probes import auroc, diagnosis, dynamics, linear_cka, noise, reliability, same_winner, soft_nll, spread
p = [[0.5, 0.5], [0.8, 0.2], [1.0, 0.0]]
print(reliability(p, p)), print(spread(p, p)), print(noise([[1.0], [2.0], [3.0]], p)), print(diagnosis(p, p[::-1], [1, 2, 3], [3, 2, 1]))
print("|", "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("|")[1].strip() == "False"
