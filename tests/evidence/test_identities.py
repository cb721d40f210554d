"""Proposition 1 calculated anew holds, and a delivery that is not what it says is found out."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from votewise.delivery import SLS, Majority
from votewise.evidence import identities as calculated
from votewise.evidence.claims.procedures import for_tapes
from votewise.votes import Distributions, Votes, example_votes

identities = sys.modules["votewise.evidence.claims.identities"]
NAMES = ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "P1", "P2", "P3", "P4", "P5"]


def test_everything_holds_on_the_example_votes() -> None:
    found = calculated()
    assert list(found) == NAMES
    assert {name: finding.outcome for name, finding in found.items()} == dict.fromkeys(NAMES, "holds")
    assert all("nan" not in finding.why for finding in found.values())


@pytest.mark.parametrize(
    "votes",
    [
        Votes.from_counts(np.random.default_rng(1).multinomial(20, [0.6, 0.3, 0.1], size=500)),
        Votes.from_counts([[3, 0], [0, 2], [0, 0], [5, 0]]),  # unanimous, and an item that nobody voted on
        Distributions([[0.2, 0.8], [0.5, 0.5], [1.0, 0.0]]),
        Votes.from_long(list("aabbc"), list("xyxyx"), weight=[1, 2, 1, 1, 1]),
    ],
    ids=["many", "unanimous", "distributions", "weighted"],
)
def test_everything_holds_on_any_votes(votes: Votes | Distributions) -> None:
    at_hand = votes.voted() if isinstance(votes, Votes) else votes
    assert identities.m6(at_hand).outcome == "holds"
    assert identities.m7(for_tapes(at_hand)).outcome == "holds"


def test_the_extra_variance_follows_entropy_as_scipy_says() -> None:
    p = example_votes().probabilities()
    expected = stats.spearmanr(np.round(1 - (p**2).sum(axis=1), 12), np.round(stats.entropy(p, axis=1), 12)).statistic
    assert f"over 400 items {expected:.3f}" in identities.m6(example_votes()).why
    assert "no correlation" in identities.m6(Votes.from_counts([[3, 0], [0, 2]])).why


def test_on_cifar10h_everything_holds_and_the_extra_variance_is_nearly_the_entropy(data) -> None:
    found = calculated(Votes.from_counts(np.load(data / "cifar10h" / "cifar10h-counts.npy")))
    assert {finding.outcome for finding in found.values()} == {"holds"}
    assert "over 10,000 items 0.999" in found["M6"].why


def test_labels_that_are_not_drawn_from_the_votes_break_what_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities, "SLS", Majority)
    tapes = for_tapes(example_votes())
    found = {
        "M1": identities.m1(),
        "M2": identities.m2(),
        "M3": identities.m3(),
        "M5": identities.m5(),
        "M7": identities.m7(tapes),
    }
    assert {name: finding.outcome for name, finding in found.items()} == dict.fromkeys(found, "does not hold")


def test_a_slight_bias_is_found_over_a_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tilted(SLS):
        """One label in twenty is class 0, whatever people said."""

        def compute(self, xp, tables, index, epoch):
            labels = super().compute(xp, tables, index, epoch)
            return np.where((np.asarray(index) + epoch) % 20 == 0, 0, labels)

    monkeypatch.setattr(identities, "SLS", Tilted)
    assert identities.m7(for_tapes(example_votes())).outcome == "does not hold"


def test_without_torch_two_of_them_say_that_they_were_not_calculated() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from votewise.evidence import identities\n"
        "print(*(name for name, found in identities().items() if found.outcome == 'undecided'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["M2", "M4"]


def test_the_room_opens_without_torch_scipy_or_polars() -> None:
    code = "import sys, votewise.evidence; print(*{'torch', 'scipy', 'polars'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
