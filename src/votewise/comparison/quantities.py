"""The facts about a number by its key: label, unit, which way is better, and which probe gives it.

An adapter until every score and probe declares its numbers itself: then `quantity` looks them up there.
"""

from __future__ import annotations

from functools import cache

from votewise.quantity import Direction, Quantity

DETECTORS = {
    "energy": "Energy",
    "msp": "MSP",
    "odin": "ODIN",
    "entropy": "Pred. entropy",
    "margin": "Logit margin",
    "knn": "KNN",
}

_DECLARED: dict[str, tuple[str, str, Direction | None]] = {
    "soft_nll": ("Soft NLL", "nats", "lower"),
    "kl": ("KL to annotators", "nats", "lower"),
    "soft_brier": ("Soft Brier", "", "lower"),
    "accuracy": ("Hard accuracy", "share of items", "higher"),
    "ece_equal_mass": ("Equal-mass ECE", "", "lower"),
    "ece_equal_mass_votes": ("Equal-mass ECE (vote share)", "", "lower"),
    "smooth_ece": ("Smooth ECE", "", "lower"),
    "smooth_ece_votes": ("Smooth ECE (vote share)", "", "lower"),
    "entropy_correlation": ("Entropy correlation", "Spearman", "higher"),
    "excess": ("Training excess", "nats", None),
    "brier_reliability": ("Reliability", "", "lower"),
    "brier_resolution": ("Resolution", "", "higher"),
    "lambda_max_full": ("λmax (full)", "", None),
    "lambda_max_high": ("λmax (high)", "", None),
    "trace_full": ("Trace (full)", "", None),
    "trace_high": ("Trace (high)", "", None),
    "barrier": ("Barrier", "nats", None),
    "cka": ("CKA", "", "higher"),
    "cka_debiased": ("CKA, debiased", "", "higher"),
    "gradcam_correlation": ("Correlation of maps", "", "higher"),
    "gradcam_overlap": ("Overlap of hottest fifths", "IoU", "higher"),
    "gradcam_distance": ("Distance of centres", "pixels", "lower"),
    **{
        f"auroc_{where}_{key}": (f"AUROC ({where}, {detector})", "", "higher")
        for where in ("near", "far")
        for key, detector in DETECTORS.items()
    },
}


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
    """The facts about a number; one that is not declared is known by its key.

    >>> quantity("soft_nll").better, quantity("ece_equal_mass").label, quantity("weight_norm").label
    ('lower', 'Equal-mass ECE', 'weight norm')
    """
    from votewise.scoring import SCORES

    label, unit, better = _DECLARED.get(key, (key.replace("_", " "), "", None))
    return Quantity(key=key, label=label, unit=unit, better=SCORES[key].better if key in SCORES else better)


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


def head(key: str) -> str:
    """The label with the direction that is better, for the head of a column.

    >>> head("accuracy")
    'Hard accuracy ↑'
    """
    known = quantity(key)
    return f"{known.label} {known.arrow}".rstrip()


def axis(key: str) -> str:
    """The label with its unit, for an axis.

    >>> axis("soft_nll"), axis("soft_brier")
    ('Soft NLL (nats)', 'Soft Brier')
    """
    known = quantity(key)
    return f"{known.label} ({known.unit})" if known.unit else known.label
