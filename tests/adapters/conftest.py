"""Limits torch to one thread, because the problems are tiny, and threads of several test processes wait for each other."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore the warning that JAX gives for every fork after it is imported; the workers of a loader do not use JAX."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.filterwarnings("ignore:os.fork.. was called:RuntimeWarning"))
