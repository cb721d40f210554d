"""Shared by all tests: the real data if present, and random examples that are the same in every run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "votewise", derandomize=True, deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", parent=settings.get_profile("votewise"), max_examples=5)  # `make quick`
settings.register_profile("mutants", parent=settings.get_profile("quick"), phases=(Phase.explicit, Phase.generate))
settings.load_profile("votewise")


@pytest.fixture
def data() -> Path:
    """The folder of the real datasets; tests are skipped without it."""
    folder = os.environ.get("VOTEWISE_DATA")
    if not folder:
        pytest.skip("VOTEWISE_DATA is not set, so the tests on real data are skipped")
    return Path(folder)
