"""What numbers of many seeds can and cannot decide: statistics, rules, and the numbers in print.

power        what so many seeds can decide, before and after they are run
wilcoxon     exact paired tests, Holm's correction, how many seeds agree
trend        Page's test over ordered arms
intervals    t and bootstrap intervals of a mean difference, effect sizes
equivalence  two one-sided tests against a margin
verdict      what is said of a claim, and what stands beside it
rules        the closed set of rules that say it
published    the numbers in print, as data with their source
arithmetic   what follows from those alone
identities   what follows from algebra, and what deliveries must do, calculated anew
"""

from votewise.evidence.arithmetic import arithmetic
from votewise.evidence.equivalence import Equivalence, equivalence
from votewise.evidence.identities import identities
from votewise.evidence.intervals import bootstrap_interval, effect_size, interval
from votewise.evidence.power import seeds_for_direction, seeds_for_equivalence, seeds_needed, smallest_p
from votewise.evidence.published import Published, published
from votewise.evidence.trend import page_trend
from votewise.evidence.verdict import Cell, Finding, Verdict
from votewise.evidence.wilcoxon import agreement, holm, sign_flip, wilcoxon

__all__ = [
    "Cell", "Equivalence", "Finding", "Published", "Verdict", "agreement", "arithmetic", "bootstrap_interval", "effect_size",
    "equivalence", "holm", "identities", "interval", "page_trend", "published", "seeds_for_direction",
    "seeds_for_equivalence", "seeds_needed", "sign_flip", "smallest_p", "wilcoxon",
]  # fmt: skip
