"""Lightning: a callback provides the epoch, and scores are logged during training."""

import lightning.pytorch as pl
import torch

import votewise as vw
from votewise.adapters.lightning import VotesCallback

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
words = sorted({word for text in texts for word in text.split()})
inputs = torch.tensor([[float(word in text.split()) for word in words] for text in texts])  # yours: any features
train = torch.utils.data.DataLoader(vw.with_index(inputs[:25], votes[:25]), batch_size=10, shuffle=True)
test = torch.utils.data.DataLoader(vw.with_index(inputs[25:], votes[25:]), batch_size=10)
deliver = VotesCallback(vw.Multipass(votes[:25], seed=0))


class Classifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer, self.scores = torch.nn.Linear(len(words), 3), vw.SoftScores(votes[25:], ["soft_nll"], prefix="val_")

    def training_step(self, batch, _):  # (index, x)
        return deliver.loss(self.layer(batch[1]), batch[0])

    def validation_step(self, batch, _):
        self.scores.update(self.layer(batch[1]), batch[0])

    def on_validation_epoch_end(self):
        self.log_dict(self.scores.compute())
        self.scores.reset()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.5)


pl.Trainer(max_epochs=30, callbacks=[deliver], accelerator="cpu", logger=False).fit(model := Classifier(), train, test)
print("soft NLL", vw.score(model.layer(inputs[25:]).softmax(1), votes[25:])["soft_nll"])
