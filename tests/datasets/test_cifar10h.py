"""CIFAR-10H as it lies in the data folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from standins import pictures
from votewise.datasets import load_dataset
from votewise.datasets.folder import data_folder
from votewise.errors import VotewiseError


def lay_out(folder: Path, count: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """A small stand-in in the layout of the real files: every majority is the label."""
    images, labels = pictures(count), np.arange(count, dtype=np.uint8) % 10
    (folder / "cifar10h").mkdir(parents=True)
    np.savez(folder / "cifar10h" / "cifar10-test.npz", images=images, labels=labels)
    np.save(folder / "cifar10h" / "cifar10h-counts.npy", 45 * np.eye(10, dtype=np.int64)[labels] + 1)
    return images, labels


def test_the_real_one(data: Path) -> None:
    dataset = load_dataset("cifar10h", data)
    assert dataset.inputs.shape == (10_000, 32, 32, 3)
    assert (len(dataset.votes.label), dataset.votes.votes_per_item.min(), dataset.votes.votes_per_item.max()) == (
        511_000,
        47,
        63,
    )
    assert (dataset.votes.majority() == dataset.labels).mean() == 0.9921
    assert np.bincount(dataset.labels).tolist() == [1000] * 10
    assert dataset.votes.classes[3] == "cat"
    assert dataset.augment == ("crop", "flip")
    test = dataset.inputs[::10] / 255  # the constants are those of the training images
    assert dataset.mean == pytest.approx(test.mean(axis=(0, 1, 2)), abs=0.01)
    assert dataset.std == pytest.approx(test.std(axis=(0, 1, 2)), abs=0.01)
    assert dataset.ood["near"].shape[1:] == dataset.ood["far"].shape[1:] == (32, 32, 3)
    assert not {image.tobytes() for image in dataset.inputs} & {image.tobytes() for image in dataset.ood["near"]}


def test_what_is_absent_is_named_with_the_command_that_brings_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOTEWISE_DATA", str(tmp_path))
    with pytest.raises(VotewiseError, match=r"cifar10h/cifar10-test\.npz: .*votewise fetch cifar10h"):
        load_dataset("cifar10h")
    lay_out(tmp_path)
    (tmp_path / "cifar10h" / "cifar10h-counts.npy").unlink()
    with pytest.raises(VotewiseError, match=r"cifar10h/cifar10h-counts\.npy: .*votewise fetch cifar10h"):
        load_dataset("cifar10h")


def test_what_is_out_of_distribution_is_there_where_its_file_is(tmp_path: Path) -> None:
    images, labels = lay_out(tmp_path)
    (tmp_path / "svhn").mkdir()
    np.savez(tmp_path / "svhn" / "svhn-test.npz", images=images[:7], labels=labels[:7])
    dataset = load_dataset("cifar10h", tmp_path)
    assert list(dataset.ood) == ["far"]
    assert "near" not in dataset.ood
    assert (dataset.ood["far"] == images[:7]).all()
    with pytest.raises(VotewiseError, match=r"cifar100/cifar100-test\.npz: .*votewise fetch cifar100"):
        _ = dataset.ood["near"]
    with pytest.raises(KeyError):
        _ = dataset.ood["elsewhere"]


@pytest.mark.parametrize(
    ("file", "save", "words"),
    [
        ("cifar10h-counts.npy", lambda path: np.save(path, np.ones((19, 10), int)), ["(19, 10)", "20 images"]),
        ("cifar10h-counts.npy", lambda path: np.save(path, np.full((20, 10), 0.1)), ["float64"]),
        ("cifar10h-counts.npy", lambda path: np.save(path, np.roll(46 * np.eye(10, dtype=int)[np.arange(20) % 10], 1, 0)), ["0.0%", "order"]),
        ("cifar10h-counts.npy", lambda path: path.write_bytes(path.read_bytes()[:500]), ["NumPy"]),
        ("cifar10-test.npz", lambda path: np.savez(path, images=pictures(20)), ["images uint8 [20, 32, 32, 3]"]),
        ("cifar10-test.npz", lambda path: np.savez(path, images=pictures(20)[:, :, :, 0], labels=np.zeros(20, int)), ["[20, 32, 32]"]),
        ("cifar10-test.npz", lambda path: path.write_bytes(b"PK" + bytes(50)), ["NumPy"]),
    ],
)  # fmt: skip
def test_files_that_do_not_agree_are_refused(tmp_path: Path, file: str, save, words: list[str]) -> None:
    lay_out(tmp_path)
    save(tmp_path / "cifar10h" / file)
    with pytest.raises(VotewiseError) as refused:
        load_dataset("cifar10h", tmp_path)
    assert all(word in str(refused.value) for word in [file, "fetch", *words]), str(refused.value)


def test_the_folder_is_the_one_given_then_the_one_named_then_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    monkeypatch.setenv("VOTEWISE_DATA", "/named")
    assert data_folder(tmp_path) == tmp_path
    assert data_folder() == Path("/named")
    monkeypatch.setenv("VOTEWISE_DATA", "")
    assert data_folder() == Path("/caches/votewise")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert data_folder() == Path.home() / ".cache" / "votewise"
