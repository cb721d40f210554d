"""skorch: fit(X) on a delivery; the validation loss is the soft NLL on held-out items."""

import numpy as np
import torch

import votewise as vw
from votewise.adapters.skorch import VotesNet

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
words = sorted({word for text in texts for word in text.split()})
inputs = np.array([[word in text.split() for word in words] for text in texts], np.float32)  # yours: any features

torch.manual_seed(0)
shape = {"module__in_features": len(words), "module__out_features": votes.num_classes}
net = VotesNet(torch.nn.Linear, **shape, delivery=vw.Multipass(votes[:25], seed=0), lr=0.5, max_epochs=30, batch_size=8)
net.fit(inputs[:25])
print("soft NLL", vw.score(net.predict_proba(inputs[25:]), votes[25:])["soft_nll"])
