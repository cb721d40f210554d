"""Votes as they were cast, distributions where votes are not known, and how both are read from files."""

from votewise.votes.answers import Answers
from votewise.votes.distributions import Distributions
from votewise.votes.example import Example, example_votes
from votewise.votes.scale import NOMINAL, Scale, ordinal
from votewise.votes.votes import Votes
from votewise.votes.writing import write_votes

__all__ = [
    "NOMINAL",
    "Answers",
    "Distributions",
    "Example",
    "Scale",
    "Votes",
    "example_votes",
    "ordinal",
    "write_votes",
]
