"""skorch: fit(X) on a delivery; the validation loss is the soft NLL of items set aside."""

import numpy as np
import torch

import votewise as vw
from votewise.adapters.skorch import VotesNet

votes = vw.example_votes()
inputs = votes.probabilities().astype(np.float32)  # yours: features of the items

shape = {"module__in_features": inputs.shape[1], "module__out_features": votes.num_classes}
net = VotesNet(torch.nn.Linear, **shape, delivery=vw.Multipass(votes, seed=0), lr=0.5, max_epochs=5, batch_size=64)
net.fit(inputs)
print("soft NLL", vw.score(net.predict_proba(inputs), votes)["soft_nll"])
