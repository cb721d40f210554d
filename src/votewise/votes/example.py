"""Example votes with a known truth: simulated people who read short messages and name the feeling in them.

Drawn with the counter, so that everybody gets the same ones. For trying things out and for tests, not evidence of anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from votewise import counter
from votewise.errors import VotewiseError
from votewise.votes import drawing, sampling
from votewise.votes.distributions import Distributions
from votewise.votes.votes import Votes

CLASSES = ("anger", "fear", "joy", "sadness", "surprise")
# How readily one feeling is taken for another, in log-odds: fear and surprise are close, joy and anger are not.
_CLOSE = np.array(
    [[4.0, 1.5, -1.0, 1.5, 0.5], [1.5, 4.0, -1.0, 1.0, 2.0], [-1.0, -1.0, 4.5, -0.5, 1.5], [1.5, 1.0, -0.5, 4.0, -0.5], [0.5, 2.0, 1.5, -0.5, 4.0]]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """The votes, and the distribution that each item's votes were drawn from."""

    votes: Votes
    truth: Distributions


def example_votes(items: int = 400, people: int = 40) -> Example:
    """Votes of 3 to 11 of `people` on each of `items` messages, and the true distribution of each message.

    >>> example_votes().votes
    Votes(2797 votes on 400 items, 5 classes)
    """
    if items < 1 or people < 11:
        raise VotewiseError(f"{items} messages and {people} people", remedy="ask for 1 message and 11 people or more")
    row, c = np.arange(items), len(CLASSES)

    def draw(stream: str, place: int = 0) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return counter.uniform(counter.key(f"example/{stream}", 0), place, row)

    feeling = (draw("feeling") * c).astype(np.int64)
    other = (feeling + 1 + (draw("other") * (c - 1)).astype(np.int64)) % c
    share = np.where(draw("mixed") < 0.4, 0.0, 0.5 * draw("share"))[:, None]  # how much of a second feeling is in it
    clarity = (0.4 + 0.8 * draw("clarity"))[:, None]
    logit = clarity * ((1 - share) * _CLOSE[feeling] + share * _CLOSE[other])
    p = np.exp(logit - logit.max(axis=1, keepdims=True))
    p = np.round(p / p.sum(axis=1, keepdims=True) * 2**24) / 2**24  # the same on every machine's exp
    names = [f"message-{i:03d}" for i in row]
    truth = Distributions(p, classes=CLASSES, items=np.array(names))

    size = 3 + (draw("size") * 9).astype(np.int64)
    cast = np.arange(size.max()) < size[:, None]  # [items, most votes]: who of those asked answered
    asked = np.stack(
        [counter.order(counter.key("example/people", 0), i, np.arange(people))[: size.max()] for i in range(items)]
    )
    label = sampling.multinomial(drawing.from_distribution, drawing.thresholds(p), row, int(size.max()), seed=0)
    who = [f"person-{code:02d}" for code in asked[cast]]
    return Example(Votes.from_long(np.repeat(names, size), np.array(CLASSES)[label[cast]], who, classes=CLASSES), truth)
