"""What does not fit is refused in a sentence, before memory is taken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import votewise as vw
from votewise import limits
from votewise.cli.study import numbers
from votewise.errors import VotewiseError
from votewise.files import clear_half_written, existing_file, open_regular, read_bytes, write_atomic
from votewise.studies.plan import make_plan
from votewise.toml_files import read_toml

VOTES = vw.Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"), items=["a", "b"])
PLAN = {"name": "x", "dataset": "digits", "methods": ["soft"], "seeds": [0]}


@pytest.mark.parametrize("count", [2**32, 10**15, 2**62, 2**63])
def test_a_damaged_count_is_refused(tmp_path: Path, count: int) -> None:
    with pytest.raises(VotewiseError, match="row 0, column 1 is more than 1,000,000"):
        vw.Votes.from_counts(np.array([[1, count]], dtype=np.uint64))
    (tmp_path / "wide.csv").write_text(f"item,cat,dog\na,1,{count}\nb,1,2\n")
    with pytest.raises(VotewiseError, match="more than 1,000,000 votes"):
        vw.read_votes(tmp_path / "wide.csv")


def test_more_votes_than_fit_in_memory_are_refused() -> None:
    """A terabyte of them, no cell of which is too large."""
    table = np.broadcast_to(np.int64(1_000_000), (1_000, 100))
    with pytest.raises(VotewiseError, match="100,000,000,000 votes would need about 1600 GB of memory"):
        vw.Votes.from_counts(table)
    with pytest.raises(VotewiseError, match="votes would need about"):
        vw.Votes.from_counts(np.ones((100_000, 2), int)).resample(1_000_000, seed=0)


def test_free_memory_is_what_a_limit_leaves() -> None:
    program = "from votewise.limits import free_memory; print(free_memory())"
    ended = subprocess.run(
        ["sh", "-c", f"ulimit -v 400000; {sys.executable} -c '{program}'"], capture_output=True, text=True, check=True
    )
    assert 0 < int(ended.stdout) < 400_000 * 1024
    assert limits.free_memory() > int(ended.stdout)


def test_the_cache_of_files_in_a_container_is_free(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("900\n")
    (tmp_path / "memory.stat").write_text("anon 200\nfile 700\nactive_file 100\ninactive_file 600\n")
    assert limits._left_in(tmp_path, "memory.max", "memory.current") == 700


def test_a_long_name_of_wide_characters_can_be_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / ("票" * 80), b"3")
    assert [path.name for path in tmp_path.iterdir()] == ["票" * 80]


@pytest.mark.parametrize("option", ["bins", "intervals", "ceiling"])
@pytest.mark.parametrize("value", [10**9, 0, 1.5, "a", True])
def test_numbers_of_score_have_a_ceiling(option: str, value: object) -> None:
    with pytest.raises(VotewiseError, match=option):
        vw.score(np.full((2, 2), 0.5), VOTES, **{option: value})


def test_seeds_have_a_ceiling() -> None:
    with pytest.raises(VotewiseError, match="at most 10,000"):
        numbers("0-99999999999")
    with pytest.raises(VotewiseError, match="at most 10,000"):
        numbers("0-9999,0-9999")
    with pytest.raises(VotewiseError, match="seeds must be in ascending order, got '5-3'"):
        numbers("5-3")
    with pytest.raises(VotewiseError, match="at most 10,000"):
        vw.compare(vw.load_dataset("digits"), ["soft", "sls"], seeds=10**11)
    with pytest.raises(VotewiseError, match="number of runs"):
        make_plan({**PLAN, "twins": 1_000_000, "seeds": [0, 1]}, where="plan")
    with pytest.raises(VotewiseError, match="votes_per_item"):
        make_plan({**PLAN, "votes_per_item": [10**12]}, where="plan")


def test_votes_per_item_have_a_ceiling() -> None:
    for draw in (VOTES.subsample, VOTES.resample):
        with pytest.raises(VotewiseError, match="at most 1,000,000"):
            draw(10**10, seed=0)
    data = vw.Dataset(np.zeros((2, 3), np.float32), VOTES)
    with pytest.raises(VotewiseError, match=r"votes_per_item must be at most 1,000,000 .*, got 1000000000"):
        vw.fit(data, "soft", votes_per_item=10**9)


@pytest.mark.parametrize(
    "content",
    ["a = " + "[" * 5000, "a." * 20_000 + "a = 1", "a = " + "1" * 5000, "a = \x00", "a = "],
    ids=["nested", "dotted", "long number", "null", "incomplete"],
)
def test_toml_that_is_none_is_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.toml").write_text(content)
    with pytest.raises(VotewiseError, match=r"a\.toml: (the TOML is nested too deeply|invalid TOML)"):
        read_toml(tmp_path / "a.toml")


def test_a_null_character_in_a_path_of_a_plan_is_refused() -> None:
    with pytest.raises(VotewiseError, match="null character"):
        make_plan({**PLAN, "dataset": {"inputs": "x\0", "votes": "v.csv"}}, where="plan")


def test_a_size_with_one_side_is_refused() -> None:
    with pytest.raises(VotewiseError, match=r"size must be a whole number, or a list of the right length, got \[8\]"):
        make_plan({**PLAN, "dataset": {"inputs": "x", "votes": "v.csv", "size": [8]}}, where="plan")


def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f")
    with pytest.raises(VotewiseError, match="pipe or a device"):
        existing_file(tmp_path / "f")
    with pytest.raises(OSError, match="pipe or a device"):
        open_regular(tmp_path / "f")
    with pytest.raises(VotewiseError, match="pipe or a device"):
        read_toml(tmp_path / "f")
    with pytest.raises(VotewiseError, match="pipe or a device"):
        existing_file("/dev/zero")


def test_what_a_killed_process_left_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".notes.txt").write_text("mine")
    (tmp_path / ".a.b").mkdir()
    program = (
        "import os, sys, votewise.files as f; f.os.replace = lambda *a: os._exit(9); f.write_atomic(sys.argv[1], b'x')"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "report.html")], check=False)
    assert len(list(tmp_path.iterdir())) == 3
    clear_half_written(tmp_path, older=3600)  # perhaps another process is at it
    assert len(list(tmp_path.iterdir())) == 3
    clear_half_written(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.b", ".notes.txt"]
    write_atomic(tmp_path / "report.html", b"x")
    assert read_bytes(tmp_path / "report.html") == b"x"


@pytest.mark.parametrize("path", [None, 3, ["a.csv"]])
def test_what_is_not_a_path_is_refused(path: object) -> None:
    for read in (
        vw.read_votes,
        vw.inspect_votes,
        vw.read_predictions,
        lambda path: vw.Dataset.from_files(path or 1, VOTES),
    ):
        with pytest.raises(VotewiseError, match="is not the path of a file"):
            read(path)


def test_a_full_disk_behind_standard_output_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,annotator,label\na,ann,cat\na,bob,dog\n")
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "votewise", "describe", str(tmp_path / "v.csv")]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert "No space left on device" in ended.stderr.splitlines()[-1]
