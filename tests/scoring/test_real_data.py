"""Facts of the published data sets."""

from __future__ import annotations

import json

import numpy as np
import pytest
from relplot.metrics import smECE

import references  # noqa: F401  # imports relplot, whose plotting stack warns
from votewise.scoring import score
from votewise.votes import Votes


@pytest.fixture
def cifar10h(data):
    counts = np.load(data / "cifar10h" / "cifar10h-counts.npy")
    with np.load(data / "cifar10h" / "cifar10-test.npz") as file:
        return Votes.from_counts(counts), file["labels"].astype(np.int64)


def test_cifar10h_has_a_mean_entropy_of_0_1545_nats_and_three_ties(cifar10h) -> None:
    votes, _ = cifar10h
    uniform = np.full((10_000, 10), 0.1)
    card = score(uniform, votes)
    assert card.floor == pytest.approx(0.1545, abs=5e-5)
    assert card.ties == 3
    assert card["soft_nll"] == pytest.approx(np.log(10))
    assert card.absent["entropy_correlation"].startswith("one of the two is the same for every item")


def test_the_majority_of_cifar10h_is_the_cifar_label_on_99_21_percent(cifar10h) -> None:
    votes, labels = cifar10h
    q = np.full((10_000, 10), 0.01)
    q[np.arange(10_000), labels] = 0.91
    card = score(q, votes, truth=labels)
    assert card["accuracy"] == pytest.approx(0.9921)
    assert card["accuracy_truth"] == 1


def test_smooth_ece_on_cifar10h_is_relplots(cifar10h) -> None:
    votes, labels = cifar10h
    rng = np.random.default_rng(0)
    q = votes.counts() + rng.gamma(0.3, size=(10_000, 10)) * 3
    q /= q.sum(axis=1, keepdims=True)
    card = score(q, votes, truth=labels)
    hit, share = (q.argmax(axis=1) == labels).astype(float), votes.probabilities()[np.arange(10_000), q.argmax(axis=1)]
    assert card["smooth_ece_truth"] == pytest.approx(smECE(q.max(axis=1), hit), abs=1e-12)
    assert card["smooth_ece_votes"] == pytest.approx(smECE(q.max(axis=1), share), abs=1e-12)


def test_chaosnli_publishes_the_entropies_that_are_the_floor_here(data) -> None:
    with (data / "chaosnli" / "chaosNLI_snli.jsonl").open(encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    votes = Votes.from_counts([item["label_count"] for item in items], ["e", "n", "c"])
    card = score(np.full((len(items), 3), 1 / 3), votes, dialect="chaosnli")
    assert card.floor / np.log(2) == pytest.approx(np.mean([item["entropy"] for item in items]), abs=1e-9)
    majority = [["e", "n", "c"].index(item["majority_label"]) for item in items]
    one_hot = 0.98 * np.eye(3)[majority] + 0.02 / 3
    assert score(one_hot, votes, dialect="chaosnli").dialect["New Acc."] == pytest.approx(1, abs=card.ties / len(items))
