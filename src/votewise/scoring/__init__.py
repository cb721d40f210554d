"""Numbers from (probabilities, votes): proper scores, calibration, agreement, and what few votes do to them."""

from votewise.scoring.agreement import accuracy, accuracy_truth, ent_ce, entropy_correlation, rank_cs
from votewise.scoring.calibration import BrierParts, brier_parts
from votewise.scoring.card import Scorecard
from votewise.scoring.ceiling import annotator_ceiling
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
from votewise.scoring.facts import Score
from votewise.scoring.matching import match
from votewise.scoring.prediction_files import read_predictions, refuse_swapped
from votewise.scoring.predictions import Predictions
from votewise.scoring.probabilities import as_probabilities, kind_of
from votewise.scoring.proper import kl, soft_brier, soft_nll
from votewise.scoring.registry import SCORES
from votewise.scoring.scorer import score
from votewise.scoring.smooth import ReliabilityCurve, reliability_curve
from votewise.scoring.truth import Truth
from votewise.scoring.truth_files import read_truth

__all__ = [
    "DIALECTS",
    "SCORES",
    "BrierParts",
    "Predictions",
    "ReliabilityCurve",
    "Score",
    "Scorecard",
    "Truth",
    "accuracy",
    "accuracy_truth",
    "annotator_ceiling",
    "as_probabilities",
    "brier_parts",
    "dist_ce",
    "ent_ce",
    "entropy_correlation",
    "js_distance",
    "js_divergence",
    "kind_of",
    "kl",
    "manhattan",
    "match",
    "po_jsd",
    "rank_cs",
    "read_predictions",
    "read_truth",
    "refuse_swapped",
    "reliability_curve",
    "score",
    "soft_accuracy",
    "soft_brier",
    "soft_f1_macro",
    "soft_f1_micro",
    "soft_nll",
    "total_variation",
    "wasserstein",
]
