"""Votes as they were cast, distributions where votes are not known, and how both are read from files."""

from votewise.votes.answers import Answers
from votewise.votes.distributions import Distributions
from votewise.votes.scale import NOMINAL, Scale, ordinal
from votewise.votes.votes import Votes

__all__ = ["NOMINAL", "Answers", "Distributions", "Scale", "Votes", "ordinal"]
