"""Tries an installed votewise in an empty folder: what needs files of the package, with and without torch. Run it outside the repository."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import votewise as vw

VOTEWISE = str(Path(sys.executable).with_name("votewise"))
COMMANDS = [
    "describe",
    "clean",
    "score",
    "fit",
    "compare",
    "reproduce",
    "probe",
    "report",
    "verify",
    "archive",
    "fetch",
    "tour",
]


def votewise(folder: str, *arguments: str) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run([VOTEWISE, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"votewise {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout


def main() -> None:
    """Base: describe, score, the page of a profile. With torch: a run and a comparison with its page."""
    print(vw.__version__, Path(vw.__file__).parent)
    votes = vw.example_votes()
    assert "multipass" in str(vw.describe(votes))
    assert 0.2 < vw.score(vw.example_truth().probability, votes, intervals=20)["kl"] < 0.4
    with tempfile.TemporaryDirectory() as folder:
        for name in ("votes.csv", "votes.parquet"):
            vw.write_votes(votes, Path(folder, name))
            assert len(vw.read_votes(Path(folder, name))) == len(votes)
        for command in COMMANDS:
            assert "Examples:" in votewise(folder, command, "--help")
        assert "multipass" in votewise(folder, "tour")
        votewise(folder, "describe", "votes.csv", "--json")
        if find_spec("torch") and find_spec("altair"):
            votewise(folder, "describe", "votes.csv", "--html", "profile.html")
            votewise(folder, "fit", "digits", "--method", "sls", "--epochs", "1")
            votewise(folder, "compare", "digits", "--methods", "soft,sls", "--seeds", "0,1", "--epochs", "1")
            assert Path(folder, "votewise-store/report.html").stat().st_size > 100_000
            votewise(folder, "reproduce", "main", "--seeds", "0", "--epochs", "1", "--no-evidence", "--yes")
            votewise(folder, "verify", "votewise-store")
    print("fine")


if __name__ == "__main__":
    main()
