"""Every score by its name, in the order that tables print them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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

SCORES: Mapping[str, Score] = MappingProxyType(
    {
        score.name: score
        for score in (
            soft_nll,
            kl,
            soft_brier,
            accuracy,
            accuracy_truth,
            *ECE.values(),
            *SMOOTH_ECE.values(),
            entropy_correlation,
            *BRIER_PARTS.values(),
            js_divergence,
            js_distance,
            total_variation,
            dist_ce,
            ent_ce,
            rank_cs,
            manhattan,
            wasserstein,
            soft_accuracy,
            po_jsd,
            soft_f1_micro,
            soft_f1_macro,
        )
    }
)
