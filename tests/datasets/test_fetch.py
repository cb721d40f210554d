"""Fetching, on stand-ins for the official archives that a server on this machine offers."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from standins import Server, cifar10_archive, cifar100_archive, pictures, serving, tar_gz
from votewise.cli import main
from votewise.datasets import fetch, load_dataset
from votewise.datasets.conversion import shares_md5
from votewise.datasets.downloads import DOWNLOADS, TERMS, Download
from votewise.errors import VotewiseError
from votewise.votes import read_votes

LABELS = list(range(10)) * 2
COUNTS = 45 * np.eye(10, dtype=np.int64)[LABELS] + np.arange(10)
CSV = b"instance_id,user_id,text,offensiveness\n0,1,x,1\n0,2,x,3\n1,1,y,2\n"
JSONL = b'{"uid": "1", "label_counter": {"e": 60, "n": 40}, "label_count": [60, 40, 0]}\n'


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def mat(images: np.ndarray, labels: list[int]) -> bytes:
    buffer = io.BytesIO()
    savemat(
        buffer, {"X": images.transpose(1, 2, 3, 0), "y": np.array(labels, dtype=np.uint8)[:, None]}, do_compression=True
    )
    return buffer.getvalue()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The table of sources, each leading to a small stand-in on this machine and pinned to it."""
    monkeypatch.setenv("no_proxy", "*")
    offered = {
        "cifar-10-python.tar.gz": cifar10_archive(pictures(20), LABELS),
        "cifar10h-counts.npy": npy(COUNTS),
        "cifar-100-python.tar.gz": cifar100_archive(
            pictures(6, 1), [0, 1, 2, 3, 4, 99], [f"class {n}" for n in range(100)]
        ),
        "test_32x32.mat": mat(pictures(5, 2), [10, 1, 2, 9, 10]),
        "chaosNLI_snli.jsonl": JSONL,
        "chaosNLI_mnli_m.jsonl": JSONL * 2,
        "raw_data.csv": CSV,
    }
    with serving() as state:
        for name, sources in DOWNLOADS.items():
            here = tuple(pinned(source, state, offered[source.name]) for source in sources)
            monkeypatch.setitem(DOWNLOADS, name, here)
        yield state


def pinned(source: Download, server: Server, content: bytes) -> Download:
    """The source with another address, and size and checksums of the same kinds of what is offered there."""
    kinds = {
        "md5": lambda: hashlib.md5(content).hexdigest(),
        "sha256": lambda: hashlib.sha256(content).hexdigest(),
        "md5 of the shares": lambda: hashlib.md5(npy(COUNTS / COUNTS.sum(axis=1, keepdims=True))).hexdigest(),
    }
    checksums = {kind: kinds[kind]() for kind in source.checksums}
    return replace(source, url=server.offer(source.name, content), size=len(content), checksums=checksums)


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_every_dataset_comes_in_the_layout_that_is_loaded(server: Server, tmp_path: Path) -> None:
    for name in ("cifar10h", "cifar100", "svhn", "chaosnli"):
        done = fetch(name, tmp_path)
        assert [path.relative_to(tmp_path).as_posix() for path in done.written] == [
            source.file for source in DOWNLOADS[name]
        ]
    fetch("popquorn", tmp_path, sha256=hashlib.sha256(CSV).hexdigest())
    assert files(tmp_path) == sorted(source.file for sources in DOWNLOADS.values() for source in sources)
    dataset = load_dataset("cifar10h", tmp_path)
    assert (dataset.inputs == pictures(20)).all()
    assert dataset.labels.tolist() == LABELS
    assert (dataset.votes.counts() == COUNTS).all()
    assert (dataset.ood["near"] == pictures(6, 1)).all()
    assert (dataset.ood["far"] == pictures(5, 2)).all()
    with np.load(tmp_path / "cifar100" / "cifar100-test.npz") as file:
        assert file["labels"].tolist() == [0, 1, 2, 3, 4, 99]
        assert file["class_names"][99] == "class 99"
    with np.load(tmp_path / "svhn" / "svhn-test.npz") as file:
        assert file["labels"].tolist() == [0, 1, 2, 9, 0]  # 10 is how SVHN writes the digit 0
        assert file["labels"].dtype == np.uint8
    assert read_votes(tmp_path / "chaosnli" / "chaosNLI_snli.jsonl").counts().tolist() == [[60, 40, 0]]
    assert len(read_votes(tmp_path / "popquorn" / "offensiveness.csv")) == 2


def test_what_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    fetch("cifar10h", tmp_path)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in files(tmp_path)}
    server.asked.clear()
    done = fetch("cifar10h", tmp_path)
    assert done.written == ()
    assert len(done.kept) == 2
    assert server.asked == []
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in files(tmp_path)} == before


