"""Keras 3, on torch or JAX: KERAS_BACKEND=jax python keras_fit.py."""

import os

os.environ.setdefault("KERAS_BACKEND", "torch")

import keras
import numpy as np

import votewise as vw
from votewise.adapters.keras import VotesDataset

votes = vw.example_votes()
inputs = votes.probabilities().astype(np.float32)  # yours: features of the items

model = keras.Sequential([keras.layers.Input((inputs.shape[1],)), keras.layers.Dense(votes.num_classes)])
model.compile(keras.optimizers.SGD(0.5), keras.losses.CategoricalCrossentropy(from_logits=True))

data = VotesDataset(inputs, vw.SLS(votes, seed=0), batch_size=64, outputs=model.output_shape[-1])
held_out = (inputs, votes.probabilities())  # val_loss is the soft NLL
history = model.fit(data, epochs=5, callbacks=[data.callback], validation_data=held_out, verbose=0)
print("validation loss", history.history["val_loss"])
print("soft NLL", vw.score(model.predict(inputs, verbose=0), votes, kind="logits")["soft_nll"])
