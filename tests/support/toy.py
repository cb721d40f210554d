"""A dataset of sixty noisy images, which trains in milliseconds."""

from __future__ import annotations

import numpy as np

from votewise.datasets import Dataset
from votewise.votes import Votes


def toy_dataset(items: int = 60) -> Dataset:
    rng = np.random.default_rng(0)
    kind = np.arange(items) % 3
    pictures = rng.integers(0, 120, (items, 10, 10, 1)) + 60 * (kind[:, None, None, None] + 0)
    votes = Votes.from_counts(rng.multinomial(5, [0.2, 0.2, 0.2], size=items) + 4 * np.eye(3, dtype=np.int64)[kind])
    return Dataset(name="toy", inputs=pictures.clip(0, 255).astype(np.uint8), votes=votes, mean=(0.5,), std=(0.25,))
