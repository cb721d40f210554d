"""Targets inside a jitted step: labels of the tape, and weights of the plain loop."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from small import BATCH, BIAS, DELIVERIES, EPOCHS, RATE, WEIGHT, N, X, plain_loop
from votewise import check_adapter


def run(delivery, epochs: int, resume: bool = False):
    """The epoch is traced, so that one compiled step serves all of them; a resumed run starts at any of them."""
    fn, tables = delivery.jax()
    step = jax.jit(fn)
    at = [(epoch, batch) for epoch in range(epochs) for batch in range(0, N, BATCH)]
    order = at[6:] + at[:6] if resume else at
    for epoch, batch in order:
        index = jnp.arange(batch, batch + BATCH)
        yield epoch, index, step(tables, index, epoch)


def test_labels_equal_the_tape_for_every_epoch_in_one_compiled_step() -> None:
    for delivery in DELIVERIES.values():
        assert check_adapter(run, delivery) == ("epochs", "resume")


@pytest.mark.parametrize("name", DELIVERIES)
def test_training_equals_the_plain_loop(name: str) -> None:
    delivery = DELIVERIES[name]
    fn, tables = delivery.jax()
    with jax.enable_x64(True):
        inputs = jnp.asarray(X)

        def loss(theta, tables, index, epoch):
            target = fn(tables, index, epoch)
            target = jax.nn.one_hot(target, 3, dtype=jnp.float64) if delivery.kind == "hard" else target
            return -(target * jax.nn.log_softmax(inputs[index] @ theta[0].T + theta[1])).sum(axis=1).mean()

        @jax.jit
        def step(theta, tables, index, epoch):
            gradient = jax.grad(loss)(theta, tables, index, epoch)
            return jax.tree.map(lambda value, slope: value - RATE * slope, theta, gradient)

        theta = (jnp.asarray(WEIGHT), jnp.asarray(BIAS))
        for epoch in range(EPOCHS):
            for batch in range(0, N, BATCH):
                theta = step(theta, tables, jnp.arange(batch, batch + BATCH), epoch)
        for found, expected in zip(theta, plain_loop(delivery), strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
