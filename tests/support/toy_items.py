"""A small dataset with labels that would run as code if a page did not escape them, and simulated predictions."""

from __future__ import annotations

import numpy as np

from votewise import counter
from votewise.comparison import HeldOut
from votewise.datasets import Dataset
from votewise.votes import Votes

SCRIPT = "<script>alert(1)</script>"
CLASSES = (SCRIPT, "cat & dog", "</script><b>bold</b>")
STRANGE = 'a/b?c=1#d "<i>é</i>" 100%'  # an id with characters that must be escaped in a link


def uniform(name: str, *shape: int) -> np.ndarray:
    """Draws [shape] that depend only on the name."""
    return counter.uniform(counter.key(name, 0), 0, np.arange(int(np.prod(shape)))).reshape(shape)


def toy_dataset(n: int = 60, channels: int = 3, *, text: bool = False) -> Dataset:
    """`n` images with ten votes each on three classes; with `text`, each vote carries the text of its item."""
    votes = np.floor(uniform("votes", n, 10) ** 2 * 3).astype(np.int64)
    names = [STRANGE if i == 7 else f"item {i}" for i in range(n)]
    columns = {
        "text": np.array([f"{SCRIPT} text of {i}" for i in range(n) for _ in range(10)], np.dtypes.StringDType())
    }
    answers = Votes(
        np.arange(n + 1) * 10, votes.ravel(), classes=CLASSES, items=names, columns=columns if text else {}
    )  # fmt: skip
    pictures = (uniform("pictures", n, 6, 5, channels) * 256).astype(np.uint8)
    return Dataset(pictures, answers, name="toy")


def predictions(dataset: Dataset, method: str, every: int = 1) -> HeldOut:
    """Random predictions of a method for every `every`-th item."""
    position = np.arange(0, len(dataset), every)
    share = uniform(method, len(position), dataset.votes.num_classes) + 0.01
    share /= share.sum(axis=1, keepdims=True)
    p = dataset.votes.probabilities(position)
    kl = np.where(p > 0, p * np.log(np.where(p > 0, p, 1) / share), 0).sum(axis=1)
    return HeldOut(position, share, kl, np.ones(len(position), np.int64))
