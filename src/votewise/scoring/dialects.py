"""The scores of each community under its own names and conventions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from votewise.frozen import FrozenMapping
from votewise.scoring.calibration import ece_equal_mass, ece_equal_width, equal_width, expected_error
from votewise.scoring.columns import (
    Column,
    entropy_error,
    hit,
    hit_random,
    model_entropy,
    nll_clipped,
    nll_floored,
    ranking_not_contradicted,
    vote_entropy,
    wasserstein_steps,
)
from votewise.scoring.columns import total_variation as total_variation_of_items
from votewise.scoring.declaration import Score
from votewise.scoring.distances import (
    dist_ce,
    js_distance,
    manhattan,
    po_jsd,
    soft_accuracy,
    soft_f1_macro,
    soft_f1_micro,
    wasserstein,
)
from votewise.scoring.entropies import ent_ce, entropy_correlation
from votewise.scoring.item_table import Table
from votewise.scoring.predicted_class import accuracy, accuracy_truth, rank_cs
from votewise.scoring.proper import kl, soft_brier, soft_nll
from votewise.scoring.ranks import SAME, correlation
from votewise.scoring.smooth import smooth_ece


def _named(
    score: Score, name: str, meaning: str = "", *columns: Column, of: Callable[[Table], float] | None = None
) -> Score:
    """A score under another name, with another meaning, column or function if the convention differs."""
    same = Score.mean_of(columns[0], meaning=meaning) if columns else score
    return replace(
        score,
        key=name,
        label=name,
        of=of or same.of,
        of_items=None if of else same.of_items,
        columns=columns or score.columns,
        meaning=meaning or score.meaning,
        corrected=None,
        correction=None,
        variant_of=score.key,
    )


def _kl_floored(table: Table) -> float:
    return table.mean(table[nll_floored]) - table.mean(table[vote_entropy])


def _ece_ten(table: Table) -> float:
    return expected_error(hit, lambda table: equal_width(table, 10), table)


def _entropy_pearson(table: Table) -> float:
    return correlation(table[model_entropy], table[vote_entropy], table.count, within=SAME)


def _rounded_manhattan(table: Table) -> float:
    return round(table.mean(np.round(2.0 * table[total_variation_of_items], 5)), 5)


def _rounded_wasserstein(table: Table) -> float:
    return round(table.mean(table[wasserstein_steps]), 5)


_BY_DIALECT = {
    "paper": (
        _named(soft_nll, "Soft NLL"),
        _named(kl, "KL-to-annotator"),
        _named(soft_brier, "Soft Brier"),
        _named(accuracy, "hard_acc_all", "accuracy against the majority of the votes, lowest class on ties"),
        _named(ece_equal_mass, "ECE", "equal-mass bins; the outcome is a hit against the majority"),
        _named(smooth_ece, "smECE", "relplot's reflected Gaussian at its fixed-point bandwidth; hit as in ECE"),
        _named(entropy_correlation, "EntCorr", "Spearman, mid-ranks, all items"),
    ),
    "chaosnli": (
        _named(js_distance, "JSD", "mean JS distance in nats, the root of the divergence, despite the name"),
        _named(
            kl,
            "KL",
            "KL(human || model) in nats; probabilities are raised to at least 1e-15 and renormalised",
            nll_floored,
            vote_entropy,
            of=_kl_floored,
        ),
        _named(accuracy_truth, "Old Acc.", "accuracy against the old label, given as truth"),
        _named(accuracy, "New Acc.", "accuracy against the majority of the votes"),
    ),
    "lewidi2023": (
        _named(
            soft_nll,
            "cross-entropy",
            "-mean sum p log(q + 1e-9) in nats, q clipped to 1e-12 from 0 and 1",
            nll_clipped,
        ),
        _named(
            accuracy,
            "micro F1",
            "micro F1 of the hard labels, which is accuracy for one label per item; tied majorities are drawn at random by the seed",
            hit_random,
        ),
    ),
    "lewidi2025": (
        _named(
            manhattan,
            "average Manhattan distance",
            "mean of sum |p - q|; each item and the mean are rounded to 5 places; for a multi-label task, average over questions",
            of=_rounded_manhattan,
        ),
        _named(
            wasserstein,
            "average Wasserstein distance",
            "neighbouring classes are one apart, regardless of their values; the mean is rounded to 5 places; ordinal classes only",
            wasserstein_steps,
            of=_rounded_wasserstein,
        ),
    ),
    "kurniawan": (
        _named(accuracy, "hard_acc", "accuracy against the majority, first class on ties"),
        _named(soft_accuracy, "soft_acc"),
        _named(
            po_jsd,
            "poJSD",
            "one minus the JS divergence in bits; the original code drops ratios below 1e-8, and this implementation does not",
        ),
        _named(
            entropy_correlation,
            "ent_corr",
            "Pearson (not Spearman) correlation of the entropies; their normalisation by log C does not change it",
            of=_entropy_pearson,
        ),
        _named(soft_f1_micro, "soft_micro_f1"),
        _named(soft_f1_macro, "macro/soft_f1"),
    ),
    "baan": (
        _named(accuracy, "Acc", "accuracy against the majority"),
        _named(ece_equal_width, "ECE", "10 bins (a, b] of equal width; hit against the majority", of=_ece_ten),
        _named(rank_cs, "RankCS"),
        _named(
            rank_cs,
            "RankCS ties free",
            "RankCS, but classes with equal votes may have any order; use it if many classes have no votes",
            ranking_not_contradicted,
        ),
        _named(ent_ce, "EntCE", "mean of |entropy of the model - entropy of the votes| in nats, as in their tables"),
        _named(
            replace(ent_ce, bounds=(-math.inf, math.inf), better=None),
            "EntCE signed",
            "mean of entropy of the model - entropy of the votes in nats: negative if the model is too certain",
            entropy_error,
        ),
        _named(dist_ce, "DistCE", "total variation"),
    ),
}

DIALECTS: Mapping[str, Mapping[str, Score]] = FrozenMapping(
    {name: FrozenMapping({score.key: score for score in scores}) for name, scores in _BY_DIALECT.items()}
)

SOURCES: Mapping[str, str] = FrozenMapping(
    {
        "paper": "Gheibi and Ghazizadeh 2026, Same target, different basins",
        "chaosnli": "Nie, Zhou and Bansal 2020, What can we learn from collective human opinions on NLI data?",
        "lewidi2023": "Leonardelli et al. 2023, SemEval-2023 task 11: Learning with disagreements",
        "lewidi2025": "Leonardelli et al. 2025, LeWiDi-2025 at NLPerspectives",
        "kurniawan": "Kurniawan et al. 2025, Training and evaluating with human label variation",
        "baan": "Baan et al. 2022, Stop measuring calibration when humans disagree",
    }
)
