"""`votewise clean`, and the file that it writes, as a person uses them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

VOTEWISE = Path(sys.executable).with_name("votewise")


def votewise(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [VOTEWISE, *arguments], cwd=folder, capture_output=True, text=True, env={"PYTHONUTF8": "1", "COLUMNS": "80"}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = ["item,worker,label"]
    for item in range(20):
        rows += [
            f"i{item},{who},{('ok', 'toxic')[(item + place) % 2]}" for place, who in enumerate(("ann_06", "bob", "cid"))
        ]
    rows += ["i1,ANN_06,toxic", "i2,dora,toxc", "i3,dora,?", "i4,dora,Toxic"]
    (tmp_path / "votes.csv").write_text("\n".join(rows) + "\n")
    np.savez(
        tmp_path / "p.npz",
        probabilities=np.full((20, 2), 0.5),
        items=[f"i{n}" for n in range(20)],
        classes=["ok", "toxic"],
    )
    return tmp_path


def test_the_proposed_file_is_taken_by_every_command(folder: Path) -> None:
    done = votewise(folder, "clean", "votes.csv")
    assert done.returncode == 0, done.stderr
    written = tomllib.loads((folder / "votes.cleaning.toml").read_text())
    assert written == {
        "item": "item",
        "label": "label",
        "annotator": "worker",
        "missing": ["?"],
        "map": {"toxc": "toxic", "Toxic": "toxic"},
        "map_annotators": {"ANN_06": "ann_06"},
    }
    assert "votewise describe votes.csv --cleaning votes.cleaning.toml" in done.stderr
    assert "uncomment the line 'duplicates ='" in done.stderr  # ann_06 votes on i1 twice
    use = ("--cleaning", "votes.cleaning.toml", "--duplicates", "last", "--json")
    found = json.loads(votewise(folder, "describe", "votes.csv", *use).stdout)
    assert found["reading"]["doubts"] == []
    (profile,) = found["questions"].values()
    assert (list(profile["class_share"]), profile["items"], profile["votes"]) == (["ok", "toxic"], 20, 62)
    card = json.loads(votewise(folder, "score", "p.npz", "votes.csv", *use).stdout)
    assert card["scores"]["soft_nll"] == pytest.approx(np.log(2))


def test_an_edited_file_is_not_replaced(folder: Path) -> None:
    (folder / "votes.cleaning.toml").write_text("# mine\n")
    done = votewise(folder, "clean", "votes.csv")
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (folder / "votes.cleaning.toml").read_text() == "# mine\n"
    assert votewise(folder, "clean", "votes.csv", "--output", "other.toml").returncode == 0
    assert votewise(folder, "clean", "votes.csv", "--force").returncode == 0


def test_clean_votes_need_no_file(folder: Path) -> None:
    (folder / "votes.csv").write_text("item,label\na,x\na,y\n")
    done = votewise(folder, "clean", "votes.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert not (folder / "votes.cleaning.toml").exists()


def test_the_options_of_the_command_line_clean_too(folder: Path) -> None:
    use = (
        "--map",
        "toxc=toxic",
        "--map",
        "Toxic=toxic",
        "--missing",
        "?,N/A",
        "--map-annotators",
        "ANN_06=anna",
        "--json",
    )
    done = votewise(folder, "describe", "votes.csv", *use)
    found = json.loads(done.stdout)
    assert found["reading"]["doubts"] == []
    assert next(iter(found["questions"].values()))["class_share"].keys() == {"ok", "toxic"}
    assert "old=new" in votewise(folder, "describe", "votes.csv", "--map", "toxc").stderr
    folded = json.loads(votewise(folder, "describe", "votes.csv", "--fold", "--duplicates", "first", "--json").stdout)
    assert next(iter(folded["questions"].values()))["class_share"].keys() == {"?", "ok", "toxc", "toxic"}
