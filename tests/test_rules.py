"""The rules of the house are held by machines, and the machines are awake."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from votewise.papers import PAPERS, paper

ROOT = Path(__file__).parents[1]
RUFF = Path(sys.executable).with_name("ruff")


@pytest.mark.parametrize(
    "line",
    [
        "import numpy as np\n\nx = np.random.default_rng(0)\n",
        "from numpy.random import default_rng\n\nx = default_rng(0)\n",
        "import random\n\nx = random.random()\n",
        "import torch\n\nx = torch.rand(3)\n",
        "import torch\n\nx = torch.randn(3)\n",
        "import torch\n\nx = torch.randperm(3)\n",
        "from scipy.stats import rankdata\n\nx = rankdata([1])\n",
    ],
)
def test_no_second_generator_gets_into_the_source(line: str) -> None:
    done = subprocess.run(
        [RUFF, "check", "--select", "TID251", "--stdin-filename", ROOT / "src/votewise/new.py", "-"],
        input=line, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 1
    assert "TID251" in done.stdout


def test_every_pin_is_exact() -> None:
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert all(line.count("==") == 1 for line in pins)
    names = {line.split("==")[0] for line in pins}
    assert "torch==2.13.0" in pins
    assert not any(name.startswith(("nvidia", "cuda", "triton", "torchvision")) for name in names)


def test_packages_are_imported_through_their_init() -> None:
    """Outside a package, `from votewise.package import name`; a module of another package is nobody else's business."""
    root = ROOT / "src/votewise"
    past = [
        f"{path.relative_to(root)}:{node.lineno} {node.module}"
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (parts := (node.module or "").split("."))[0] == "votewise"
        and len(parts) > 2
        and parts[1] != path.relative_to(root).parts[0]
        and not root.joinpath(*parts[1:]).is_dir()
    ]
    assert past == []


def test_no_study_of_a_paper_is_named_outside_papers() -> None:
    """Whatever works for one study works for any: none is asked for by its name, nor is a paper."""
    names = {*PAPERS, *(study for name in PAPERS for study in paper(name).studies)}
    root = ROOT / "src/votewise"
    named = [
        f"{path.relative_to(root)}:{node.lineno} {node.value}"
        for package in ("studies", "comparison", "reporting", "workflows", "cli", "papers/claims")
        for path in (root / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert named == []


SAME_SUBJECT = {
    *("archive", "fetch", "probe"),  # a command and what it runs
    *("registry", "check", "html", "render", "tables", "sections", "wording", "validation", "quantities", "published"),
    *("annotators", "calibration", "cifar10h", "geometry", "representations", "sparse"),
}  # fmt: skip


def test_a_module_name_means_one_thing() -> None:
    """The same name in two packages is the same subject: a command and what it runs, or a paper's claims and figures on one thing."""
    root = ROOT / "src/votewise"
    folders = Counter(path.stem for path in root.rglob("*.py") if not path.stem.startswith("__"))
    assert {name for name, n in folders.items() if n > 1} == SAME_SUBJECT
