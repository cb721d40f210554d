"""Every score by its name, in the groups and the order that tables print them."""

from __future__ import annotations

from collections.abc import Mapping

from votewise.frozen import FrozenMapping
from votewise.scoring.agreement import accuracy, accuracy_truth, ent_ce, entropy_correlation, rank_cs
from votewise.scoring.calibration import BRIER_PARTS, ECE
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
from votewise.scoring.proper import kl, soft_brier, soft_nll
from votewise.scoring.smooth import SMOOTH_ECE

GROUPS: Mapping[str, tuple[Score, ...]] = FrozenMapping(
    {
        "Proper scores": (soft_nll, kl, soft_brier),
        "Predicted class, order of the classes": (accuracy, accuracy_truth, rank_cs),
        "Calibration of the predicted class": (*ECE.values(), *SMOOTH_ECE.values()),
        "Brier score of the predicted class": tuple(BRIER_PARTS.values()),
        "Entropy of model and votes": (entropy_correlation, ent_ce),
        "Distances between model and votes": (
            total_variation,
            dist_ce,
            manhattan,
            soft_accuracy,
            soft_f1_micro,
            soft_f1_macro,
            js_divergence,
            po_jsd,
            js_distance,
            wasserstein,
        ),
    }
)
SCORES: Mapping[str, Score] = FrozenMapping({score.name: score for group in GROUPS.values() for score in group})
