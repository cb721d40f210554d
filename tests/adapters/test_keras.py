"""Real Keras 3 on torch here, and on JAX in a process of its own, because the backend is chosen once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import keras
import numpy as np
import pytest

from small import BATCH, BIAS, DELIVERIES, EPOCHS, RATE, VOTES, WEIGHT, C, D, X, plain_loop
from votewise import StaleLabelsError, VotewiseError, check_adapter
from votewise.adapters.keras import VotesDataset

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy:DeprecationWarning")
LOSS = keras.losses.CategoricalCrossentropy(from_logits=True, dtype="float64")
TWO_DEVICES = "--xla_force_host_platform_device_count=2"
ON_JAX = keras.backend.backend() == "jax"


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


class StopAt(keras.callbacks.Callback):
    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step

    def on_train_batch_end(self, batch: int, logs=None) -> None:
        self.step -= 1
        if self.step == 0:
            raise KeyboardInterrupt


def run(delivery, epochs: int, workers: int = 1, resume: bool = False) -> Iterator:
    """Resumed: stopped after 6 steps of 4 an epoch. Keras takes up epoch 1 from its start."""
    data = Noting(X, delivery, BATCH, workers=workers)
    data.seen = []
    if not resume:
        compiled().fit(data, epochs=epochs, callbacks=[data.callback], verbose=0)
        return iter(data.seen)
    with TemporaryDirectory() as folder:
        for stop in ([StopAt(6)], []):
            backup = keras.callbacks.BackupAndRestore(folder, save_freq=1)
            with suppress(KeyboardInterrupt):
                compiled().fit(data, epochs=epochs, callbacks=[backup, data.callback, *stop], verbose=0)
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
    assert_weights(model, *plain_loop(DELIVERIES[name], lambda epoch: orders[epoch]))


def assert_weights(model: keras.Model, weight: np.ndarray, bias: np.ndarray) -> None:
    atol = 1e-12 if ON_JAX else 1e-6  # on torch, the outputs of a float64 model are those of float32 (an error of 2e-7)
    np.testing.assert_allclose(model.get_weights()[0].T, weight, rtol=0, atol=atol)
    np.testing.assert_allclose(model.get_weights()[1], bias, rtol=0, atol=atol)


@pytest.mark.skipif(not ON_JAX, reason="Keras distributes over devices on JAX alone; the process on JAX runs this")
def test_two_devices_give_the_weights_of_the_plain_loop() -> None:
    import jax

    assert len(jax.devices()) == 2
    keras.distribution.set_distribution(keras.distribution.DataParallel())
    try:
        model, data = compiled(), VotesDataset(X, DELIVERIES["sls"], BATCH, shuffle=False)
        model.fit(data, epochs=EPOCHS, callbacks=[data.callback], verbose=0, shuffle=False)
    finally:
        keras.distribution.set_distribution(None)
    assert_weights(model, *plain_loop(DELIVERIES["sls"]))


def test_a_model_with_several_inputs_gets_the_rows_of_each() -> None:
    data = VotesDataset({"whole": X, "first": X[:, :1]}, DELIVERIES["sls"], BATCH)
    data.begin(2)
    for batch in range(len(data)):
        x, target = data[batch]
        index = np.argmax((x["whole"][None] == X[:, None]).all(axis=2), axis=0)
        np.testing.assert_array_equal(x["first"], X[index, :1])
        np.testing.assert_array_equal(target.argmax(axis=1), DELIVERIES["sls"].table(2)[index])
    with pytest.raises(VotewiseError, match="3 examples, but the votes have 24 items"):
        VotesDataset([X, X[:3]], DELIVERIES["sls"])


def test_the_validation_loss_is_the_soft_nll() -> None:
    logits = X @ WEIGHT.T + BIAS
    closed = -(VOTES.probabilities() * (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))).sum(axis=1).mean()
    assert compiled().evaluate(X, VOTES.probabilities(), verbose=0, batch_size=7) == pytest.approx(closed, rel=1e-5)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_forgotten_callback_is_noticed_on_the_first_batch(workers: int) -> None:
    with pytest.raises(StaleLabelsError, match=r"callbacks=\[data.callback\]"):
        compiled().fit(VotesDataset(X, DELIVERIES["sls"], BATCH, workers=workers), epochs=1, verbose=0)


@pytest.mark.parametrize("workers", [1, 2])
def test_epochs_cut_by_steps_per_epoch_are_refused(workers: int) -> None:
    """Keras would give the batches left over, or prepared ahead, to the next epoch, with the labels of this one."""
    model, data = compiled(), VotesDataset(X, DELIVERIES["sls"], BATCH, workers=workers)
    with pytest.raises(VotewiseError, match="steps_per_epoch is 3, but an epoch of the data has 4 batches"):
        model.fit(data, epochs=4, steps_per_epoch=3, callbacks=[data.callback], verbose=0)
    assert_weights(model, WEIGHT, BIAS)


@pytest.mark.parametrize("stop", [1, 3, 5, 6, 7])
def test_an_interrupted_fit_can_be_taken_up_with_the_callback_and_not_without(stop: int) -> None:
    data = VotesDataset(X, DELIVERIES["sls"], BATCH)
    for callbacks in ([data.callback], []):
        with pytest.raises(KeyboardInterrupt):
            compiled().fit(data, epochs=2, callbacks=[data.callback, StopAt(stop)], verbose=0)
        if callbacks:
            model = compiled()
            model.fit(data, epochs=EPOCHS, callbacks=callbacks, verbose=0)
            assert data.targets.epoch == EPOCHS - 1
        else:
            with pytest.raises(StaleLabelsError, match=r"data\.callback"):
                compiled().fit(data, epochs=EPOCHS, verbose=0)


def test_evaluation_on_the_labels_of_training_is_refused() -> None:
    model, data = compiled(), VotesDataset(X, DELIVERIES["sls"], BATCH)
    model.fit(data, epochs=1, callbacks=[data.callback], verbose=0)
    with pytest.raises(StaleLabelsError, match="arrays to evaluate and predict"):
        model.evaluate(data, verbose=0)


def test_wrong_use_is_one_sentence_before_the_first_step() -> None:
    with pytest.raises(VotewiseError, match="23 examples, but the votes have 24 items"):
        VotesDataset(X[1:], DELIVERIES["sls"])
    with pytest.raises(VotewiseError, match="5 outputs, but the votes have 3 classes"):
        VotesDataset(X, DELIVERIES["sls"], outputs=compiled(5).output_shape[-1])
    with pytest.raises(VotewiseError, match="a different order"):
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


@pytest.mark.skipif(ON_JAX, reason="this is the process on JAX")
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
        "tape or loop or head or cut or interrupted",
        "-m",
        "not full",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "KERAS_BACKEND": "jax", "JAX_ENABLE_X64": "1", "XLA_FLAGS": TWO_DEVICES},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stdout[-3000:]
