"""JAX: targets inside a jitted step. The tables are arguments, so that votes are not compiled into it; the epoch is traced."""

import jax
import jax.numpy as jnp

import votewise as vw

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
words = sorted({word for text in texts for word in text.split()})
inputs = jnp.array([[float(word in text.split()) for word in words] for text in texts])  # yours: any features
targets, tables = vw.SLS(votes[:25], seed=0).jax()


def loss(weight, tables, index, epoch):
    logits = jax.nn.log_softmax(inputs[index] @ weight)
    return -jnp.take_along_axis(logits, targets(tables, index, epoch)[:, None], axis=1).mean()


@jax.jit
def step(weight, tables, index, epoch):
    return weight - 0.5 * jax.grad(loss)(weight, tables, index, epoch)


weight = jnp.zeros((len(words), votes.num_classes))
for epoch in range(30):
    order = jax.random.permutation(jax.random.key(epoch), 25)
    for index in jnp.array_split(order, 3):
        weight = step(weight, tables, index, epoch)
print("soft NLL", vw.score(inputs[25:] @ weight, votes[25:], kind="logits")["soft_nll"])
