"""Plain torch: labels that change with persistent workers, and a naive dataset whose labels silently stop changing."""

import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

import votewise as vw

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
words = sorted({word for text in texts for word in text.split()})
inputs = torch.tensor([[float(word in text.split()) for word in words] for text in texts])  # yours: any features

torch.manual_seed(0)
model = torch.nn.Linear(len(words), votes.num_classes)
optimiser = torch.optim.SGD(model.parameters(), lr=0.5)
delivery = vw.SLS(votes[:25], seed=0)
workers = {"num_workers": 1, "persistent_workers": True}
loader = DataLoader(vw.with_index(TensorDataset(inputs[:25]), votes[:25]), batch_size=10, shuffle=True, **workers)
for epoch in range(30):
    for x, target in delivery.over(loader, epoch):  # looked up here: the loader carries positions only
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(model(x), target).backward()
        optimiser.step()


class Naive(Dataset):  # do not do this: the worker has a copy, so it does not receive the next epoch
    def __len__(self):
        return 25

    def __getitem__(self, index):
        return int(delivery.targets([index], self.epoch)[0])


frozen = DataLoader(naive := Naive(), batch_size=25, **workers)
for naive.epoch in range(2):
    labels = next(iter(frozen))
print("naive labels of epoch 1 are those of epoch 0:", (labels.numpy() == delivery.table(0)).all())
print("soft NLL", vw.score(model(inputs[25:]).softmax(1), votes[25:])["soft_nll"])
