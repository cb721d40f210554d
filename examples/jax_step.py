"""JAX: targets inside a jitted step. Tables are arguments, so that votes are not compiled in; the epoch is traced."""

import jax
import jax.numpy as jnp

import votewise as vw

votes = vw.example_votes()
inputs = jnp.asarray(votes.probabilities())  # yours: features of the items
targets, tables = vw.SLS(votes, seed=0).jax()


def loss(weight, tables, index, epoch):
    logits = jax.nn.log_softmax(inputs[index] @ weight)
    return -jnp.take_along_axis(logits, targets(tables, index, epoch)[:, None], axis=1).mean()


@jax.jit
def step(weight, tables, index, epoch):
    return weight - 0.5 * jax.grad(loss)(weight, tables, index, epoch)


weight = jnp.zeros((inputs.shape[1], votes.num_classes))
for epoch in range(5):
    order = jax.random.permutation(jax.random.key(epoch), len(votes))
    for index in jnp.array_split(order, 4):
        weight = step(weight, tables, index, epoch)
print("soft NLL", vw.score(inputs @ weight, votes, kind="logits")["soft_nll"])
