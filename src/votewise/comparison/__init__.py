"""Comparison of methods on any results: paired statistics, the methods side by side, and the recommendation. Independent of papers and HTML."""

from votewise.comparison.held_out import HeldOut, held_out_predictions
from votewise.comparison.methods import Methods, base, name, resample_interval
from votewise.comparison.model_choice import ModelRecommendation, by_model, models_side_by_side, recommend_model
from votewise.comparison.quantities import axis, head, probe_of, quantity
from votewise.comparison.recommendation import Recommendation, recommend
from votewise.comparison.side_by_side import comparable, improvement, reference_of, side_by_side
from votewise.comparison.statistics import (
    RunSwap,
    agreement,
    bootstrap_interval,
    detectable_effect,
    effect_size,
    holm,
    interval,
    run_swap,
    seeds_for_direction,
    seeds_for_equivalence,
    seeds_needed,
    sign_flip,
    smallest_p,
    t_tail,
    wilcoxon,
)
from votewise.comparison.tables import Cell, Definition, Line, Quoted, Table, Test, Value, make_table
from votewise.comparison.uniform import uniform_words
from votewise.comparison.wording import fixed, inside, listed, sentence, setting, votes_name

__all__ = [
    "Cell", "Definition", "HeldOut", "Line", "Methods", "ModelRecommendation", "Quoted", "Recommendation", "RunSwap", "Table", "Test", "Value", "agreement", "axis", "base", "bootstrap_interval", "by_model", "comparable", "detectable_effect", "effect_size", "fixed", "head", "held_out_predictions", "holm", "improvement", "inside", "interval", "listed", "make_table", "models_side_by_side", "name", "probe_of", "quantity", "recommend", "recommend_model", "reference_of", "resample_interval", "run_swap", "seeds_for_direction", "seeds_for_equivalence", "seeds_needed", "sentence", "setting", "side_by_side", "sign_flip", "smallest_p", "t_tail", "uniform_words", "votes_name", "wilcoxon",
]  # fmt: skip