def test_a_broken_connection_is_taken_up_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.cuts = [10_000, 5_000]
    fetch("svhn", tmp_path)
    assert server.asked == [None, "bytes=10000-", "bytes=15000-"]
    assert (load_svhn(tmp_path) == pictures(5, 2)).all()


def test_a_broken_command_goes_on_when_it_is_run_again(server: Server, tmp_path: Path) -> None:
    server.cuts = [6_000, 0]
    with pytest.raises(
        VotewiseError, match=r"stopped after 6,000 of .* bytes .*; run the same command again to resume"
    ):
        fetch("svhn", tmp_path)
    assert files(tmp_path) == ["svhn/test_32x32.mat.part"]
    server.asked.clear()
    seen: list[tuple[str, int, int]] = []
    fetch("svhn", tmp_path, progress=lambda *state: seen.append(state))
    assert server.asked == ["bytes=6000-"]
    size = DOWNLOADS["svhn"][0].size
    assert seen[-1] == ("test_32x32.mat", size, size)
    assert files(tmp_path) == ["svhn/svhn-test.npz"]
    assert (load_svhn(tmp_path) == pictures(5, 2)).all()


def test_a_server_that_knows_no_ranges_sends_everything_anew(server: Server, tmp_path: Path) -> None:
    server.knows_ranges = False
    server.cuts = [6_000, 0]
    with pytest.raises(VotewiseError, match="stopped"):
        fetch("svhn", tmp_path)
    fetch("svhn", tmp_path)
    assert (load_svhn(tmp_path) == pictures(5, 2)).all()


def test_a_download_brought_by_hand_needs_no_network(server: Server, tmp_path: Path) -> None:
    (tmp_path / "svhn").mkdir()
    (tmp_path / "svhn" / "test_32x32.mat.part").write_bytes(server.files["test_32x32.mat"])
    fetch("svhn", tmp_path)
    assert server.asked == []
    assert (load_svhn(tmp_path) == pictures(5, 2)).all()


def test_nobody_there(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOWNLOADS, "svhn", (replace(DOWNLOADS["svhn"][0], url="http://127.0.0.1:1/test_32x32.mat"),))
    with pytest.raises(
        VotewiseError, match=r"http://127\.0\.0\.1:1/.*after 0 of .*refused.*; run the same command again"
    ):
        fetch("svhn", tmp_path)
    assert files(tmp_path) == []


def test_not_found(server: Server, tmp_path: Path) -> None:
    server.files.clear()
    with pytest.raises(VotewiseError, match=r"the server responded with 404 .*; try again later, or copy the file"):
        fetch("svhn", tmp_path)
    assert files(tmp_path) == []


@pytest.mark.parametrize("kind", ["md5", "sha256"])
def test_a_wrong_checksum_leaves_nothing_behind(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    source = DOWNLOADS["svhn"][0]
    wrong = {**source.checksums, kind: "0" * len(source.checksums[kind])}
    monkeypatch.setitem(DOWNLOADS, "svhn", (replace(source, checksums=wrong),))
    with pytest.raises(
        VotewiseError, match=f"not the published file: its {kind} is {source.checksums[kind]}, not 0000"
    ):
        fetch("svhn", tmp_path)
    assert files(tmp_path) == []


def test_counts_with_other_shares_are_not_cifar10h(server: Server, tmp_path: Path) -> None:
    other = COUNTS.copy()
    other[3, 4] += 1
    server.offer("cifar10h-counts.npy", npy(other))
    with pytest.raises(VotewiseError, match="its md5 of the shares is"):
        fetch("cifar10h", tmp_path)
    assert files(tmp_path) == ["cifar10h/cifar10-test.npz"]  # checked and whole: it need not come again


def test_a_longer_file_is_not_the_published_one(server: Server, tmp_path: Path) -> None:
    server.files["test_32x32.mat"] += b"more"
    with pytest.raises(VotewiseError, match="longer than the published file"):
        fetch("svhn", tmp_path)
    assert files(tmp_path) == []


def test_a_shorter_file_is_asked_for_no_further(server: Server, tmp_path: Path) -> None:
    server.files["test_32x32.mat"] = server.files["test_32x32.mat"][:-100]
    with pytest.raises(VotewiseError, match="stopped"):
        fetch("svhn", tmp_path)
    assert "svhn/svhn-test.npz" not in files(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (cifar10_archive(pictures(20), LABELS)[:4000], "cannot be unpacked"),
        (tar_gz({"../../escape": b"x", "cifar-10-batches-py/test_batch": b""}), "is a path outside its folder"),
        (tar_gz({"cifar-10-batches-py/other": b""}), "does not contain 'cifar-10-batches-py/test_batch'"),
        (tar_gz({"cifar-10-batches-py/test_batch": b"cos\nsystem\n(S'true'\ntR."}), "it asks for os.system"),
        (tar_gz({"cifar-10-batches-py/test_batch": b"\x80\x02}."}), "its 'data' differs from the official file"),
        (cifar10_archive(pictures(20)[:, :31], LABELS), "its 'data' differs from the official file"),
        (cifar10_archive(pictures(20), [300] * 20), "its 'labels' differs from the official file"),
    ],
)
def test_what_cannot_be_converted_leaves_no_file_under_a_final_name(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, words: str
) -> None:
    (tmp_path / "data").mkdir()
    images, counts = DOWNLOADS["cifar10h"]
    monkeypatch.setitem(DOWNLOADS, "cifar10h", (pinned(images, server, content), counts))
    with pytest.raises(VotewiseError) as refused:
        fetch("cifar10h", tmp_path / "data")
    assert words in str(refused.value)
    assert files(tmp_path) == ["data/cifar10h/cifar-10-python.tar.gz.part"]


