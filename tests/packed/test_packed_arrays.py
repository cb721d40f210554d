"""NumPy files of strangers: an array is read when it is asked for, and only if its declared size fits the file and the machine."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from votewise import Votes, read_predictions, read_votes, score
from votewise.errors import VotewiseError
from votewise.packed import ArrayFile

VOTES = Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"), items=["a", "b"])
HALVES = np.full((2, 2), 0.5)


def npz(path: Path, raw: dict[str, bytes] | None = None, **arrays: np.ndarray) -> Path:
    """An .npz of arrays, and of members that are not arrays."""
    np.savez(path, **arrays)
    with zipfile.ZipFile(path, "a") as archive:
        for name, content in (raw or {}).items():
            archive.writestr(name, content)
    return path


def header(shape: str, kind: str = "<f8") -> bytes:
    """The start of an .npy file that declares this shape."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def test_members_that_are_not_arrays_are_left_out(tmp_path: Path) -> None:
    path = npz(
        tmp_path / "a.npz", {"counts": b"text", "classes": b"text", "notes.txt": b"text"}, votes=np.eye(2, dtype=int)
    )
    assert list(ArrayFile(path)) == ["votes"]
    assert read_votes(path).counts().tolist() == [[1, 0], [0, 1]]
    assert len(read_predictions(npz(tmp_path / "b.npz", {"items": b"text"}, probabilities=HALVES))) == 2
    with pytest.raises(VotewiseError, match="no arrays"):
        read_votes(npz(tmp_path / "c.npz", {"counts": b"text"}))


@pytest.mark.parametrize("name", ["items", "classes"])
def test_names_that_are_one_number_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(VotewiseError, match=rf"'{name}' has shape \(\)"):
        read_predictions(npz(tmp_path / "a.npz", probabilities=HALVES, **{name: np.array(3)}))


def test_a_class_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    path = npz(tmp_path / "a.npz", probabilities=HALVES, classes=np.array(["cat", "cat"]), items=np.array(["a", "b"]))
    with pytest.raises(VotewiseError, match="'cat' is named twice"):
        score(read_predictions(path), VOTES)


def test_classes_for_other_columns_are_refused(tmp_path: Path) -> None:
    path = npz(tmp_path / "a.npz", probabilities=HALVES, classes=np.array(["cat"]))
    with pytest.raises(VotewiseError, match="1 class for 2 columns"):
        read_predictions(path)


def test_an_array_that_nobody_asks_for_is_not_read(tmp_path: Path) -> None:
    """It declares 8 TB, and neither the votes nor the predictions beside it need it."""
    raw = {"junk.npy": header("(1000000000000,)")}
    assert len(read_predictions(npz(tmp_path / "p.npz", raw, probabilities=HALVES))) == 2
    assert len(read_votes(npz(tmp_path / "v.npz", raw, counts=np.eye(2, dtype=int)))) == 2


@pytest.mark.parametrize("shape", ["(1000000000000, 2)", "(-1, 2)"])
def test_a_shape_that_the_file_cannot_hold_is_refused(tmp_path: Path, shape: str) -> None:
    (tmp_path / "a.npy").write_bytes(header(shape) + bytes(32))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("counts.npy", header(shape) + bytes(32))
    for name in ("a.npy", "a.npz"):
        with pytest.raises(VotewiseError, match="cannot be read as a NumPy file"):
            read_votes(tmp_path / name)


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    """In a process that may take 1.5 GB of addresses, as on a smaller machine."""
    path = tmp_path / "zeros.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("counts.npy", "w") as member:
        member.write(header("(40000000, 10)", "|u1"))
        for _ in range(400):
            member.write(bytes(1_000_000))
    assert path.stat().st_size < 1_000_000
    program = "import sys, votewise.votes as v; v.read_votes(sys.argv[1])"
    ended = subprocess.run(
        ["sh", "-c", 'ulimit -v 1500000; exec "$@"', "sh", sys.executable, "-c", program, str(path)],
        capture_output=True,
        text=True,
    )
    assert "VotewiseError" in ended.stderr, ended.stderr
    assert "would need about 2 GB of memory" in ended.stderr


def test_reasons_of_other_libraries_are_short(tmp_path: Path) -> None:
    start = b"\x93NUMPY\x01\x00" + (9000).to_bytes(2, "little") + b"{" + b"(" * 8998 + b"\n"
    (tmp_path / "a.npy").write_bytes(start)
    with pytest.raises(VotewiseError) as refused:
        read_votes(tmp_path / "a.npy")
    assert len(refused.value.what) < 300


def test_pickled_objects_are_refused_when_they_are_asked_for(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.array([{}, 1], dtype=object), allow_pickle=True)
    path = npz(tmp_path / "a.npz", {"items.npy": buffer.getvalue()}, counts=np.eye(2, dtype=int))
    with pytest.raises(VotewiseError, match="pickle can run arbitrary code"):
        read_votes(path)


@pytest.mark.parametrize("kind", ["<U1", ">U1"])
def test_text_with_a_character_that_does_not_exist_is_refused(tmp_path: Path, kind: str) -> None:
    raw = header("(2,)", kind) + np.array([97, 0x110000], kind.replace("U1", "u4")).tobytes()
    path = npz(tmp_path / "a.npz", {"items.npy": raw}, counts=np.eye(2, dtype=int))
    with pytest.raises(VotewiseError, match="'items' has text with an invalid character code"):
        read_votes(path)
    whole = header("(2,)", kind) + np.array([97, 0x10FFFF], kind.replace("U1", "u4")).tobytes()
    (tmp_path / "b.npy").write_bytes(whole)
    assert ArrayFile(tmp_path / "b.npy")[""].tolist() == ["a", chr(0x10FFFF)]


def test_records_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros(2, [("votes", int)]))
    with pytest.raises(VotewiseError, match="it holds records"):
        read_votes(tmp_path / "a.npy")


@pytest.mark.filterwarnings("error")
def test_a_header_that_python_2_wrote_is_read_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(header("(2L, 2L)", "<i8") + np.eye(2, dtype="<i8").tobytes())
    assert read_votes(tmp_path / "a.npy").counts().tolist() == [[1, 0], [0, 1]]
