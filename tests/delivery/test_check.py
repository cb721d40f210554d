"""check_delivery finds what it is there to find: each of these deliveries breaks one promise."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from votewise.delivery import Majority, check_delivery
from votewise.errors import VotewiseError
from votewise.votes import Votes

VOTES = Votes.from_counts(np.arange(60).reshape(20, 3) % 7 + 1)


@dataclass
class Own:
    """A delivery of one's own: no base class needed."""

    kind: str = "hard"
    num_classes: int = 3

    def __len__(self) -> int:
        return 20

    def targets(self, index, epoch):
        return (np.asarray(index) + epoch) % 3


def test_a_pure_function_passes() -> None:
    class ForTorchToo(Own):
        def targets(self, index, epoch):
            return (index + epoch) % 3

    check_delivery(ForTorchToo())


def test_torch_is_checked_even_if_it_is_not_loaded() -> None:
    program = "from test_check import NumpyAlways, check_delivery; check_delivery(NumpyAlways())"
    here = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here.parent / "support"), *sys.path])}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert "does not return a torch tensor for a torch index" in done.stderr


class Stateful(Own):
    calls = 0

    def targets(self, index, epoch):
        self.calls += 1
        return (np.asarray(index) + self.calls) % 3


class ByPosition(Own):
    def targets(self, index, epoch):
        return (np.arange(len(index)) + epoch) % 3


class ByBatch(Own):
    def targets(self, index, epoch):
        return (np.asarray(index) + epoch + (len(index) == 3)) % 3


class FrozenEpoch(Own):
    def targets(self, index, epoch):
        return (np.asarray(index) + np.max(epoch, initial=0)) % 3


class OutOfRange(Own):
    def targets(self, index, epoch):
        return np.asarray(index) + epoch


class Column(Own):
    def targets(self, index, epoch):
        return ((np.asarray(index) + epoch) % 3)[:, None]


class FloatLabels(Own):
    def targets(self, index, epoch):
        return (np.asarray(index) + epoch) % 3.0


class NoDistribution(Own):
    def targets(self, index, epoch):
        return np.full((len(index), 3), 0.5, dtype=np.float32)


class NumpyAlways(Own):
    pass


@dataclass(frozen=True, eq=False)
class ByNeighbour(Majority):
    def make_tables(self):
        return {"majority": np.roll(self.votes.majority(), 1)}


@pytest.mark.parametrize(
    ("delivery", "promise"),
    [
        (Stateful(), "earlier calls"),
        (ByPosition(), "order of the examples"),
        (ByBatch(), "batch that contains an example"),
        (FrozenEpoch(), "one epoch per example"),
        (OutOfRange(), "outside 0 to 2"),
        (Column(), r"shape \(20, 1\).* integers \[20\]"),
        (FloatLabels(), "type float64"),
        (NoDistribution(kind="soft"), "not distributions"),
        (Own(kind="warm"), "kind 'warm'"),
        (NumpyAlways(), "not return a torch tensor"),
        (ByNeighbour(VOTES), "other items are removed"),
        (ByNeighbour(Votes.from_counts([[2, 0], [0, 2]])), "other items are removed"),
    ],
)
def test_a_broken_promise_is_named(delivery, promise: str) -> None:
    with pytest.raises(VotewiseError, match=promise):
        check_delivery(delivery)
