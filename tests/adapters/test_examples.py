"""The scripts of `examples/` run as a user would run them, are short, and end with a score."""

from __future__ import annotations

import math
import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
UNTRAINED = ("crowdkit_cleanlab", "hub_dataset")


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs_and_ends_with_a_score(script: Path, tmp_path: Path, monkeypatch, capfd) -> None:
    """Models are scored on texts that they were not trained on, and know more than one that always answers 1/3."""
    monkeypatch.chdir(tmp_path)
    assert len(script.read_text().splitlines()) < 40
    runpy.run_path(str(script), run_name="__main__")
    printed = capfd.readouterr().out
    last = re.fullmatch(r"soft NLL[^\d]* ([\d.]+)", printed.splitlines()[-1])
    assert 0 < float(last[1]) < (4 if script.stem in UNTRAINED else 0.75 * math.log(3))
    if script.stem == "torch_loop":
        assert "those of epoch 0: True" in printed
