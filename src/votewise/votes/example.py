"""Example votes with a known truth: simulated annotators label the emotion in short messages.

They are drawn with the counter, so they are the same on every machine. Use them for examples and tests.
"""

from __future__ import annotations

import numpy as np

from votewise import counter
from votewise.arrays import F64, I64
from votewise.limits import whole_number
from votewise.votes import drawing
from votewise.votes.distributions import Distributions
from votewise.votes.votes import Votes

CLASSES = ("anger", "fear", "joy", "sadness", "surprise")
# How readily annotators confuse one emotion with another, in log-odds: fear and surprise are close, joy and anger are not.
_CLOSE = np.array(
    [[4.0, 1.5, -1.0, 1.5, 0.5], [1.5, 4.0, -1.0, 1.0, 2.0], [-1.0, -1.0, 4.5, -0.5, 1.5], [1.5, 1.0, -0.5, 4.0, -0.5], [0.5, 2.0, 1.5, -0.5, 4.0]]
)  # fmt: skip


def example_votes(items: int = 400, annotators: int = 40) -> Votes:
    """Votes on short messages, each by 3 to 11 simulated annotators.

    Args:
        items: number of messages.
        annotators: total number of annotators.

    Returns:
        The votes, drawn from `example_truth(items)`.

    Example:
        >>> example_votes()
        Votes(2,797 votes on 400 items, 5 classes, 40 annotators)
    """
    whole_number("annotators", annotators, 11)
    truth = example_truth(items)
    row, names = truth.row, truth.items
    assert names is not None
    size = 3 + (_uniform("size", row) * 9).astype(np.int64)
    cast = (
        np.arange(size.max()) < size[:, None]
    )  # [items, most votes per item]: mask of the assigned annotators who answered
    asked = np.stack(
        [counter.order(counter.key("example/people", 0), i, np.arange(annotators))[: size.max()] for i in range(items)]
    )
    label = drawing.multinomial(
        drawing.from_distribution, drawing.thresholds(truth.probability), row, int(size.max()), seed=0
    )
    who = [f"person-{code:02d}" for code in asked[cast]]
    return Votes.from_long(np.repeat(names, size), np.array(CLASSES)[label[cast]], who, classes=CLASSES)


def example_truth(items: int = 400) -> Distributions:
    """The distribution that the votes on each example message are drawn from.

    Args:
        items: number of messages.

    Returns:
        The distributions, in the order of `example_votes(items)`.

    Example:
        >>> example_truth()
        Distributions(400 items, 5 classes)
    """
    whole_number("items", items, 1)
    row, c = np.arange(items), len(CLASSES)
    feeling = (_uniform("feeling", row) * c).astype(np.int64)
    other = (feeling + 1 + (_uniform("other", row) * (c - 1)).astype(np.int64)) % c
    mixed = _uniform("mixed", row) >= 0.4
    share = np.where(mixed, 0.5 * _uniform("share", row), 0.0)[:, None]  # share of a second emotion
    clarity = (0.4 + 0.8 * _uniform("clarity", row))[:, None]
    logit = clarity * ((1 - share) * _CLOSE[feeling] + share * _CLOSE[other])
    p = np.exp(logit - logit.max(axis=1, keepdims=True))
    p = np.round(p / p.sum(axis=1, keepdims=True) * 2**24) / 2**24  # independent of the machine's exp
    return Distributions(p, classes=CLASSES, items=np.array([f"message-{i:03d}" for i in row]))


def _uniform(stream: str, row: I64) -> F64:
    return counter.uniform(counter.key(f"example/{stream}", 0), 0, row)
