"""The datasets that have a name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from votewise.datasets.cifar10h import cifar10h
from votewise.datasets.dataset import Dataset
from votewise.datasets.digits import digits
from votewise.datasets.folder import data_folder
from votewise.errors import VotewiseError
from votewise.wording import listing


def _digits(folder: Path) -> Dataset:
    return digits()


DATASETS: dict[str, Callable[[Path], Dataset]] = {"digits": _digits, "cifar10h": cifar10h}


def load(name: str, folder: str | os.PathLike[str] | None = None) -> Dataset:
    """A dataset by its name, from `folder`, else from VOTEWISE_DATA, else from the user's cache; the digits need no file.

    >>> load("digits")
    Dataset('digits', inputs uint8 [3600, 10, 10, 1], Votes(180000 votes on 3600 items, 10 classes))
    """
    if name not in DATASETS:
        raise VotewiseError(
            f"there is no dataset {name!r}", remedy=f"choose one of {listing(DATASETS)}, or bring your own"
        )
    return DATASETS[name](data_folder(folder))