def test_a_damaged_matlab_file(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = server.files["test_32x32.mat"][:3000]
    monkeypatch.setitem(DOWNLOADS, "svhn", (pinned(DOWNLOADS["svhn"][0], server, content),))
    with pytest.raises(VotewiseError, match="cannot be read as a MATLAB file"):
        fetch("svhn", tmp_path)


def test_without_a_published_checksum_a_person_must_vouch(server: Server, tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match=r"no checksum of raw_data\.csv is published.*--sha256"):
        fetch("popquorn", tmp_path)
    with pytest.raises(VotewiseError, match="got 'abc'"):
        fetch("popquorn", tmp_path, sha256="abc")
    assert server.asked == []
    with pytest.raises(VotewiseError, match="its sha256 is"):
        fetch("popquorn", tmp_path, sha256="0" * 64)
    fetch("popquorn", tmp_path, sha256=hashlib.sha256(CSV).hexdigest().upper())
    assert (tmp_path / "popquorn" / "offensiveness.csv").read_bytes() == CSV


def test_a_published_checksum_is_not_overruled(server: Server, tmp_path: Path) -> None:
    server.offer("chaosNLI_snli.jsonl", JSONL[:-1] + b" ")
    with pytest.raises(VotewiseError, match="not the published file"):
        fetch("chaosnli", tmp_path, sha256=hashlib.sha256(JSONL[:-1] + b" ").hexdigest())


def test_a_folder_that_cannot_be(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(VotewiseError, match="cannot be created"):
        fetch("svhn", tmp_path / "file")


def test_the_table_is_complete() -> None:
    assert list(DOWNLOADS) == list(TERMS) == ["cifar10h", "cifar100", "svhn", "chaosnli", "popquorn"]
    lengths = {"md5": 32, "sha256": 64, "md5 of the shares": 32}
    for source in (source for sources in DOWNLOADS.values() for source in sources):
        assert re.match(r"https?://", source.url)
        assert source.size > 0
        for kind, digits in source.checksums.items():
            assert re.fullmatch(f"[0-9a-f]{{{lengths[kind]}}}", digits)


def test_the_checksum_of_the_shares_is_that_of_the_real_counts(data: Path) -> None:
    """The shares of the counts are, byte for byte, the published cifar10h-probs.npy."""
    path = data / "cifar10h" / "cifar10h-counts.npy"
    assert shares_md5(path) == DOWNLOADS["cifar10h"][1].checksums["md5 of the shares"]
    assert path.stat().st_size == DOWNLOADS["cifar10h"][1].size


def test_the_pinned_text_files_are_the_real_ones(data: Path) -> None:
    for source in (*DOWNLOADS["chaosnli"], *DOWNLOADS["popquorn"]):
        content = (data / source.file).read_bytes()
        assert len(content) == source.size
        assert source.checksums.get("sha256") in (None, hashlib.sha256(content).hexdigest())


def votewise(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["votewise", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def test_the_command(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VOTEWISE_DATA", str(tmp_path))
    assert votewise(monkeypatch, "fetch", "svhn") == 0
    out, err = capsys.readouterr()
    assert out == f"{tmp_path / 'svhn' / 'svhn-test.npz'}\n"
    assert "Netzer" in err
    assert votewise(monkeypatch, "fetch", "svhn", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "dataset": "svhn",
        "written": [],
        "kept": [str(tmp_path / "svhn" / "svhn-test.npz")],
    }
    for arguments, word in (
        (["mnist"], "'cifar10h'"),
        (["popquorn"], "--sha256"),
        (["popquorn", "--sha256", "x"], "64"),
    ):
        assert votewise(monkeypatch, "fetch", *arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("votewise: ")
        assert err.count("\n") == 1
        assert word in err
    assert files(tmp_path) == ["svhn/svhn-test.npz"]


def load_svhn(folder: Path) -> np.ndarray:
    with np.load(folder / "svhn" / "svhn-test.npz") as file:
        return file["images"]
