"""Facts about real votes that the paper's mathematics leads to."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from votewise.votes import Votes


def test_on_cifar10h_the_extra_variance_is_nearly_the_entropy(data) -> None:
    p = Votes.from_counts(np.load(data / "cifar10h" / "cifar10h-counts.npy")).probabilities()
    extra, entropy = np.round(1 - (p**2).sum(axis=1), 12), np.round(stats.entropy(p, axis=1), 12)
    assert stats.spearmanr(extra, entropy).statistic == pytest.approx(0.999, abs=5e-4)
    high = np.argsort(-entropy)[: len(p) // 10]
    assert extra[high].sum() / extra.sum() == pytest.approx(0.53, abs=0.01)  # N2: of the tenth of highest entropy
