"""`check_adapter` passes plain torch in every way it can be run, and finds the ways that freeze or mix up labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler, TensorDataset

from small import BATCH, DELIVERIES, EPOCHS, RATE, VOTES, X, assert_same_model, linear
from votewise import VotewiseError, check_adapter, with_index
from votewise.adapters.torch import cross_entropy


def plain_torch(delivery, epochs: int, workers: int = 0, processes: int = 1, resume: bool = False) -> Iterator:
    """The loop of the README. A checkpoint inside an epoch is the epoch, the batch, and the seed of the sampler."""
    data = with_index(TensorDataset(torch.arange(len(delivery))), delivery.votes)
    for rank in range(processes):
        sampler = DistributedSampler(data, processes, rank, seed=5)
        loader = DataLoader(
            data, batch_size=7, sampler=sampler, num_workers=workers, persistent_workers=workers > 0,
            multiprocessing_context="spawn" if workers else None,
        )  # fmt: skip
        stops = [(0, epochs, 0)] if not resume else [(0, 1, 0), (1, 2, 0), (1, epochs, 3)]
        for first, last, skip in stops:
            for epoch in range(first, last):
                sampler.set_epoch(epoch)
                for batch, (x, target) in enumerate(delivery.over(loader, epoch)):
                    if resume and (first, last) == (1, 2) and batch == 3:
                        break  # stopped in the middle of epoch 1
                    if epoch > first or batch >= skip:
                        yield epoch, x, target


def without_workers(delivery, epochs: int, resume: bool = False, processes: int = 1) -> Iterator:
    return plain_torch(delivery, epochs, 0, processes, resume)


def test_plain_torch_keeps_the_contract() -> None:
    assert check_adapter(plain_torch, DELIVERIES["sls"]) == ("epochs", "workers", "resume", "processes")
    for name in ("multipass", "soft"):
        check_adapter(without_workers, DELIVERIES[name])


class Naive(Dataset):
    """Labels inside the dataset, and an epoch that persistent workers never hear of."""

    def __init__(self, delivery) -> None:
        self.delivery, self.epoch = delivery, 0

    def set_epoch(self, epoch: int) -> None:
        self.epoch = epoch

    def __len__(self) -> int:
        return len(self.delivery)

    def __getitem__(self, index: int) -> tuple[int, int]:
        return index, int(self.delivery.targets(np.array([index]), self.epoch)[0])


def naive(delivery, epochs: int, workers: int = 0) -> Iterator:
    data = Naive(delivery)
    loader = DataLoader(data, batch_size=8, num_workers=workers, persistent_workers=workers > 0)
    for epoch in range(epochs):
        data.set_epoch(epoch)
        for index, target in loader:
            yield epoch, index, target


def test_labels_frozen_by_persistent_workers_are_found() -> None:
    with pytest.raises(VotewiseError, match=r"in epoch 1 with workers=2, expected"):
        check_adapter(naive, DELIVERIES["sls"])


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (lambda d, e: ((t, np.arange(20), d.targets(np.arange(20), t)) for t in range(e)), "leaves out 12 targets"),
        (lambda d, e: ((t + 1, np.arange(24), d.table(t + 1)) for t in range(e)), "yields epoch 3"),
        (lambda d, e: ((t, np.arange(24), np.eye(3)[d.table(t)]) for t in range(e)), "shape"),
    ],
)  # fmt: skip
def test_what_is_left_out_or_misnamed_is_found(report, sentence: str) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        check_adapter(report, DELIVERIES["sls"])


@pytest.mark.parametrize("name", DELIVERIES)
def test_a_torch_loop_gives_the_weights_of_the_written_out_gradient(name: str) -> None:
    model, delivery = linear(), DELIVERIES[name]
    optimiser = torch.optim.SGD(model.parameters(), lr=RATE)
    loader = DataLoader(with_index(TensorDataset(torch.from_numpy(X)), VOTES), batch_size=BATCH)
    for epoch in range(EPOCHS):
        for x, target in delivery.over(loader, epoch):
            optimiser.zero_grad()
            cross_entropy(model(x), target).backward()
            optimiser.step()
    assert_same_model(model, delivery)


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_the_loss_is_the_soft_cross_entropy_in_any_precision(kind: torch.dtype) -> None:
    logits = linear()(torch.from_numpy(X)).to(kind)
    share = VOTES.probabilities()
    closed = -(share * logits.detach().double().log_softmax(1).numpy()).sum(axis=1).mean()
    assert cross_entropy(logits, torch.from_numpy(share).float()).item() == pytest.approx(closed, rel=1e-6)
