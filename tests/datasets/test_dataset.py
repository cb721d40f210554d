"""A dataset: aligned, frozen, known by its content."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from votewise.datasets import Dataset, load_dataset
from votewise.errors import VotewiseError
from votewise.votes import Distributions, Votes

VOTES = Votes.from_counts([[3, 1], [0, 2], [1, 1]], classes=("cat", "dog"))
IMAGES = np.arange(3 * 4 * 5 * 2, dtype=np.uint8).reshape(3, 4, 5, 2)
FEATURES = np.array([[0, 5, 1], [1, 5, -1], [2, 5, 0]], dtype=np.float32)


def test_the_fingerprint_is_of_inputs_and_votes_alone() -> None:
    whole = Dataset(IMAGES, VOTES, name="a")
    assert (
        Dataset(IMAGES, VOTES, name="b", labels=np.array([0, 1, 0]), augment=("flip",)).fingerprint == whole.fingerprint
    )
    other = IMAGES.copy()
    other[2, 3, 4, 1] ^= 1
    different = [
        Dataset(other, VOTES, name="a"),
        Dataset(IMAGES.reshape(3, 5, 4, 2), VOTES, name="a"),
        Dataset(IMAGES, Votes.from_counts([[3, 1], [0, 2], [2, 1]], classes=("cat", "dog")), name="a"),
        Dataset(IMAGES, VOTES.distributions(), name="a"),
        Dataset(IMAGES.reshape(3, -1).astype(np.float32), VOTES, name="a"),
        whole.select([0, 1]),
        whole.select([2, 1, 0]),
    ]
    assert len({dataset.fingerprint for dataset in [whole, *different]}) == 1 + len(different)
    assert whole.select([]).fingerprint


def test_a_read_only_view_of_writable_memory_is_copied() -> None:
    owner, labels = FEATURES.copy(), np.array([0, 1, 0])
    views = owner[:], labels[:]
    for view in views:
        view.flags.writeable = False
    whole = Dataset(views[0], VOTES, labels=views[1])
    owner[0, 0], labels[0] = 99, 1
    assert whole.inputs.tolist() == FEATURES.tolist()
    assert whole.labels.tolist() == [0, 1, 0]
    assert Dataset(whole.inputs[:2], VOTES[:2]).inputs.base is whole.inputs  # this memory cannot change


def test_the_layout_in_memory_leaves_no_trace() -> None:
    assert (
        Dataset(np.asfortranarray(IMAGES), VOTES, name="a").fingerprint == Dataset(IMAGES, VOTES, name="a").fingerprint
    )
    assert (
        Dataset(FEATURES.repeat(2, axis=1)[:, ::2], VOTES, name="a").fingerprint
        == Dataset(FEATURES, VOTES, name="a").fingerprint
    )


@given(st.permutations(range(3)), st.lists(st.integers(0, 2), unique=True))
def test_selecting_keeps_inputs_votes_and_labels_together(order: list[int], chosen: list[int]) -> None:
    truth = Distributions([[0.75, 0.25], [0.0, 1.0], [0.5, 0.5]], classes=VOTES.classes)
    whole = Dataset(IMAGES, VOTES, name="a", truth=truth, labels=np.array([0, 1, 0]))
    part = whole.select(order).select(chosen)
    rows = [order[n] for n in chosen]
    assert part.votes.row.tolist() == part.truth.row.tolist() == rows
    assert (part.inputs == IMAGES[rows]).all()
    assert (part.labels == np.array([0, 1, 0])[rows]).all()
    assert (part.mean, part.std, part.name) == (whole.mean, whole.std, "a")
    assert part.fingerprint == whole.select(rows).fingerprint


def test_nobody_changes_inputs_under_a_fingerprint() -> None:
    dataset = Dataset(IMAGES, VOTES, name="a", labels=np.array([0, 1, 0]))
    with pytest.raises(ValueError, match="read-only"):
        dataset.inputs[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        dataset.labels[0] = 1


def test_statistics_are_of_the_last_axis() -> None:
    images = Dataset(IMAGES, VOTES, name="a")
    assert images.mean == pytest.approx((IMAGES / 255).mean(axis=(0, 1, 2)))
    assert images.std == pytest.approx((IMAGES / 255).std(axis=(0, 1, 2)))
    features = Dataset(FEATURES, VOTES, name="a")
    assert features.mean == pytest.approx((1, 5, 0))
    assert features.std == pytest.approx((np.sqrt(2 / 3), 1, np.sqrt(2 / 3)))  # the second does not vary


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"inputs": IMAGES[:2]}, ["2 inputs", "votes of 3 items"]),
        ({"inputs": IMAGES.astype(np.float32)}, ["float32", "(3, 4, 5, 2)"]),
        ({"inputs": IMAGES[:, 0, 0, 0]}, ["uint8", "(3,)"]),
        ({"inputs": [[0.0, 1.0], [2.0, np.nan], [3.0, 4.0]]}, ["row 1"]),
        ({"inputs": np.zeros((3, 3, 8, 8), np.uint8)}, ["channels first"]),
        ({"inputs": [[1.0, 2.0], [3.0], [4.0]]}, ["inputs in a list"]),
        ({"inputs": "texts.csv"}, ["not images, features or texts"]),
        ({"inputs": np.ma.masked_less(FEATURES, 2)}, ["the array has masked values"]),
        ({"votes": "votes.csv"}, ["path, not votes", "read_votes"]),
        ({"labels": np.array([0, 1])}, ["labels of 2 items"]),
        ({"truth": Distributions(np.full((3, 3), 1 / 3), classes=("a", "b", "c"))}, ["classes"]),
        ({"augment": ("rotate",)}, ["'rotate'", "'crop', 'flip'"]),
        ({"inputs": FEATURES, "augment": ("flip",)}, ["'flip'", "features"]),
        ({"mean": (0.5,), "std": (1.0,)}, ["1 means"]),
    ],
)
def test_what_does_not_fit_is_refused(change: dict, words: list[str]) -> None:
    with pytest.raises(VotewiseError) as refused:
        Dataset(**({"name": "a", "inputs": IMAGES, "votes": VOTES} | change))
    assert all(word in str(refused.value) for word in words), str(refused.value)


def test_two_arguments_are_enough_and_features_become_float32() -> None:
    dataset = Dataset([[0.1, 1], [2, 3], [4, 5]], VOTES)
    assert dataset.name == "data"
    assert dataset.inputs.dtype == np.float32
    assert dataset.fingerprint == Dataset(np.array([[0.1, 1], [2, 3], [4, 5]], np.float32), VOTES).fingerprint
    assert Dataset(FEATURES.astype(np.float64), VOTES.distributions()).inputs.tolist() == FEATURES.tolist()
    assert Dataset(IMAGES[..., 0], VOTES).inputs.shape == (3, 4, 5, 1)


def test_tensors_are_inputs_that_later_changes_do_not_affect() -> None:
    tensor = torch.from_numpy(FEATURES.copy()).requires_grad_()
    dataset, rows = Dataset(tensor, VOTES), Dataset([*tensor], VOTES)
    with torch.no_grad():
        tensor += 1
    assert dataset.inputs.tolist() == rows.inputs.tolist() == FEATURES.tolist()


def test_an_unknown_name_is_told_the_known_ones() -> None:
    with pytest.raises(VotewiseError, match=r"unknown dataset 'mnist'; choose one of 'digits', 'cifar10h'"):
        load_dataset("mnist")


def test_the_room_loads_nothing_heavy_before_it_is_needed() -> None:
    program = "import votewise.datasets, sys; print([n for n in ('sklearn', 'PIL', 'scipy.io', 'torch', 'polars') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
