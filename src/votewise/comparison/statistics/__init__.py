"""Statistics over seeds: tests, intervals, and the differences that a number of seeds can show.

power        what a number of seeds can decide, before and after the runs
wilcoxon     exact paired tests, Holm's correction, number of seeds that agree
permutation  exact tests of quantities of pairs of runs, for example CKA
trend        Page's test over ordered arms
intervals    t and bootstrap intervals of a mean difference, one-sided t tests, effect sizes
"""

from votewise.comparison.statistics.intervals import (
    bootstrap_interval,
    effect_size,
    interval,
    t_interval,
    t_tail,
)
from votewise.comparison.statistics.permutation import RunSwap, run_swap, swap_interval
from votewise.comparison.statistics.power import (
    FEWEST,
    Sides,
    detectable_effect,
    seeds_for_direction,
    seeds_for_equivalence,
    seeds_for_width,
    seeds_needed,
    smallest_p,
)
from votewise.comparison.statistics.trend import page_trend_p
from votewise.comparison.statistics.wilcoxon import (
    SAME,
    Side,
    agreement,
    holm,
    rank_sums,
    sign_flip,
    wilcoxon,
    wilcoxon_p,
    wilcoxon_sides,
)

__all__ = [
    "FEWEST", "SAME", "RunSwap", "Side", "Sides", "agreement", "bootstrap_interval", "detectable_effect", "effect_size", "holm", "interval",
    "page_trend_p", "rank_sums", "run_swap", "seeds_for_direction", "seeds_for_equivalence", "seeds_for_width", "seeds_needed",
    "sign_flip", "smallest_p", "swap_interval", "t_interval", "t_tail", "wilcoxon", "wilcoxon_p", "wilcoxon_sides",
]  # fmt: skip
