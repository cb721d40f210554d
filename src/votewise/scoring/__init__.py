"""Scores of predictions against votes: proper scores, calibration, agreement, and corrections for few votes."""

from votewise.scoring.bootstrap import Intervals, interval
from votewise.scoring.brier import BrierParts, brier_against_votes, brier_parts
from votewise.scoring.card import Scorecard
from votewise.scoring.ceiling import annotator_ceiling
from votewise.scoring.columns import (
    Block,
    brier_bias,
    cross_entropy,
    jackknife_entropy,
    js_divergence_per_item,
    soft_nll_per_item,
    squared_error,
    total_variation_per_item,
)
from votewise.scoring.declaration import Score, scored
from votewise.scoring.dialects import DIALECTS
from votewise.scoring.distances import (
    dist_ce,
    js_distance,
    js_divergence,
    manhattan,
    po_jsd,
    soft_accuracy,
    soft_f1_macro,
    soft_f1_micro,
    total_variation,
    wasserstein,
)
from votewise.scoring.entropies import ent_ce, entropy_correlation
from votewise.scoring.item_table import Table
from votewise.scoring.matching import align
from votewise.scoring.predicted_class import accuracy, accuracy_truth, rank_cs
from votewise.scoring.prediction_files import read_predictions, refuse_swapped
from votewise.scoring.predictions import Predictions
from votewise.scoring.probabilities import AnyKind, Kind, as_array, as_kind, kind_of, normalised
from votewise.scoring.proper import kl, soft_brier, soft_nll
from votewise.scoring.ranks import SAME, correlation, mid_ranks, rising, spearman
from votewise.scoring.scorer import score
from votewise.scoring.scores import SCORES
from votewise.scoring.smooth import ReliabilityCurve, reliability_curve
from votewise.scoring.truth import TrueClasses, Truth, read_truth

__all__ = [  # noqa: RUF022  # by subject
    # scoring
    "DIALECTS", "Intervals", "Score", "SCORES", "Scorecard", "annotator_ceiling", "score", "scored",
    # predictions and true classes
    "AnyKind", "Kind", "Predictions", "TrueClasses", "Truth", "read_predictions", "read_truth", "refuse_swapped",
    # calibration
    "BrierParts", "ReliabilityCurve", "brier_against_votes", "brier_parts", "reliability_curve",
    # individual scores
    "accuracy", "accuracy_truth", "dist_ce", "ent_ce", "entropy_correlation", "js_distance", "js_divergence", "kl", "manhattan",
    "po_jsd", "rank_cs", "soft_accuracy", "soft_brier", "soft_f1_macro", "soft_f1_micro", "soft_nll", "total_variation", "wasserstein",
    # for custom scores and for the other packages
    "Block", "SAME", "Table", "align", "as_array", "as_kind", "brier_bias", "correlation", "cross_entropy", "interval", "jackknife_entropy",
    "js_divergence_per_item", "kind_of", "mid_ranks", "normalised", "rising", "soft_nll_per_item", "spearman", "squared_error", "total_variation_per_item",
]  # fmt: skip
