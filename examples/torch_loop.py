"""Plain torch: labels that persistent workers cannot freeze, and the wrapper with `set_epoch` that they do."""

import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

import votewise as vw

votes = vw.example_votes()
inputs = torch.from_numpy(votes.probabilities()).float()  # yours: features of the items
model = torch.nn.Linear(inputs.shape[1], votes.num_classes)
optimiser = torch.optim.SGD(model.parameters(), lr=0.5)
delivery = vw.SLS(votes, seed=0)

workers = {"num_workers": 1, "persistent_workers": True}
loader = DataLoader(vw.with_index(TensorDataset(inputs), votes), batch_size=64, shuffle=True, **workers)
for epoch in range(5):
    for x, target in delivery.over(loader, epoch):  # looked up here: the loader carries positions only
        loss = torch.nn.functional.cross_entropy(model(x), target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
print("soft NLL", vw.score(model(inputs).softmax(1), votes)["soft_nll"])


class Naive(Dataset):  # do not do this
    epoch = 0

    def __len__(self):
        return len(votes)

    def __getitem__(self, index):
        return int(delivery.targets([index], self.epoch)[0])


naive = Naive()
frozen = DataLoader(naive, batch_size=len(votes), **workers)
for naive.epoch in range(2):  # the worker has a copy of the dataset, and never hears of it
    labels = next(iter(frozen))
print("naive labels of epoch 1 are those of epoch 0:", (labels.numpy() == delivery.table(0)).all())
