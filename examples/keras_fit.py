"""Keras 3, on torch (default) or JAX (KERAS_BACKEND=jax python keras_fit.py)."""

import os

os.environ.setdefault("KERAS_BACKEND", "torch")

import keras
import numpy as np

import votewise as vw
from votewise.adapters.keras import VotesDataset

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
words = sorted({word for text in texts for word in text.split()})
inputs = np.array([[word in text.split() for word in words] for text in texts], np.float32)  # yours: any features

keras.utils.set_random_seed(0)
model = keras.Sequential([keras.layers.Input((len(words),)), keras.layers.Dense(votes.num_classes)])
model.compile(keras.optimizers.SGD(0.5), keras.losses.CategoricalCrossentropy(from_logits=True))

data = VotesDataset(inputs[:25], vw.SLS(votes[:25], seed=0), batch_size=10, outputs=model.output_shape[-1])
held_out = (inputs[25:], votes[25:].probabilities())  # val_loss is the soft NLL
history = model.fit(data, epochs=30, callbacks=[data.callback], validation_data=held_out, verbose=0)
print("validation loss", history.history["val_loss"][-1])
print("soft NLL", vw.score(model.predict(inputs[25:], verbose=0), votes[25:], kind="logits")["soft_nll"])
