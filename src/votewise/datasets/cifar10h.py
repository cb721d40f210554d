"""CIFAR-10H: the 10,000 test images of CIFAR-10 with about 50 votes each (Krizhevsky 2009; Peterson et al. 2019)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from votewise.datasets.dataset import Dataset, Lazy
from votewise.datasets.folder import absent, needed
from votewise.datasets.inputs import Inputs
from votewise.errors import VotewiseError
from votewise.packed import ArrayFile
from votewise.votes import CIFAR10_CLASSES, Votes
from votewise.wording import listing

IMAGES, COUNTS = "cifar10h/cifar10-test.npz", "cifar10h/cifar10h-counts.npy"
UNUSUAL = {"near": ("cifar100", "cifar100/cifar100-test.npz"), "far": ("svhn", "svhn/svhn-test.npz")}

# Mean and standard deviation of CIFAR-10's training images, as commonly used.
MEAN, STD = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)

_AGREEMENT = 0.9  # minimum share of images whose label is the majority: it is 99.2 %, or about 10 % if the rows are in another order


def cifar10h(folder: Path) -> Dataset:
    """Images uint8 [10000, 32, 32, 3] in the official order, labels, and votes. CIFAR-100 is the near and SVHN the far out-of-distribution set."""
    path, counts_path = needed(folder / IMAGES, "cifar10h"), needed(folder / COUNTS, "cifar10h")
    images, labels = _images(path)
    (counts,) = ArrayFile(counts_path).values()
    if counts.shape != (len(images), len(CIFAR10_CLASSES)) or counts.dtype.kind not in "iu":
        raise VotewiseError(
            f"counts of type {counts.dtype} and shape {counts.shape} do not fit {len(images)} images of {len(CIFAR10_CLASSES)} classes",
            where=counts_path,
            remedy="fetch both again with: votewise fetch cifar10h",
        )
    agreement = float((counts.argmax(axis=1) == labels).mean())
    if agreement < _AGREEMENT:
        raise VotewiseError(
            f"the majority equals the label of {path.name} on only {agreement:.1%} of the images: the rows are in different orders",
            where=counts_path,
            remedy="fetch both again with: votewise fetch cifar10h",
        )
    there: dict[str, Callable[[], Inputs]] = {}
    gone: dict[str, VotewiseError] = {}
    for kind, (name, file) in UNUSUAL.items():
        if (folder / file).is_file():
            there[kind] = partial(_inputs, folder / file)
        else:
            gone[kind] = absent(folder / file, name)
    return Dataset(
        images,
        Votes.from_counts(counts, CIFAR10_CLASSES),
        name="cifar10h",
        labels=labels,
        mean=MEAN,
        std=STD,
        augment=("crop", "flip"),
        ood=Lazy(there, gone),
        origin={"name": "cifar10h"},
    )


def _inputs(path: Path) -> Inputs:
    return _images(path)[0]


def _images(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The arrays `images`, uint8 [N, 32, 32, 3], and `labels` [N] of a file."""
    arrays = dict(ArrayFile(path))
    images, labels = arrays.get("images"), arrays.get("labels")
    if (
        images is None
        or labels is None
        or images.dtype != np.uint8
        or images.shape[1:] != (32, 32, 3)
        or labels.shape != images.shape[:1]
        or labels.dtype.kind not in "iu"
    ):
        shapes = listing(f"{name} {array.dtype} {list(array.shape)}" for name, array in arrays.items())
        raise VotewiseError(
            f"expected images uint8 [N, 32, 32, 3] with labels [N], got {shapes}",
            where=path,
            remedy="fetch it again with: votewise fetch",
        )
    return images, labels.astype(np.int64)
