"""What the README shows is what happens: its Python and shell examples are run, in order, in an empty folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


def test_the_examples_run(tmp_path: Path) -> None:
    program = "\n".join(blocks("python"))
    assert "delivery.over(loader, epoch)" in program
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "multipass" in done.stdout
    assert "soft_nll" in done.stdout
    commands = "\n".join(blocks("bash"))
    assert commands.count("votewise ") >= 3
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["bash", "-euc", commands], cwd=tmp_path, capture_output=True, text=True, env={"PATH": path, "PYTHONUTF8": "1"}
    )
    assert done.returncode == 0, done.stderr
    assert '"soft_nll"' in done.stdout


def test_it_ends_before_it_tires() -> None:
    assert len(README.splitlines()) < 170
    assert README.index("make demo") < README.index("make test") < 600
