"""What a number is called, which way is better, and which probe gives it.

An adapter until every score and probe declares its numbers itself: then `quantity` looks them up there.
"""

from __future__ import annotations

from functools import cache

from votewise.quantity import Direction, Quantity

_LABELS = {
    "soft_nll": "Soft NLL", "kl": "KL to annotators", "soft_brier": "Soft Brier", "accuracy": "Hard accuracy",
    "ece_equal_mass": "Equal-mass ECE", "ece_equal_mass_votes": "Equal-mass ECE (vote share)",
    "smooth_ece": "Smooth ECE", "smooth_ece_votes": "Smooth ECE (vote share)",
    "entropy_correlation": "Entropy correlation", "brier_reliability": "Reliability", "brier_resolution": "Resolution",
    "lambda_max_full": "λmax (full)", "lambda_max_high": "λmax (high)", "trace_full": "Trace (full)", "trace_high": "Trace (high)",
    "cka": "CKA", "cka_debiased": "CKA, debiased",
    "gradcam_correlation": "Correlation", "gradcam_overlap": "Overlap", "gradcam_distance": "Distance",
}  # fmt: skip

DETECTORS = {
    "energy": "Energy", "msp": "MSP", "odin": "ODIN", "entropy": "Pred. entropy", "margin": "Logit margin", "knn": "KNN",
}  # fmt: skip

_PROBES = {
    "curvature": ("lambda_", "trace_", "weight_norm", "sharpness_"),
    "barrier": ("barrier", "loss_first", "loss_second"),
    "representation": ("cka", "gradcam_"),
    "noise": ("noise_",),
    "dynamics": ("epoch_95", "best_epoch", "soft_nll_end", "epochs"),
    "ood": ("auroc_", "fpr95_", "aupr_"),
    "reliability": ("diagonal_distance",),
    "diagnosis": ("js_", "l1_", "train_js_", "train_l1_"),
    "spread": (
        "largest_class", "constant_loss", "entropy_pearson", "entropy_gap_high", "peak_gap_high", "kl_low_third",
        "kl_high_third", "vote_entropy_", "own_",
    ),
    "same-winner": ("kl_gain_agreed", "items_agreed"),
}  # fmt: skip


@cache
def quantity(key: str) -> Quantity:
    """The facts about a number.

    >>> quantity("soft_nll").better, quantity("auroc_far_energy").label, quantity("weight_norm").label
    ('lower', 'Energy', 'weight norm')
    """
    from votewise.scoring import SCORES

    better: Direction | None = None
    if key in SCORES:
        better = SCORES[key].better
    elif key.startswith("auroc_"):
        better = "higher"
    label = DETECTORS[key.rpartition("_")[2]] if key.startswith("auroc_") else _LABELS.get(key, key.replace("_", " "))
    return Quantity(key=key, label=label, better=better)


@cache
def probe_of(key: str) -> str | None:
    """The probe that gives a number; None for a score or a fact of the run.

    >>> probe_of("lambda_max_full"), probe_of("js_lowest"), probe_of("js_distance"), probe_of("soft_nll")
    ('curvature', 'diagnosis', None, None)
    """
    from votewise.scoring import SCORES

    if key in SCORES:
        return None
    return next((probe for probe, names in _PROBES.items() if key.startswith(names)), None)
