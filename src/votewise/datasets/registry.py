"""The named datasets."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from votewise.datasets.cifar10h import cifar10h
from votewise.datasets.dataset import Dataset
from votewise.datasets.digits import digits
from votewise.datasets.folder import data_folder
from votewise.datasets.named_texts import NAMED_TEXTS
from votewise.errors import VotewiseError
from votewise.wording import listing


def _digits(folder: Path) -> Dataset:
    return digits()


DATASETS: dict[str, Callable[[Path], Dataset]] = {"digits": _digits, "cifar10h": cifar10h, **NAMED_TEXTS}


def load_dataset(name: str, folder: str | os.PathLike[str] | None = None) -> Dataset:
    """Load a dataset by its name.

    Args:
        name: 'digits', which needs no files; 'cifar10h'; for texts 'chaosnli-snli', 'chaosnli-mnli', 'chaosnli-alphanli',
            'popquorn-offensiveness', 'lewidi2023-convabuse', 'lewidi2025-paraphrase' ... (the keys of `DATASETS`).
        folder: the folder of its files. Default: the folder VOTEWISE_DATA, or the user's cache.

    Raises:
        VotewiseError: the name is unknown, or a file is missing; the error names the command that fetches it.

    Example:
        >>> load_dataset("digits")
        Dataset('digits', inputs uint8 [3600, 10, 10, 1], Votes(180,000 votes on 3,600 items, 10 classes))
    """
    if name not in DATASETS:
        raise VotewiseError(
            f"unknown dataset {name!r}", remedy=f"choose one of {listing(DATASETS)}, or use Dataset.from_files"
        )
    return DATASETS[name](data_folder(folder))
