"""Bad input: exit code 2, one sentence that names the file, the place and the remedy, no traceback, nothing written."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from processes import unmeasured
from votewise.cli import main

GOOD = "item,annotator,label\na,ann,cat\na,bob,dog\nb,ann,cat\nb,bob,cat\n"
Make = Callable[[Path], list[str]]


def text(name: str, content: str | bytes) -> Make:
    """`describe` on a file with this content."""

    def make(folder: Path) -> list[str]:
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return ["describe", name]

    return make


def array(name: str, values: object, pickled: bool = False) -> Make:
    def make(folder: Path) -> list[str]:
        np.save(folder / name, np.asarray(values), allow_pickle=pickled)
        return ["describe", name]

    return make


def scored(name: str, content: object, *options: str, votes: str = GOOD) -> Make:
    """`score` of a file of predictions with this content against good votes."""

    def make(folder: Path) -> list[str]:
        (folder / "votes.csv").write_text(votes)
        if isinstance(content, str):
            (folder / name).write_text(content)
        else:
            np.save(folder / name, np.asarray(content))
        return ["score", name, "votes.csv", *options]

    return make


def truncated_parquet(folder: Path) -> list[str]:
    pl.DataFrame({"item": ["a", "b"], "label": ["x", "y"]}).write_parquet(folder / "votes.parquet")
    whole = (folder / "votes.parquet").read_bytes()
    (folder / "votes.parquet").write_bytes(whole[: len(whole) // 2])
    return ["describe", "votes.parquet"]


def directory(folder: Path) -> list[str]:
    (folder / "votes").mkdir()
    return ["describe", "votes"]


def predictions_of_a_directory(folder: Path) -> list[str]:
    (folder / "votes.csv").write_text(GOOD)
    (folder / "predictions").mkdir()
    return ["score", "predictions", "votes.csv"]


def with_options(*options: str) -> Make:
    return lambda folder: [*text("votes.csv", GOOD)(folder), *options]


CASES: dict[str, tuple[Make, list[str]]] = {
    # what is wrong: (how to make it, what the sentence must say)
    "no such file": (lambda folder: ["describe", "nowhere.csv"], ["nowhere.csv", "this file does not exist"]),
    "a directory": (directory, ["votes", "directory"]),
    "an empty file": (text("votes.csv", ""), ["votes.csv", "empty"]),
    "a header alone": (text("votes.csv", "item,annotator,label\n"), ["votes.csv"]),
    "wrong columns": (text("votes.csv", "foo,bar\nx,y\nz,w\n"), ["votes.csv", "foo", "bar"]),
    "a column that is not there": (with_options("--label", "verdict"), ["votes.csv", "verdict", "label"]),
    "an unknown label": (with_options("--classes", "cat,cow"), ["votes.csv", "dog"]),
    "one class alone": (text("votes.csv", "item,label\na,cat\nb,cat\n"), ["votes.csv", "class"]),
    "a vote without an item": (text("votes.csv", "item,label\na,cat\n,dog\n"), ["votes.csv", "3"]),
    "duplicate votes": (text("votes.csv", GOOD + "a,ann,dog\n"), ["votes.csv", "ann", "duplicates"]),
    "an unknown policy": (with_options("--duplicates", "newest"), ["newest", "last"]),
    "an unknown format": (with_options("--format", "excel"), ["excel", "label-studio"]),
    "an unknown question": (with_options("--question", "tone"), ["tone"]),
    "a file of another kind": (text("votes.xlsx", b"PK\x03\x04 and so on"), ["votes.xlsx"]),
    "a workbook": (text("votes.csv", b"PK\x03\x04 and so on, xl/workbook.xml"), ["votes.csv", "Excel", "CSV"]),
    "bytes": (text("votes.csv", b"item,label\n\0\1\2,\3\n"), ["votes.csv", "not text"]),
    "line ends of another time": (text("votes.csv", GOOD.replace("\n", "\r")), ["votes.csv", "CR", "LF"]),
    "a decimal comma": (
        text("votes.csv", "item;cat;dog\na;0,5;0,5\n"),
        ["votes.csv", "line 2", "decimal comma", "0.5"],
    ),
    "names that do not end": (text("votes.csv", f"{'very ' * 99}long,{'much ' * 99}\na,b\n"), ["votes.csv", "--item"]),
    "ratings or counts": (
        text("votes.csv", "id,ann,bob\n" + "".join(f"{n},{n % 5},{n % 5}\n" for n in range(9))),
        ["votes.csv", "wide-table", "annotator-columns", "--format"],
    ),
    "not UTF-8": (text("votes.csv", "item,label\né,cat\nb,dog\n".encode("latin-1")), ["votes.csv", "UTF-8"]),
    "a ragged line": (text("votes.csv", GOOD + "c,ann,cat,extra,more\n"), ["votes.csv"]),
    "truncated JSON": (text("votes.json", '[{"id": 1, "annotations": ['), ["votes.json", "JSON"]),
    "truncated JSONL": (text("votes.jsonl", '{"item": "a", "label": "x"}\n{"item": "b", "la'), ["votes.jsonl", "2"]),
    "truncated Parquet": (truncated_parquet, ["votes.parquet"]),
    "negative counts": (array("counts.npy", [[1, 2], [3, -4]]), ["counts.npy", "-4", "row 1"]),
    "fractional counts": (array("counts.npy", [[1.0, 2.5], [3, 4]]), ["counts.npy", "2.5", "row 0"]),
    "NaN": (array("shares.npy", [[0.5, 0.5], [np.nan, 1]]), ["shares.npy", "row 1"]),
    "rows that do not sum to one": (array("shares.npy", [[0.5, 0.5], [0.5, 0.4]]), ["shares.npy"]),
    "one dimension": (array("counts.npy", [1, 2, 3]), ["counts.npy", "(3,)"]),
    "an array that needs pickle": (array("counts.npy", [{"a": 1}], pickled=True), ["counts.npy", "pickle"]),
    "no array at all": (text("counts.npy", b"\x93NUMPY nothing"), ["counts.npy"]),
    "no archive at all": (text("counts.npz", b"PK nothing"), ["counts.npz"]),
    "negative wide counts": (text("counts.csv", "item,cat,dog\na,1,2\nb,-1,3\n"), ["counts.csv", "cat", "-1"]),
    "no votes at all": (array("counts.npy", [[0, 0], [0, 0]]), ["counts.npy", "none of the 2 items has votes"]),
    "too many predictions": (scored("p.npy", [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]), ["p.npy", "3", "2"]),
    "too few predictions": (scored("p.npy", [[0.5, 0.5]]), ["p.npy", "1", "2"]),
    "the wrong number of classes": (scored("p.npy", np.full((2, 3), 1 / 3)), ["p.npy", "3", "2"]),
    "predictions that are NaN": (scored("p.npy", [[0.5, 0.5], [np.nan, 1]]), ["p.npy", "row 1"]),
    "predictions that do not sum to one": (
        scored("p.npy", [[0.5, 0.5], [0.5, 0.4]], "--kind", "probabilities"),
        ["p.npy", "row 1"],
    ),
    "predictions for other items": (scored("p.csv", "item,cat,dog\na,0.5,0.5\nz,0.5,0.5\n"), ["p.csv", "b"]),
    "predictions for other classes": (scored("p.csv", "item,cat,cow\na,0.5,0.5\nb,0.5,0.5\n"), ["p.csv", "dog"]),
    "predictions that are words": (scored("p.csv", "item,cat,dog\na,0.5,0.5\nb,high,low\n"), ["p.csv"]),
    "an empty file of predictions": (scored("p.csv", ""), ["p.csv", "empty"]),
    "predictions of an unknown kind": (scored("p.npy", [[0.5, 0.5], [0.5, 0.5]], "--kind", "odds"), ["odds", "logits"]),
    "a directory of predictions": (predictions_of_a_directory, ["predictions", "directory"]),
    "an unknown dialect": (scored("p.npy", [[0.5, 0.5], [0.5, 0.5]], "--dialect", "klingon"), ["klingon", "chaosnli"]),
    "no bins": (scored("p.npy", [[0.5, 0.5], [0.5, 0.5]], "--bins", "0"), ["bins"]),
    "no such truth": (
        scored("p.npy", [[0.5, 0.5], [0.5, 0.5]], "--truth", "truth.csv"),
        ["truth.csv", "this file does not exist"],
    ),
    "votes that try to speak to the terminal": (
        text("votes.csv", "item,label\na,cat\na,\x1b[31mdog\n,dog\n"),
        ["votes.csv", "4"],
    ),
}


def run(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["votewise", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def check(err: str, words: list[str]) -> None:
    assert err.startswith("votewise: ")
    assert err.count("\n") == 1, err
    assert "\x1b" not in err
    assert "; " in err or " must be " in err, f"no remedy: {err}"
    assert len(err) < 500
    for word in words:
        assert word in err, err


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_one_sentence(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make, words = CASES[case]
    monkeypatch.chdir(tmp_path)
    arguments = make(tmp_path)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    assert run(arguments, monkeypatch) == 2
    out, err = capsys.readouterr()
    assert out == ""
    check(err, words)
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("case", ["no such file", "not UTF-8", "predictions for other items"])
def test_the_same_as_a_real_process(case: str, tmp_path: Path) -> None:
    make, words = CASES[case]
    command = [Path(sys.executable).with_name("votewise"), *make(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    check(done.stderr, words)


def test_a_file_without_permission(tmp_path: Path) -> None:
    """Root may read everything, so the process gives its rights up, once a first call has imported what it needs."""
    (tmp_path / "good.csv").write_text(GOOD)
    (tmp_path / "votes.csv").write_text(GOOD)
    (tmp_path / "votes.csv").chmod(0)
    program = """
