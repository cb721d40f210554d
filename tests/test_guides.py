"""The guides show what happens: their examples are run, in order, in an empty folder."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

GUIDE = (Path(__file__).parents[1] / "docs/votes.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, flags=re.DOTALL | re.MULTILINE)


def test_the_guide_to_votes_runs(tmp_path: Path) -> None:
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONUTF8": "1"}
    commands = "\n".join(blocks("bash"))
    done = subprocess.run(["bash", "-euc", commands], cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "messy.cleaning.toml").read_text() == blocks("toml")[0]
    assert tomllib.loads(blocks("toml")[0])["item"] == "comment"
    assert "looks like" not in done.stderr
    stopped = subprocess.run(
        ["votewise", "describe", "messy.csv"], cwd=tmp_path, capture_output=True, text=True, env=environment
    )
    assert stopped.returncode == 2
    assert "--item comment" in stopped.stderr
    program = "\n".join(blocks("python"))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_option_of_the_readers_that_cleans_is_in_the_guide() -> None:
    from votewise.read_options import FORMATS, TableOptions

    for name in set(TableOptions.__annotations__) - {"item", "label", "annotator", "weight", "ordinal"}:
        assert f"--{name.replace('_', '-')}" in GUIDE, name
    assert all(f"`{name}`" in GUIDE for name in FORMATS)
