"""Archives and pickles are read with care: nothing leaves its folder, nothing runs."""

from __future__ import annotations

import os
import pickle
import tarfile
from pathlib import Path

import numpy as np
import pytest

from standins import cifar10_archive, pictures, python2_pickle, tar_gz
from votewise.datasets.pickles import read_pickle
from votewise.errors import VotewiseError
from votewise.packed import read_tar


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def archive(folder: Path, members: dict) -> Path:
    (folder / "a.tar.gz").write_bytes(tar_gz(members))
    return folder / "a.tar.gz"


def test_the_named_files_are_read_and_nothing_is_written(tmp_path: Path) -> None:
    members = {"data": special("data", tarfile.DIRTYPE), "data/a": b"one", "data/b": b"two", "./data/c": b"three"}
    path = archive(tmp_path, members)
    assert read_tar(path, ["data/a", "data/b"], 100) == {"data/a": b"one", "data/b": b"two"}
    assert os.listdir(tmp_path) == ["a.tar.gz"]


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ({"../escape": b"x"}, "'../escape' is a path outside its folder"),
        ({"data/../../escape": b"x"}, "is a path outside its folder"),
        ({"/etc/escape": b"x"}, "is a path outside its folder"),
        ({"data\\..\\escape": b"x"}, "is a path outside its folder"),
        ({"l": special("data/l", tarfile.SYMTYPE, "/etc/passwd")}, "'data/l' is neither a file nor a folder"),
        ({"l": special("data/l", tarfile.LNKTYPE, "../up")}, "neither a file nor a folder"),
        ({"l": special("data/null", tarfile.CHRTYPE)}, "neither a file nor a folder"),
        ({"l": special("data/pipe", tarfile.FIFOTYPE)}, "neither a file nor a folder"),
        ({"data/large": bytes(2000)}, "more than 1,000 bytes"),
        ({f"data/{n}": bytes(300) for n in range(5)}, "more than 1,000 bytes"),
        ({}, "does not contain 'data/a'"),
    ],
)
def test_an_archive_with_a_trick_in_it_is_refused(tmp_path: Path, member: dict, words: str) -> None:
    path = archive(tmp_path, member | ({"data/a": b"good"} if member else {"data/z": b"other"}))
    with pytest.raises(VotewiseError) as refused:
        read_tar(path, ["data/a"], 1000)
    assert words in str(refused.value)
    assert "a.tar.gz" in str(refused.value)
    assert os.listdir(tmp_path) == ["a.tar.gz"]


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.999])
def test_a_truncated_archive_is_refused(tmp_path: Path, kept: float) -> None:
    whole = cifar10_archive(pictures(20), list(range(10)) * 2)
    path = tmp_path / "a.tar.gz"
    path.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(VotewiseError, match=r"cannot be unpacked|there is no"):
        read_tar(path, ["cifar-10-batches-py/test_batch"], 10**9)


def test_no_archive_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.tar.gz").write_bytes(b"<html>Not found</html>")
    with pytest.raises(VotewiseError, match="cannot be unpacked"):
        read_tar(tmp_path / "a.tar.gz", ["a"], 100)


VALUE = {"data": np.arange(12, dtype=np.uint8).reshape(3, 4), "labels": [3, 1, 2], "names": ["a", "b"]}


@pytest.mark.parametrize(
    "data",
    [python2_pickle(VALUE), *(pickle.dumps(VALUE, protocol) for protocol in range(5))],
    ids=["python 2", *(f"protocol {protocol}" for protocol in range(5))],
)
def test_arrays_numbers_and_strings_are_read(data: bytes) -> None:
    found = read_pickle(data, "x")
    assert (found["data"] == VALUE["data"]).all()
    assert found["data"].dtype == np.uint8
    assert found["labels"] == [3, 1, 2]
    assert [name.decode() if isinstance(name, bytes) else name for name in found["names"]] == ["a", "b"]


