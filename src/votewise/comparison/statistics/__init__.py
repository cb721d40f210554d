"""What numbers of many seeds can and cannot decide.

power        what so many seeds can decide, before and after they are run
wilcoxon     exact paired tests, Holm's correction, how many seeds agree
permutation  exact tests of quantities of pairs of runs, for example CKA
trend        Page's test over ordered arms
intervals    t and bootstrap intervals of a mean difference, effect sizes
equivalence  two one-sided tests against a margin
"""

from votewise.comparison.statistics.equivalence import Equivalence, equivalence
from votewise.comparison.statistics.intervals import bootstrap_interval, effect_size, interval
from votewise.comparison.statistics.permutation import RunSwap, run_swap
from votewise.comparison.statistics.power import (
    detectable_effect,
    seeds_for_direction,
    seeds_for_equivalence,
    seeds_needed,
    smallest_p,
)
from votewise.comparison.statistics.trend import page_trend
from votewise.comparison.statistics.wilcoxon import agreement, holm, sign_flip, wilcoxon

__all__ = [
    "Equivalence", "RunSwap", "agreement", "bootstrap_interval", "detectable_effect", "effect_size", "equivalence", "holm", "interval",
    "page_trend", "run_swap", "seeds_for_direction", "seeds_for_equivalence", "seeds_needed", "sign_flip", "smallest_p", "wilcoxon",
]  # fmt: skip
