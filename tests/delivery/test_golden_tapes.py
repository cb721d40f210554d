"""Golden tapes: what was delivered once is delivered for good. A change here is a change of meaning, never a clean-up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from votewise.delivery import DELIVERIES, deliver
from votewise.votes import Votes

GOLDEN = Path(__file__).parents[1] / "golden" / "tapes.json"


def vote_sets() -> dict[str, Votes]:
    """Three sets without a random number in them: ragged, dense and of three hundred classes."""
    i, k = np.indices((40, 4))
    ragged = (i * 7 + k * k * 3 + i * k) % 5 + (k == i % 4)
    i, k = np.indices((25, 10))
    dense = (i * 13 + k * 5) % 11 + 40 * (k == i % 10)
    i, k = np.indices((12, 300))
    many = ((i * 31 + k * 17) % 97 == 0).astype(np.int64) + (k == i * 20)
    return {"ragged": Votes.from_counts(ragged), "dense": Votes.from_counts(dense), "many": Votes.from_counts(many)}


def tapes() -> dict[str, str]:
    return {
        f"{kind}/{name}/{seed}": deliver(name, votes, seed=seed).fingerprint(60)
        for kind, votes in vote_sets().items()
        for name in DELIVERIES
        for seed in (0, 1, 12345)
    }


def test_tapes_are_the_golden_ones() -> None:
    assert tapes() == json.loads(GOLDEN.read_text())


@pytest.mark.parametrize("name", DELIVERIES)
def test_probabilities_give_the_tapes_of_the_votes(name: str) -> None:
    for kind, votes in vote_sets().items():
        if name not in ("multipass", "deterministic"):
            assert (
                deliver(name, votes.distributions(), seed=1).fingerprint(60)
                == json.loads(GOLDEN.read_text())[f"{kind}/{name}/1"]
            )
