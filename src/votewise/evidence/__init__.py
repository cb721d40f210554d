"""From what a store holds to tables, figures and verdicts.

results     one table of runs with their scores and probes; gathering, how it comes out of a store
statistics  what many seeds can and cannot decide
published   the numbers in print, as data with their source
claims      the claims of the papers as data, the rules that decide them, and their verdicts
tables      tables 1 to 9, and the methods side by side
figures     figures 1 to 12
methods     how methods, scores and detectors are called and drawn
"""

from votewise.evidence.claims.arithmetic import arithmetic
from votewise.evidence.claims.identities import identities
from votewise.evidence.claims.verdict import Cell, Finding, Verdict
from votewise.evidence.published import Published, published
from votewise.evidence.statistics.equivalence import Equivalence, equivalence
from votewise.evidence.statistics.intervals import bootstrap_interval, effect_size, interval
from votewise.evidence.statistics.power import seeds_for_direction, seeds_for_equivalence, seeds_needed, smallest_p
from votewise.evidence.statistics.trend import page_trend
from votewise.evidence.statistics.wilcoxon import agreement, holm, sign_flip, wilcoxon

__all__ = [
    "Cell", "Equivalence", "Finding", "Published", "Verdict", "agreement", "arithmetic", "bootstrap_interval", "effect_size",
    "equivalence", "holm", "identities", "interval", "page_trend", "published", "seeds_for_direction",
    "seeds_for_equivalence", "seeds_needed", "sign_flip", "smallest_p", "wilcoxon",
]  # fmt: skip
