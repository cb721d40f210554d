"""The public API: one screen of names, no framework and no slow import behind it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

import votewise as vw

HEAVY = (
    "torch",
    "jax",
    "sklearn",
    "scipy.stats",
    "pandas",
    "matplotlib",
    "transformers",
    "lightning",
    "keras",
    "skorch",
    "datasets",
)


def test_every_name_is_there_and_no_other() -> None:
    for name in vw.__all__:
        assert getattr(vw, name) is not None
    assert dir(vw) == sorted(vw.__all__)
    assert vw.__version__ == version("votewise")
    with pytest.raises(AttributeError, match="has no attribute 'vote'"):
        _ = vw.vote  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [name for name in vw.__all__ if inspect.isfunction(getattr(vw, name))])
def test_every_public_function_has_an_example_and_its_arguments_explained(name: str) -> None:
    function = getattr(vw, name)
    text = inspect.getdoc(function) or ""
    assert "Example:" in text
    if inspect.signature(function).parameters:
        _, _, about = text.partition("Args:")
        explained = set(re.findall(r"^ +\*{0,2}(\w+): ", about, re.MULTILINE))
        assert set(inspect.signature(function).parameters) <= explained


def loaded_after(program: str) -> set[str]:
    """The heavy modules that a fresh interpreter holds after running `program`."""
    program += f"\nimport sys; print('|', *[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("|")[2].split())


def test_describing_and_scoring_load_no_framework() -> None:
    program = """
import votewise as vw
votes = vw.example_votes()
str(vw.describe(votes))
str(vw.score(vw.example_truth().probability, votes, intervals=20, ceiling=2))
vw.SLS(votes).targets([0, 1], 3)
vw.Targets(vw.SLS(votes)).start(0)
vw.SoftScores(votes).update(vw.example_truth().probability, range(len(votes)))
"""
    assert loaded_after(program) == set()


def test_the_adapters_load_no_framework_that_was_not_asked_for() -> None:
    assert loaded_after("from votewise.adapters import crowdkit, cleanlab, hf_datasets") == set()


def test_the_import_and_the_help_load_next_to_nothing() -> None:
    program = "import votewise, votewise.cli, sys; print([name for name in ('numpy', 'polars', 'scipy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_plans_stores_and_reports_load_no_torch() -> None:
    assert loaded_after("import votewise.workflows; import votewise as vw; vw.Store('none').studies()") == set()
