"""One exception root, which is a ValueError, and its exit codes."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from votewise import cli, errors, read_votes


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name.endswith("Error")])
def test_every_error_is_a_votewise_error_and_a_value_error(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, errors.VotewiseError)
    assert issubclass(kind, ValueError)


def test_a_message_is_one_short_line_whatever_was_given() -> None:
    for given in ("x" * 5000, np.zeros((3, 2))):
        with pytest.raises(errors.VotewiseError) as error:
            read_votes(given)
        assert len(str(error.value)) < 1000
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(("kind", "code"), [(errors.VotewiseError, 2), (errors.RunFailedError, 3)])
def test_an_error_ends_a_command_with_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: type[errors.VotewiseError], code: int
) -> None:
    def fail() -> None:
        raise kind("the loss is nan", remedy="lower it")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(sys, "argv", ["votewise"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == code
    assert capsys.readouterr().err == "votewise: the loss is nan; lower it\n"
