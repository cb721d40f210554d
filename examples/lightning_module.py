"""Lightning: a callback knows the epoch; scores are logged while training."""

import lightning.pytorch as lightning
import torch
from torch.utils.data import DataLoader, TensorDataset

import votewise as vw
from votewise.adapters.lightning import VotesCallback

votes = vw.example_votes()
inputs = torch.from_numpy(votes.probabilities()).float()  # yours: features of the items
data = vw.with_index(TensorDataset(inputs), votes)
deliver = VotesCallback(vw.Multipass(votes, seed=0))


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(inputs.shape[1], votes.num_classes)
        self.scores = vw.SoftScores(votes, ["soft_nll", "kl"], prefix="val_")

    def training_step(self, batch, _):  # (index, x)
        return deliver.loss(self.layer(batch[1]), batch[0])

    def validation_step(self, batch, _):
        self.scores.update(self.layer(batch[1]), batch[0])

    def on_validation_epoch_end(self):
        self.log_dict(self.scores.compute())
        self.scores.reset()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.5)


model = Classifier()
trainer = lightning.Trainer(max_epochs=5, callbacks=[deliver], accelerator="cpu", logger=False)
trainer.fit(model, DataLoader(data, batch_size=64, shuffle=True), DataLoader(data, batch_size=64))
print("soft NLL", vw.score(model.layer(inputs).softmax(1), votes)["soft_nll"])
