"""What docs/profile.md shows is what happens: its Python and shell examples are run, in order, in an empty folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "profile.md").read_text()


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE))


def test_the_examples_run(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", blocks("python")], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-euc", blocks("bash")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": path, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    written = {"votes.csv", "profile.html", "next.csv", "annotators.csv", "budget.svg", "reliability.svg"}
    assert {file.name for file in tmp_path.iterdir()} == written
