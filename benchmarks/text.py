"""Fine-tuning of MiniLM on texts of different lengths: batches of similar length compared with padding every text to the longest.

Lengths are log-normal with a median of 28 tokens, as in the comments of POPQUORN, truncated at 128. One epoch with batches of 32, including forward, backward
and the AdamW step, compared by the CPU time of one thread, because other work on the machine increases the wall time.
"""

from __future__ import annotations

import time

import numpy as np
import torch

from votewise import counter
from votewise.text import Tokens, bucketed, find_model, pretrained
from votewise.training import Recipe
from votewise.training.loop import optimiser_for

TEXTS, BATCH, LONGEST = 256, 32, 128


def stand_in() -> Tokens:
    """Random tokens, because speed does not depend on the content."""
    rng = np.random.default_rng(0)
    length = np.clip(np.exp(rng.normal(np.log(28), 0.7, TEXTS)), 4, LONGEST).astype(np.int64)
    start = np.concatenate([[0], np.cumsum(length)])
    ids = rng.integers(1000, 30_000, start[-1]).astype(np.int32)
    return Tokens(ids, np.zeros(len(ids), np.int8), start, padding=0, limit=LONGEST, truncated=0)


def measure() -> dict[str, object]:
    """Texts per second of CPU time with both methods, and the share of padding in each."""
    torch.set_num_threads(1)
    tokens, recipe = stand_in(), Recipe.preset("text")
    shuffled = counter.order(counter.key("order", 0), 0, np.arange(TEXTS))
    ways = {
        "bucketed": (bucketed(shuffled, tokens.length, BATCH, counter.key("buckets", 0), 0), None),
        "padded to the longest": (shuffled, int(tokens.length.max())),
    }
    target = torch.full((BATCH, 3), 1 / 3)
    out: dict[str, dict[str, float]] = {}
    for name, (order, width) in ways.items():
        model = pretrained(find_model("minilm"), 3).train()
        optimiser = optimiser_for(model, recipe)
        batches = [tokens.batch(order[at : at + BATCH], width) for at in range(0, TEXTS, BATCH)]
        began = time.process_time()
        for batch in batches:
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(model(torch.from_numpy(batch)), target).backward()
            optimiser.step()
        seconds = time.process_time() - began
        padding = 1 - tokens.length.sum() / sum(batch.shape[0] * batch.shape[2] for batch in batches)
        out[name] = {"texts_per_second": TEXTS / seconds, "padding": float(padding)}
    first, second = (way["texts_per_second"] for way in out.values())
    return {**out, "times_as_fast": first / second}
