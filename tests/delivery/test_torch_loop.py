"""The face for plain torch: a real DataLoader with real workers, over a whole data set and over a subset."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, DistributedSampler, Subset, TensorDataset

from voted_items import VotedItems
from votewise.delivery import SLS, Multipass, Soft, deliver, with_index
from votewise.errors import VotewiseError
from votewise.votes import Votes

N = 60
VOTES = Votes.from_counts(np.random.default_rng(0).multinomial(5, [0.5, 0.3, 0.2], size=N))
DATASET = TensorDataset(torch.arange(N).float(), torch.zeros(N))  # x says which example it is; the label is dropped


def delivered(loader, delivery, epoch: int) -> dict[int, object]:
    pairs = [
        (int(x), target.tolist())
        for batch, targets in delivery.over(loader, epoch)
        for x, target in zip(batch, targets, strict=True)
    ]
    return dict(pairs)


def expected(delivery, epoch: int, items=range(N)) -> dict[int, object]:
    return {i: delivery.targets(torch.tensor([i]), epoch)[0].tolist() for i in items}


@pytest.mark.parametrize("name", ["sls", "multipass", "soft"])
def test_every_worker_hears_every_epoch(name: str) -> None:
    delivery = deliver(name, VOTES, seed=1)
    loader = DataLoader(
        with_index(DATASET, VOTES), batch_size=7, shuffle=True, num_workers=2, persistent_workers=True,
        generator=torch.Generator().manual_seed(0), multiprocessing_context="forkserver",
    )  # fmt: skip
    seen = [delivered(loader, delivery, epoch) for epoch in range(3)]
    assert seen == [expected(delivery, epoch) for epoch in range(3)]
    if name == "sls":
        assert seen[0] != seen[1]


def test_spawned_workers_deliver_the_same_labels() -> None:
    items = VotedItems(VOTES, SLS(VOTES, seed=1), epoch=3)
    spawned = DataLoader(items, batch_size=7, num_workers=2, multiprocessing_context="spawn")
    for here, there in zip(DataLoader(items, batch_size=7), spawned, strict=True):
        assert repr(there) == repr(here)


@pytest.mark.parametrize("fields", [(torch.zeros(N), torch.zeros(N)), (torch.zeros(N, 3),)])
def test_only_the_label_of_a_pair_is_dropped(fields: tuple[torch.Tensor, ...]) -> None:
    dataset = TensorDataset(torch.arange(N), *fields)
    with pytest.raises(VotewiseError, match=r"fields, which are not an input and a class.*x=lambda"):
        with_index(dataset, VOTES)[0]
    loader = DataLoader(with_index(dataset, VOTES, x=lambda example: example), batch_size=N)
    (((first, *others), _),) = Soft(VOTES).over(loader, 0)
    assert first.tolist() == list(range(N))
    assert len(others) == len(fields)


def test_a_subset_before_or_after_gives_the_same_labels() -> None:
    index = list(range(40, 5, -3))
    whole, part = SLS(VOTES, seed=2), SLS(VOTES.select(index), seed=2)
    after = DataLoader(Subset(with_index(DATASET, VOTES), index), batch_size=4)
    before = DataLoader(with_index(Subset(DATASET, index), VOTES.select(index)), batch_size=4)
    assert delivered(after, whole, 3) == delivered(before, part, 3) == expected(whole, 3, index)


def test_ranks_share_the_labels_of_one_process() -> None:
    delivery, together = Multipass(VOTES, seed=0), {}
    for rank in range(2):
        data = with_index(DATASET, VOTES)
        sampler = DistributedSampler(data, num_replicas=2, rank=rank, shuffle=True)
        together |= delivered(DataLoader(data, batch_size=8, sampler=sampler), delivery, 4)
    assert together == expected(delivery, 4)


def test_training_on_what_it_delivers_learns_the_votes() -> None:
    """A linear model with one weight per item and class ends at the vote shares, by soft labels and by sampled ones."""
    for delivery in (Soft(VOTES), SLS(VOTES, seed=0)):
        logits = torch.zeros(N, 3, requires_grad=True)
        optimiser = torch.optim.SGD([logits], lr=20.0)
        loader = DataLoader(with_index(DATASET, VOTES), batch_size=N)
        for epoch in range(300):
            for x, target in delivery.over(loader, epoch):
                loss = torch.nn.functional.cross_entropy(logits[x.long()], target)
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                optimiser.param_groups[0]["lr"] = 20.0 / (1 + epoch / 10)
        error = (logits.detach().softmax(1).numpy() - VOTES.probabilities()).mean(axis=0)
        assert np.abs(error).max() < 0.03


def test_what_cannot_be_paired_is_refused() -> None:
    with pytest.raises(VotewiseError, match=r"59 examples, but the votes have 60 items.*votes\.align"):
        with_index(Subset(DATASET, range(59)), VOTES)
    with pytest.raises(VotewiseError, match="map-style"):
        with_index(iter(DATASET), VOTES)
    with pytest.raises(VotewiseError, match="with_index"):
        next(SLS(VOTES).over([torch.zeros(3)], 0))
    few = SLS(VOTES.select(np.arange(10)))
    with pytest.raises(VotewiseError, match="60 examples, but the votes have 10 items"):
        next(few.over(DataLoader(with_index(DATASET, VOTES), batch_size=60), 0))
    with pytest.raises(VotewiseError, match="index 59 is out of range for the 10 items"):
        next(few.over([(torch.arange(60), torch.zeros(60))], 0))