def test_strings_of_python_2_are_in_the_stand_in() -> None:
    """The stand-in is of the kind of the official file: no opcode for unicode, the old name of NumPy's function."""
    import pickletools

    data = python2_pickle(VALUE)
    assert not {code.name for code, *_ in pickletools.genops(data)} & {"BINUNICODE", "BINBYTES", "SHORT_BINBYTES"}
    assert b"cnumpy.core.multiarray\n_reconstruct\n" in data


class Runs:
    """Pickles into a call."""

    def __init__(self, function: object, *arguments: object) -> None:
        self.call = function, arguments

    def __reduce__(self) -> object:
        return self.call


def test_a_malicious_pickle_does_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    attacks = {
        "system": Runs(os.system, f"touch {mark}"),
        "open": Runs(open, str(mark), "w"),
        "eval": Runs(eval, f"open({str(mark)!r}, 'w')"),
        "exec": Runs(exec, f"open({str(mark)!r}, 'w')"),
        "getattr": Runs(getattr, "text", "upper"),
        "import": Runs(__import__, "os"),
        "fromfile": Runs(np.fromfile, "/etc/passwd"),
        "memmap": Runs(np.memmap, str(mark), "uint8", "w+", 0, (3,)),
    }
    for name, attack in attacks.items():
        for protocol in range(6):
            for value in ({"data": attack}, attack, [attack]):
                with pytest.raises(VotewiseError, match=r"rejected \(it asks for .*could run any code"):
                    read_pickle(pickle.dumps(value, protocol), name)
    assert not mark.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"junk",
        pickle.dumps(VALUE, 2)[:-40],
        pickle.dumps([1, 2, 3]),
        b"cnumpy\nndarray\n(I999999999999999999\ntR.",  # more memory than there is
        b"cnumpy\ndtype\n}b.",
        b"\x80\x02Pid\n.",  # a persistent id
        b"c_codecs\nencode\n(S'x'\nS'no_such_codec'\ntR.",
    ],
)
def test_a_damaged_pickle_is_one_sentence(data: bytes) -> None:
    with pytest.raises(VotewiseError, match="this pickle is rejected"):
        read_pickle(data, "x")


def test_an_array_of_objects_in_a_pickle_is_refused() -> None:
    """On raw bytes it would be an array of pointers to anywhere, which ended the process."""
    state = (1, (1,), np.dtype("O"), False, bytes(range(8)))

    class Forged:
        def __reduce__(self) -> tuple:
            return (*np.zeros(1).__reduce__()[:2], state)

    with pytest.raises(VotewiseError, match="asks for an array of type 'O8'"):
        read_pickle(pickle.dumps({"data": Forged()}, protocol=2), "batch")
    with pytest.raises(VotewiseError, match="rejected"):
        read_pickle(pickle.dumps({"data": np.zeros(2, [("a", "O")])}, protocol=2), "batch")


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["u1", "<i8", ">i4", "<f4", "S3"])
def test_arrays_of_numbers_in_a_pickle_are_read(order: str, kind: str) -> None:
    values = np.arange(6).reshape(2, 3).astype(kind, order=order)
    read = read_pickle(pickle.dumps({"data": values}, protocol=2), "batch")["data"]
    assert np.array_equal(read, values)
    assert read.dtype == values.dtype


def test_a_header_of_megabytes_in_an_archive_is_refused(tmp_path: Path) -> None:
    """Tarfile takes it into memory before it names a member."""
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, pax_headers={"comment": "x" * 3_000_000}) as archive:
        archive.addfile(tarfile.TarInfo("data/a"))
    with pytest.raises(VotewiseError, match="a header of 3,"):
        read_tar(path, ["data/a"], 10**9)


def test_an_archive_of_too_many_folders_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path, {f"d{number}": special(f"d{number}", tarfile.DIRTYPE) for number in range(10_001)})
    with pytest.raises(VotewiseError, match="more than 10,000 members"):
        read_tar(path, ["d/a"], 10**9)
