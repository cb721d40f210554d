"""What the claims of all papers share.

claim      a claim and the claims of a paper; its decorator
values     numbers by seed
view       results as a claim sees them
rules      the rules that turn numbers into a verdict
verdict    what a rule says, with the numbers beside it
deciding   a verdict on every claim of a paper
worlds     simulated studies: the probability of a verdict if the paper is right
"""

from votewise.papers.claims.claim import Claim, Claims
from votewise.papers.claims.deciding import FIRST, Decision, LeftOut, Size, by_outcome, counts, decide, evaluate
from votewise.papers.claims.rules import (
    above,
    agreeing,
    all_of,
    below,
    both_outcomes,
    composed,
    each,
    equivalent,
    every,
    higher,
    holds,
    lower,
    monotone,
    shown,
    unanimous,
    verdict,
)
from votewise.papers.claims.values import Values, mean, shared, values_of
from votewise.papers.claims.verdict import Cell, Outcome, Verdict
from votewise.papers.claims.view import View
from votewise.papers.claims.worlds import Worlds, chance

__all__ = [
    "FIRST", "Cell", "Claim", "Claims", "Decision", "LeftOut", "Outcome", "Size", "Values", "Verdict", "View", "Worlds",
    "above", "agreeing", "all_of", "below", "both_outcomes", "by_outcome", "chance", "composed", "counts", "decide", "each", "equivalent",
    "evaluate", "every", "higher", "holds", "lower", "mean", "monotone", "shared", "shown", "unanimous", "values_of", "verdict",
]  # fmt: skip
