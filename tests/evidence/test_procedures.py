"""What deliveries hand out is what the paper says, and one that does something else is found out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from strategies import votes
from votewise.delivery import SLS, Multipass, ShuffledSLS
from votewise.evidence.claims import procedures
from votewise.votes import Votes, example_votes

EXAMPLE = procedures.for_tapes(example_votes())


@settings(max_examples=8)
@given(votes())
def test_they_hold_on_any_votes(v: Votes) -> None:
    found = procedures.procedures(v) if len(v) > 1 else {}
    assert {finding.outcome for finding in found.values()} <= {"holds"}


def test_tapes_are_made_of_a_part_of_large_votes_and_of_the_example_where_there_are_no_single_ones() -> None:
    large = Votes.from_counts([[2000, 1]] + [[3, 1]] * 600)
    part = procedures.for_tapes(large)
    assert len(part) == 400
    assert part.votes_per_item.max() == 4
    for without in (large.distributions(), Votes.from_long(list("aab"), list("xyx"), weight=[1, 2, 1])):
        assert procedures.for_tapes(without).fingerprint == example_votes().fingerprint


class Drawn(SLS):
    """Draws where it should pass through the votes."""


class Skipping(Multipass):
    """Never comes to the last vote."""

    def compute(self, xp, tables, index, epoch):
        size = np.maximum(tables["size"][index] - 1, 1)
        return tables["label"][tables["start"][index] + epoch % size]


class Unpaired(ShuffledSLS):
    """Gives the first distribution to everybody."""

    def donors(self):
        return np.zeros(len(self.votes), np.int64)


class Unmoved(ShuffledSLS):
    """Permutes nothing."""

    def donors(self):
        return np.arange(len(self.votes))


class Uniform(SLS):
    """Draws every class alike."""

    def compute(self, xp, tables, index, epoch):
        bits = xp.draw(tables["key"], epoch // self.resample_every, tables["row"][index])
        return xp.below(bits, self.num_classes)


class Restless(SLS):
    """Draws every epoch whatever was asked."""

    def compute(self, xp, tables, index, epoch):
        return self.draw(xp, tables, index, xp.draw(tables["key"], epoch, tables["row"][index]))


@pytest.mark.parametrize(
    ("name", "delivery", "other"),
    [
        ("P1", "Multipass", Skipping),
        ("P1", "Multipass", Drawn),
        ("P2", "Deterministic", Multipass),
        ("P3", "ShuffledSLS", Unpaired),
        ("P3", "ShuffledSLS", Unmoved),
        ("P4", "SLS", Uniform),
        ("P4", "SLS", Restless),
    ],
    ids=["skipping", "drawn", "same-seed", "unpaired", "unmoved", "uniform", "restless"],
)
def test_another_delivery_is_found_out(monkeypatch: pytest.MonkeyPatch, name: str, delivery: str, other: type) -> None:
    assert procedures.PROCEDURES[name](EXAMPLE).outcome == "holds"
    monkeypatch.setattr(procedures, delivery, other)
    finding = procedures.PROCEDURES[name](EXAMPLE)
    assert finding.outcome == "does not hold"
    assert finding.why.startswith("not so: ")


def test_nested_sub_samples_are_not_the_independent_ones_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Votes.from_counts(np.random.default_rng(2).multinomial(60, [0.5, 0.3, 0.2], size=100))
    assert procedures.p5(many).outcome == "holds"
    monkeypatch.setattr(Votes, "resample", Votes.subsample)
    assert procedures.p5(many).outcome == "does not hold"