import os, sys
from votewise.cli import main
sys.argv = ["votewise", "describe", "good.csv", "--json"]
try:
    main()
except SystemExit as done:
    assert not done.code
sys.stderr.flush()
os.getuid() or os.seteuid(65534)
sys.argv = ["votewise", "describe", "votes.csv", "--json"]
main()
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=unmeasured(), capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    check(done.stderr, ["votes.csv", "no permission"])


def test_a_pipe_is_refused_since_it_can_be_read_once_only(tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(GOOD)
    command = f"cat votes.csv | {Path(sys.executable).with_name('votewise')} describe /dev/stdin"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    check(done.stderr, ["/dev/stdin", "pipe"])


def test_a_class_that_looks_like_a_mistake_is_told_beside_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = text("votes.csv", "item,label\n" + "a,positive\nb,negative\n" * 5 + "b,postive\n")(tmp_path)
    assert run([*arguments], monkeypatch) == 0
    assert "class 'postive' (1 vote) looks like 'positive': rename it with map=" in capsys.readouterr().err
    assert run([*arguments, "--classes", "negative,positive,postive"], monkeypatch) == 0
    assert "looks like" not in capsys.readouterr().err


def test_wrong_usage_is_2_as_well(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["describe"], monkeypatch) == 2
    assert run(["paint"], monkeypatch) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_arguments_of_a_usage_error_cannot_command_the_terminal(monkeypatch, capsys) -> None:
    assert run(["describe", "votes.csv", "\u202e\x1b[31m"], monkeypatch) == 2
    err = capsys.readouterr().err
    assert r"\u202e\x1b[31m" in err
    assert all(character.isprintable() or character == "\n" for character in err)
