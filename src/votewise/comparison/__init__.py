"""What many seeds can and cannot decide about methods: paired tests, equivalence, power, intervals, trends."""

from votewise.comparison.statistics import (
    Equivalence,
    RunSwap,
    agreement,
    bootstrap_interval,
    detectable_effect,
    effect_size,
    equivalence,
    holm,
    interval,
    page_trend,
    run_swap,
    seeds_for_direction,
    seeds_for_equivalence,
    seeds_needed,
    sign_flip,
    smallest_p,
    wilcoxon,
)

__all__ = [
    "Equivalence", "RunSwap", "agreement", "bootstrap_interval", "detectable_effect", "effect_size", "equivalence", "holm", "interval",
    "page_trend", "run_swap", "seeds_for_direction", "seeds_for_equivalence", "seeds_needed", "sign_flip", "smallest_p", "wilcoxon",
]  # fmt: skip
