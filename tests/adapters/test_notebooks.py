"""The notebooks run from the first cell to the last, on stand-in data and, where it is, on some of the real data."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples/notebooks").glob("*.ipynb"))

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:(jupyter|zmq|nbclient|tornado)")


def run(path: Path, folder: Path, items: int) -> str:
    """What the cells print, with the size that their first cell names made smaller."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = re.sub(r"ITEMS, EPOCHS = [\d_]+, \d+", f"ITEMS, EPOCHS = {items}, 1", cell.source)
        if cell.cell_type == "code":
            assert not cell.outputs  # outputs are made, not kept
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "".join(output.get("text", "") for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_on_stand_in_data(path: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("VOTEWISE_DATA", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert "soft NLL" in (printed := run(path, tmp_path, 100)) or "soft_nll" in printed


@pytest.mark.full
@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.stem != "messy_votes"], ids=lambda path: path.stem)
def test_it_runs_on_real_data(path: Path, tmp_path: Path, data: Path) -> None:
    printed = run(path, tmp_path, 300)
    assert "soft NLL" in printed or "soft_nll" in printed
