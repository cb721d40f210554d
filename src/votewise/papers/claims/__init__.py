"""The shared code for claims: a claim, and the rules that turn numbers over seeds into a verdict.

    higher, lower    the mean is above (below) zero                    exact one-sided signed-rank test
    every            … in every cell                                   each mean, and the test on the average over cells
    each             … in every cell separately                        the test in each
    unanimous        … in every seed, in a number of cells
    monotone         numbers rise (fall) from arm to arm               each step's mean, and Page's exact trend test
    equivalent       there is no relevant difference                   90 % interval inside a margin, in every cell
    above, below     a number is above (below) a bound                 95 % interval
    beyond           a statistic of several arms is above a bound      interval by resampling seeds
    all_of           several verdicts together
    composed         several claims together, which are counted separately
    both_outcomes    the same claim with two definitions of the outcome
    shown            numbers without a verdict

The level is always 0.05. A verdict needs at least five seeds. A seed without a finite number is left out of the whole claim.

A claim is contradicted if its opposite is shown at the same level, with Holm's correction over the cells and over the parts of the
claim. A claim about every cell can be contradicted by one cell or by the average over cells, each at half the level. If n is too small for one
cell to pass, only the average can contradict.

Values can have axes of simulated worlds before the axis of seeds. The rules then decide in all worlds at once.
"""

from votewise.papers.claims.claim import Claim, Claims
from votewise.papers.claims.deciding import FIRST, Decision, LeftOut, Size, by_outcome, counts, decide, evaluate
from votewise.papers.claims.directions import each, every, higher, lower, monotone, unanimous
from votewise.papers.claims.margins import above, below, equivalent
from votewise.papers.claims.resampling import beyond
from votewise.papers.claims.together import agreeing, all_of, both_outcomes, composed, holds, shown, verdict
from votewise.papers.claims.values import Values, mean, shared, values_of
from votewise.papers.claims.verdict import Cell, Outcome, Verdict
from votewise.papers.claims.view import View
from votewise.papers.claims.worlds import Worlds, chance

__all__ = [
    "FIRST", "Cell", "Claim", "Claims", "Decision", "LeftOut", "Outcome", "Size", "Values", "Verdict", "View", "Worlds",
    "above", "agreeing", "all_of", "below", "beyond", "both_outcomes", "by_outcome", "chance", "composed", "counts", "decide", "each", "equivalent",
    "evaluate", "every", "higher", "holds", "lower", "mean", "monotone", "shared", "shown", "unanimous", "values_of", "verdict",
]  # fmt: skip
