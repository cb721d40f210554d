"""NumPy files: counts or probabilities of each item, and nothing that runs code."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

from votewise.errors import VotewiseError
from votewise.votes import Distributions, Votes, inspect_votes, read_votes

COUNTS = np.array([[3, 0, 1], [0, 0, 0], [2, 2, 2]])


def saved(path: Path, array: object, **arrays: object) -> Path:
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    else:
        np.save(path, array, allow_pickle=True)
    return path


def test_cifar10h_is_read_whole(data) -> None:
    reading = inspect_votes(data / "cifar10h" / "cifar10h-counts.npy")
    votes = reading.votes()
    assert reading.report.format == "array"
    assert (len(votes), len(votes.label)) == (10_000, 511_000)
    assert (votes.votes_per_item.min(), votes.votes_per_item.max()) == (47, 63)
    assert votes.tied().sum() == 3
    assert votes.classes[:3] == ("airplane", "automobile", "bird")
    truth = np.load(data / "cifar10h" / "cifar10-test.npz")["labels"]
    assert (votes.majority() == truth).mean() == pytest.approx(0.9921, abs=5e-5)


def test_cifar10h_probabilities_are_named_and_give_the_same_shares(data, tmp_path) -> None:
    votes = read_votes(data / "cifar10h" / "cifar10h-counts.npy")
    shares = read_votes(saved(tmp_path / "cifar10h-probs.npy", votes.probabilities()))
    assert isinstance(shares, Distributions)
    assert shares.classes == votes.classes
    np.testing.assert_allclose(shares.probability, votes.probabilities(), atol=1e-15)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16, np.float64, np.float32, np.float16])
def test_whole_numbers_are_counts_whatever_their_type(tmp_path, kind) -> None:
    reading = inspect_votes(saved(tmp_path / "counts.npy", COUNTS.astype(kind)))
    assert isinstance(reading.votes(), Votes)
    assert reading.votes().counts().tolist() == COUNTS.tolist()
    assert reading.votes().classes == ("0", "1", "2")
    assert reading.report.notes == ("items without votes: 1",)


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.eye(3), Distributions),
        (np.eye(3, dtype=np.int64), Votes),
        (np.eye(3, dtype=np.bool_), Votes),
        (np.full((2, 4), 0.25, np.float32), Distributions),
        (2 * np.eye(3), Votes),
    ],
)
def test_floats_in_rows_that_sum_to_one_are_probabilities(tmp_path, array, kind) -> None:
    assert isinstance(read_votes(saved(tmp_path / "votes.npy", array)), kind)


def test_half_precision_sums_to_one_nearly_enough(tmp_path) -> None:
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 100).astype(np.float16)
    reading = inspect_votes(saved(tmp_path / "votes.npy", shares))
    assert isinstance(reading.votes(), Distributions)
    assert "sum to one only within" in reading.report.notes[1]
    exact = inspect_votes(saved(tmp_path / "votes.npy", np.full((2, 4), 0.25))).report.notes
    assert exact == ("each row sums to one: read as probabilities (Distributions), not as votes",)


def test_an_archive_brings_its_names(tmp_path) -> None:
    arrays = {"probs": COUNTS / 6, "counts": COUNTS, "classes": ["a", "b", "c"], "ids": [7, 8, 9], "x": np.zeros(3)}
    reading = inspect_votes(saved(tmp_path / "votes.npz", None, **arrays))
    votes = reading.votes()
    assert (votes.classes, votes.items.tolist()) == (("a", "b", "c"), ["7", "8", "9"])
    assert votes.counts().tolist() == COUNTS.tolist()
    assert "arrays not read: 'probs', 'x'" in reading.report.notes
    assert read_votes(saved(tmp_path / "one.npz", None, anything=COUNTS), classes=["x", "y", "z"]).classes == (
        "x",
        "y",
        "z",
    )


def test_an_array_of_another_name_may_be_named(tmp_path) -> None:
    path = saved(tmp_path / "votes.npz", None, counts=COUNTS, train=2 * COUNTS)
    assert read_votes(path, label="train").counts().tolist() == (2 * COUNTS).tolist()


def test_ordered_classes(tmp_path) -> None:
    assert read_votes(saved(tmp_path / "votes.npy", COUNTS), ordinal=True).scale.position == (0, 1, 2)


NAN = COUNTS.astype(float)
NAN[2, 1] = np.nan
BAD = {
    "one dimension": (np.arange(3), r"shape \(3,\)"),
    "three dimensions": (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
    "words": (np.array([["a", "b"]]), "type <U1"),
    "complex numbers": (np.ones((2, 2), complex), "complex128"),
    "nothing": (np.zeros((0, 3)), "no numbers"),
    "NaN": (NAN, r"row 2, column 1 \(both from 0\) is nan"),
    "a negative count": (COUNTS - 1, r"row 0, column 1 .* is -1, which is negative"),
    "log-probabilities": (np.log(np.full((2, 2), 0.5)), "row 0, column 0 .*negative.*exp"),
    "a fraction": (COUNTS + np.eye(3) / 2, "row 0, column 0 .* is 3.5, not a whole number"),
    "rows that do not sum to one": (np.array([[0.5, 0.5], [0.5, 0.4]]), "row 1, column 0"),
    "one class": (np.ones((3, 1), np.int64), "1 class given"),
    "a pickled object": (np.array([[{}, 1]], dtype=object), "pickled"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arrays_are_one_sentence(tmp_path, case) -> None:
    array, message = BAD[case]
    path = saved(tmp_path / "votes.npy", array)
    with pytest.raises(VotewiseError, match=message) as caught:
        inspect_votes(path)
    assert str(caught.value).startswith(str(path))
    assert caught.value.remedy


ARCHIVES = {
    "no usual name": ({"a": COUNTS, "b": COUNTS}, {}, "'a', 'b'.*--label"),
    "a name that is not there": ({"counts": COUNTS}, {"label": "votes"}, "unknown array 'votes'.*'counts'"),
    "too few classes": ({"counts": COUNTS, "classes": ["a", "b"]}, {}, "2 classes for shape.*name 3 classes"),
    "too many ids": ({"counts": COUNTS, "ids": list("abcd")}, {}, "4 items for shape"),
    "ids that repeat": ({"counts": COUNTS, "ids": list("aba")}, {}, "repeat: 'a'"),
    "classes given": ({"counts": COUNTS}, {"classes": ["a"]}, "1 class for shape"),
    "a pickled object": ({"counts": np.array([[{}, 1]], dtype=object)}, {}, "pickled"),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_bad_archives_are_one_sentence(tmp_path, case) -> None:
    arrays, options, message = ARCHIVES[case]
    path = saved(tmp_path / "votes.npz", None, **arrays)
    with pytest.raises(VotewiseError, match=message) as caught:
        inspect_votes(path, **options)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("name", ["votes.npy", "votes.npz"])
def test_a_file_cut_off_anywhere_is_one_sentence(tmp_path, name) -> None:
    path = saved(tmp_path / name, COUNTS, counts=COUNTS)
    content = path.read_bytes()
    for size in range(1, len(content), 5):
        path.write_bytes(content[:size])
        with pytest.raises(VotewiseError, match=rf"{name}: "):
            inspect_votes(path)


def test_a_pickle_is_never_opened(tmp_path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "opened",)  # type: ignore[return-value]

    path = tmp_path / "votes.npy"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(VotewiseError, match="pickled"):
        inspect_votes(path)
    saved(path, np.array([[Trap(), 1]], dtype=object))
    with pytest.raises(VotewiseError, match="pickled"):
        inspect_votes(path)
    assert not (tmp_path / "opened").exists()


def test_rows_that_sum_to_100_may_be_percentages(tmp_path) -> None:
    notes = inspect_votes(saved(tmp_path / "votes.npy", np.array([[30, 70], [50, 50]]))).report.notes
    assert notes == ("each row sums to 100: read as 100 votes per item; if these are percentages, divide them by 100",)


def test_a_damaged_header_is_refused_without_a_warning(tmp_path: Path) -> None:
    path = saved(tmp_path / "counts.npy", COUNTS)
    path.write_bytes(
        path.read_bytes().replace(b"'shape'", rb"'s\%pe'")
    )  # an unknown escape in the text of a dictionary
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(VotewiseError, match="cannot be read as a NumPy file"):
            read_votes(path)
    assert not caught
