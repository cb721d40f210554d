"""Checks that the numbers of every reading that a test creates are declared, with label and meaning."""

from __future__ import annotations

import pytest

from votewise.probes import Reading


@pytest.fixture(autouse=True)
def every_number_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(reading: Reading) -> None:
        for key in reading.numbers:
            quantity = reading.quantity(key)
            assert quantity.meaning, f"{key} is not declared in votewise.probes.quantities"
            assert quantity.label != key

    monkeypatch.setattr(Reading, "__post_init__", check, raising=False)
