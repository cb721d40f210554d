"""The guard: labels of the epoch that a framework is in, or an error on the first batch of another one."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

from small import DELIVERIES, VOTES, C, N
from votewise import SLS, Multipass, StaleLabelsError, Targets, VotewiseError, with_index

DATASET = with_index(TensorDataset(torch.arange(N)), VOTES)


@pytest.mark.parametrize("name", DELIVERIES)
@pytest.mark.parametrize("drop_last", [False, True])
def test_labels_equal_the_tape_in_every_epoch(name: str, drop_last: bool) -> None:
    targets = Targets(DELIVERIES[name])
    loader = DataLoader(DATASET, batch_size=7, shuffle=True, drop_last=drop_last)
    for epoch, table in enumerate(DELIVERIES[name].tape(4)):
        targets.start(epoch)
        for index, x in loader:
            np.testing.assert_array_equal(targets(index).numpy(), table[x])


@pytest.mark.parametrize("drop_last", [False, True])
def test_the_first_batch_of_another_epoch_is_refused(drop_last: bool) -> None:
    targets = Targets(DELIVERIES["sls"])
    loader = DataLoader(DATASET, batch_size=7, shuffle=True, drop_last=drop_last)
    targets.start(0)
    for index, _ in loader:
        targets(index)
    index, _ = next(iter(loader))
    with pytest.raises(StaleLabelsError, match=r"labels of epoch 0; call targets\.start"):
        targets(index)
    targets.start(1)
    targets(index)


def test_a_rank_notices_the_end_of_its_share() -> None:
    targets = Targets(DELIVERIES["sls"], processes=2)
    targets.start(0)
    half = torch.arange(N)[::2]
    for index in half.split(5):
        targets(index)
    with pytest.raises(StaleLabelsError):
        targets(half[:5])


def test_a_rank_may_pad_its_last_batch() -> None:
    targets = Targets(DELIVERIES["sls"], processes=2)
    targets.start(0)
    for index in ([0, 1, 2, 3, 4, 5, 6, 7], [16, 17, 18, 0, 1, 2, 3, 4]):
        targets(np.array(index))


def test_no_epoch_was_started() -> None:
    with pytest.raises(StaleLabelsError, match="no epoch was started"):
        Targets(DELIVERIES["sls"])(np.array([0]))


def test_a_batch_may_come_twice_for_a_closure_and_examples_on_purpose() -> None:
    targets = Targets(DELIVERIES["sls"])
    targets.start(0)
    targets(np.array([1, 2]))
    targets(np.array([1, 2]))
    drawn = Targets(DELIVERIES["sls"], repeats=True)
    drawn.start(0)
    for index, _ in DataLoader(DATASET, batch_size=9, sampler=RandomSampler(DATASET, replacement=True, num_samples=90)):
        drawn(index)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: Targets(VOTES), "expected a delivery, got Votes"),
        (lambda: Targets(DELIVERIES["sls"], outputs=C + 1), "4 outputs, but the votes have 3 classes"),
        (lambda: Targets(DELIVERIES["sls"], ids=reversed(VOTES.names())), r"a different order .* use votes\.align"),
        (
            lambda: with_index(np.zeros((N, 2)), VOTES, ids=VOTES.names()[::-1]),
            r"a different order .* use votes\.align",
        ),
        (lambda: Targets(DELIVERIES["sls"], ids=VOTES.names()[:5]), "5 ids for 24 items"),
        (lambda: Multipass(VOTES.distributions()), "needs votes, but only probabilities are given"),
        (lambda: Targets([0, 1]), "expected a delivery, got list"),
    ],
)
def test_wrong_use_is_one_sentence_at_construction(build, sentence: str) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        build()


def test_votes_in_the_order_of_the_data_are_accepted() -> None:
    ids = VOTES.names()[::-1]
    Targets(SLS(VOTES.align(ids)), ids=ids)


def test_over_refuses_a_loader_in_another_order_than_its_votes() -> None:
    other = VOTES.align(VOTES.names()[::-1])
    for votes, sentence in ((other, "a different order"), (VOTES[:5], "24 examples, but the votes have 5 items")):
        with pytest.raises(VotewiseError, match=sentence):
            next(SLS(votes).over(DataLoader(DATASET), 0))
    same = SLS(VOTES.distributions())  # other answers on the same items
    assert len(list(same.over(DataLoader(DATASET, num_workers=1), 0))) == N


def test_class_numbers_in_place_of_positions_are_refused_on_the_first_batch() -> None:
    targets = Targets(DELIVERIES["sls"])
    targets.start(0)
    with pytest.raises(VotewiseError, match="contains an example twice"):
        targets(torch.tensor([0, 1, 1, 2]))
