"""Real Keras 3 on torch here, and on JAX in a process of its own, because the backend is chosen once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keras
import numpy as np
import pytest
from small import BATCH, BIAS, DELIVERIES, EPOCHS, RATE, VOTES, WEIGHT, C, D, X, plain_loop

from votewise import StaleLabelsError, VotewiseError, check_adapter
from votewise.adapters.keras import VotesDataset

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy:DeprecationWarning")
LOSS = keras.losses.CategoricalCrossentropy(from_logits=True)


def compiled(outputs: int = C) -> keras.Model:
    model = keras.Sequential([keras.layers.Input((D,), dtype="float64"), keras.layers.Dense(outputs, dtype="float64")])
    model.compile(keras.optimizers.SGD(RATE), LOSS)
    if outputs == C:
        model.set_weights([WEIGHT.T, BIAS])
    return model


class Noting(VotesDataset):
    def __getitem__(self, number: int):
        x, target = super().__getitem__(number)
        index = np.argmax((self.x[None] == x[:, None]).all(axis=2), axis=1)
        if self._announced:
            self.seen.append(
                (self.targets.epoch, index, target.argmax(axis=1) if self.delivery.kind == "hard" else target)
            )
        return x, target


def run(delivery, epochs: int, workers: int = 1, resume: bool = False) -> Iterator:
    data = Noting(X, delivery, BATCH, workers=workers)
    data.seen = []
    compiled().fit(data, epochs=2 if resume else epochs, callbacks=[data.callback], verbose=0)
    if resume:
        compiled().fit(data, initial_epoch=2, epochs=epochs, callbacks=[data.callback], verbose=0)
    return iter(data.seen)


@pytest.mark.parametrize(
    "name", ["sls", *(pytest.param(name, marks=pytest.mark.full) for name in ("multipass", "soft"))]
)
def test_labels_equal_the_tape_with_workers_and_after_resume(name: str) -> None:
    assert check_adapter(run, DELIVERIES[name]) == ("epochs", "workers", "resume")


@pytest.mark.parametrize("name", DELIVERIES)
def test_training_equals_the_plain_loop(name: str) -> None:
    data = VotesDataset(X, DELIVERIES[name], BATCH)
    orders = []
    for epoch in range(EPOCHS):
        data.begin(epoch)
        orders.append(data._order)
    assert (orders[0] != orders[1]).any()
    model = compiled()
    model.fit(data, epochs=EPOCHS, callbacks=[data.callback], verbose=0, shuffle=False)
    weight, bias = plain_loop(DELIVERIES[name], lambda epoch: orders[epoch])
    np.testing.assert_allclose(model.get_weights()[0].T, weight, rtol=0, atol=1e-6)  # the rate of Keras is a float32
    np.testing.assert_allclose(model.get_weights()[1], bias, rtol=0, atol=1e-6)


def test_the_validation_loss_is_the_soft_nll() -> None:
    logits = X @ WEIGHT.T + BIAS
    closed = -(VOTES.probabilities() * (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))).sum(axis=1).mean()
    assert compiled().evaluate(X, VOTES.probabilities(), verbose=0, batch_size=7) == pytest.approx(closed, rel=1e-5)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_forgotten_callback_is_noticed_on_the_first_batch(workers: int) -> None:
    with pytest.raises(StaleLabelsError, match=r"callbacks=\[data.callback\]"):
        compiled().fit(VotesDataset(X, DELIVERIES["sls"], BATCH, workers=workers), epochs=1, verbose=0)


def test_wrong_use_is_one_sentence_before_the_first_step() -> None:
    with pytest.raises(VotewiseError, match="23 examples and the votes have 24 items"):
        VotesDataset(X[1:], DELIVERIES["sls"])
    with pytest.raises(VotewiseError, match="5 outputs and the votes have 3 classes"):
        VotesDataset(X, DELIVERIES["sls"], outputs=compiled(5).output_shape[-1])
    with pytest.raises(VotewiseError, match="another order"):
        VotesDataset(X, DELIVERIES["sls"], ids=VOTES.names()[::-1])


@pytest.mark.parametrize("name", ["sls", "soft"])
def test_keras_itself_refuses_a_head_of_another_size_before_the_first_step(name: str) -> None:
    """Targets are rows [C] for every delivery, so that no head takes them for class numbers."""
    model, data = compiled(5), VotesDataset(X, DELIVERIES[name], BATCH)
    before = model.get_weights()
    with pytest.raises(ValueError, match="must have the same shape"):
        model.fit(data, epochs=1, callbacks=[data.callback], verbose=0)
    for one, other in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.skipif(keras.backend.backend() == "jax", reason="this is the process on JAX")
def test_the_same_facts_hold_on_jax() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        __file__,
        "-k",
        "tape or loop[sls] or loop[soft] or head",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "KERAS_BACKEND": "jax", "JAX_ENABLE_X64": "1"},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stdout[-3000:]
