"""The facts about a number by its key: label, unit and which way is better.

Scores and probes declare their numbers themselves; until all of them do, this list has those that tables and figures show.
"""

from __future__ import annotations

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
    "smooth_ece_votes": ("Calibration error", "", "lower"),
    "smooth_ece": ("Smooth ECE", "", "lower"),
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


def quantity(key: str) -> Quantity:
    """The facts about a number; one that nobody declared is known by its key.

    >>> quantity("soft_nll").better, quantity("my_score").label
    ('lower', 'my_score')
    """
    label, unit, better = _DECLARED.get(key, (key, "", None))
    return Quantity(key=key, label=label, unit=unit, better=better)


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
