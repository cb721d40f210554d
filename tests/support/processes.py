"""Processes of tests."""

from __future__ import annotations

import os


def unmeasured() -> dict[str, str]:
    """The environment without coverage, for a process that may not write files, or only small ones."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
