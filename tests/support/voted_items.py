"""A torch dataset whose items have votes and labels, in a separate module that spawned workers can import."""

from __future__ import annotations

from torch.utils.data import Dataset

from votewise import Delivery, Votes


class VotedItems(Dataset):
    def __init__(self, votes: Votes, delivery: Delivery, epoch: int) -> None:
        self.votes, self.delivery, self.epoch = votes, delivery, epoch

    def __len__(self) -> int:
        return len(self.votes)

    def __getitem__(self, index: int) -> tuple[int, list[int], object]:
        """The item, its votes by class, and its target."""
        return index, self.votes.counts([index])[0].tolist(), self.delivery.targets([index], self.epoch)[0]
